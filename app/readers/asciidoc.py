"""AsciiDoc to blocks (readers design, section 14), by Pandoc's tree."""

import re
from collections.abc import Iterator, Sequence

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.asciidoc_lines import Prepared, prepare
from app.readers.asciidoc_tables import AsciidocTable
from app.readers.decoding import decode
from app.readers.list_tree import ItemContent
from app.readers.pandoc import run_pandoc
from app.readers.pandoc_dialect import Dialect, GroupReader, Node, Where
from app.readers.pandoc_marks import Literals, level_of, without_marks
from app.readers.pandoc_sections import Piece, read_pieces, whole_allowance
from app.readers.pandoc_tree import TreeReader
from app.readers.reader import Reader

#: Made-up identifiers take quadratic time when many headings are alike.
_FORMAT = "asciidoc-auto_identifiers"
_NO_IDENTIFIER = re.compile(r"[^\w\s.-]")
_BETWEEN_WORDS = re.compile(r"[\s._-]+")
_TABLE = re.compile(r"tbl-(\d+)\Z")
_MARKS = re.compile(
    r"\s*(?://[^\n]*\n\s*)*=[ \t]+\S[^\n]*\n(?:(?![:=*\-.|#])[^\n]+\n){0,2}(?://[^\n]*\n)*:!?[\w-]+!?:(?:[ \t]|\n|\Z)"
)


def read_asciidoc(source: Source) -> ParsedDocument:
    """Read AsciiDoc into blocks. Every text is accepted: a section that Pandoc refuses is read as plain text."""
    decoded = decode(source.data, source.charset)
    text = without_marks(decoded.text)
    literals = Literals()
    prepared = prepare(text, literals)
    reader = TreeReader(_AsciidocDialect(prepared.tables), literals)
    pieces = list(_pieces(prepared, text.split("\n")))
    allowance = whole_allowance(pieces)

    def read(some: Sequence[Piece]) -> list[Block]:
        return reader.read(run_pandoc(_FORMAT, "".join(piece.text for piece in some).encode(), allowance))

    found, warnings = read_pieces(pieces, read, "AsciiDoc")
    blocks = reader.finish(found)
    title = next((block.text for block in blocks if block.level == 1), None)
    return ParsedDocument(
        blocks=tuple(blocks),
        title=title,
        language=prepared.attributes.get("lang") or None,
        encoding=decoded.encoding,
        warnings=(*decoded.warnings, *prepared.attributes.warnings, *warnings),
    )


class _AsciidocDialect(Dialect):
    joins_terms = True

    def __init__(self, tables: Sequence[AsciidocTable]) -> None:
        self._tables = tables

    def heading(self, text: str, level: int) -> tuple[str, int]:
        """Take the level from its mark: Pandoc closes gaps between levels."""
        return level_of(text, level)

    def identifier(self, text: str) -> str:
        """Return the identifier that AsciiDoc makes of a title."""
        return "_" + _BETWEEN_WORDS.sub("_", _NO_IDENTIFIER.sub("", text.lower())).strip("_")

    def div(self, classes: Sequence[str], blocks: Sequence[Node], reader: GroupReader) -> list[ItemContent] | None:
        """Read the groups that the pass over the lines made: tables, titles and verse."""
        if "level-1" in classes:
            return [reader.heading(text, 1) for text in reader.content(blocks, Where.INSIDE) if isinstance(text, str)]
        if "verse" in classes:
            verses = [reader.verse(node["c"]) for node in blocks if node["t"] in {"Para", "Plain"}]
            return [Block(type=BlockType.QUOTE, text=verse) for verse in verses if verse]
        number = next((match[1] for name in classes if (match := _TABLE.match(name))), None)
        if number is None:
            return None
        caption, *cells = [reader.line([node]) for node in blocks] or [""]
        block = self._tables[int(number)].block(caption, cells)
        return [block] if block else []


def _pieces(prepared: Prepared, lines: Sequence[str]) -> Iterator[Piece]:
    edges = [0, *(start for start in prepared.headings if start > 0), len(prepared.lines)]
    headings = set(prepared.headings)
    for number, start in enumerate(edges[:-1]):
        part = prepared.lines[start : edges[number + 1]]
        if not part:
            continue
        first = part[0][0] if start else 0
        behind = prepared.lines[edges[number + 1]][0] if edges[number + 1] < len(prepared.lines) else len(lines)
        plain = "\n".join(lines[first:behind])
        last = first + max(1, len(plain.rstrip("\n").split("\n")))
        yield Piece(first + 1, "".join(f"{line}\n" for _, line in part), plain, last, start in headings)


def looks_like_asciidoc(_head: bytes, text: str) -> bool:
    """True for a title with an attribute entry under it."""
    return _MARKS.match(text) is not None


READER = Reader(
    format="asciidoc",
    extensions=("adoc", "asciidoc", "asc"),
    media_types=("text/asciidoc", "text/x-asciidoc"),
    read=read_asciidoc,
    looks_like=looks_like_asciidoc,
)
