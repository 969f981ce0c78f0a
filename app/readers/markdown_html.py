"""HTML blocks in Markdown go through the HTML reader's rules, in place (readers design, section 7).

An HTML block ends at a blank line, so that a table or list written in HTML comes in pieces, with Markdown between them.
The pieces are read together: what Markdown made of the text between stands in them as HTML.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.errors import TooDeep
from app.readers.cleaning import prose
from app.readers.html import fragment_blocks
from app.readers.html_text import html_paragraphs
from app.readers.markdown_output import Span

#: Elements that make something else of what stands in them.
_STRUCTURE = re.compile(r"<(/?)(table|ul|ol|dl|blockquote)(?=[\s/>])", re.IGNORECASE)
#: Tags and comments only: nothing to read.
_NO_TEXT = re.compile(r"(?:\s|</?[a-zA-Z][a-zA-Z0-9]*\s*+/?>|<!--(?:(?!-->).)*+-->)*+\Z", re.DOTALL)
_ITEM = re.compile(r"( *)(?:(-|\d+\.) )?(.*)")


@dataclass(slots=True)
class _Piece:
    """An HTML block, and how many blocks were there when it came."""

    at: int
    source: str
    span: Span


@dataclass(slots=True)
class _OpenHtml:
    """HTML blocks that opened a structure which isn't closed yet."""

    pieces: list[_Piece] = field(default_factory=list)
    depth: int = 0

    def add(self, piece: _Piece) -> bool:
        """Take in an HTML block; true when nothing is open after it."""
        self.pieces.append(piece)
        for match in _STRUCTURE.finditer(piece.source):
            self.depth = max(0, self.depth - 1) if match[1] else self.depth + 1
        return self.depth == 0

    def read(self, blocks: Sequence[Block]) -> list[Block]:
        """Read the pieces with the blocks that came between them."""
        parts: list[str] = []
        at = self.pieces[0].at
        for piece in self.pieces:
            parts += map(_as_html, blocks[at : piece.at])
            parts.append(piece.source)
            at = piece.at
        return _html_blocks("\n".join(parts))


class _Endings:
    """Tells whether the end tag of a structure still comes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._none_after: set[str] = set()

    def opened(self, source: str, end: int) -> bool:
        """True when an HTML block that ends at a byte leaves a structure open that is closed further down."""
        opened: list[str] = []
        for match in _STRUCTURE.finditer(source):
            if not match[1]:
                opened.append(match[2].lower())
            elif opened:
                opened.pop()
        if not opened or opened[0] in self._none_after:
            return False
        if re.compile(rb"</" + opened[0].encode() + rb"(?=[\s/>])", re.IGNORECASE).search(self._data, end):
            return True
        self._none_after.add(opened[0])
        return False


class HtmlBlocks:
    """Reads the HTML blocks of a document.

    Args:
        data: The document as the parser reads it.
        emit: Puts what was read where it stands.
    """

    def __init__(self, data: bytes, emit: Callable[[Sequence[Block], Span], None]) -> None:
        self._endings = _Endings(data)
        self._emit = emit
        self._open: _OpenHtml | None = None

    def read_nested(self, source: str, span: Span) -> None:
        """Read an HTML block that stands in a list, quote or note, by itself."""
        self._emit(_html_blocks(source), span)

    def read(self, source: str, span: Span, end: int, blocks: list[Block]) -> None:
        """Read an HTML block of the document itself.

        Args:
            source: Its HTML.
            span: Where it stands.
            end: Where the parser has it end.
            blocks: Those before it; what stands in a structure that it closes is taken out.
        """
        if self._open is None and not self._endings.opened(source, end):
            self._emit(_html_blocks(source), span)
            return
        opened = self._open = self._open or _OpenHtml()
        if opened.add(_Piece(len(blocks), source, span)):
            first = opened.pieces[0]
            found = opened.read(blocks)
            del blocks[first.at :]
            self._open = None
            self._emit(found, (first.span[0], span[1]))

    def finish(self, blocks: list[Block]) -> None:
        """The document ends. A structure that never closed: its pieces are read where they stand."""
        opened, self._open = self._open, None
        if opened is None:
            return
        at = first = opened.pieces[0].at
        after = blocks[first:]
        del blocks[first:]
        for piece in opened.pieces:
            blocks += after[at - first : piece.at - first]
            self._emit(_html_blocks(piece.source), piece.span)
            at = piece.at
        blocks += after[at - first :]


def _html_blocks(source: str) -> list[Block]:
    """Return the blocks of HTML in Markdown. Nothing is refused: what nests without end is read by its tags alone."""
    if _NO_TEXT.match(source):
        return []
    try:
        return fragment_blocks(source)
    except TooDeep:
        texts = ((level, prose(raw)) for level, raw in html_paragraphs(source))
        return [
            Block(type=BlockType.PARAGRAPH if level is None else BlockType.HEADING, text=text, level=level)
            for level, text in texts
            if text
        ]


def _as_html(block: Block) -> str:
    """Return HTML that reads as a block of Markdown."""
    text = escape(block.text)
    if block.type is BlockType.LIST:
        return "".join(_list(block.text))
    if block.type is BlockType.TABLE:
        return "".join(_table(block.meta))
    if block.type is BlockType.CODE:
        named = block.meta.get("language")
        return f'<pre><code class="{f"language-{escape(str(named))}" if named else ""}">{text}</code></pre>'
    if block.type is BlockType.HEADING:
        return f"<h{block.level}>{text}</h{block.level}>"
    return f"<blockquote>{text}</blockquote>" if block.type is BlockType.QUOTE else f"<p>{text}</p>"


def _list(text: str) -> Iterator[str]:
    opened: list[str] = []
    for line in text.split("\n"):
        match = _ITEM.match(line)
        indent, marker, words = match.groups() if match else ("", None, line)
        depth = len(indent) // 2 + (marker is not None)
        while len(opened) > depth:
            yield f"</{opened.pop()}>"
        if marker is None:
            yield f" {escape(words)}"
            continue
        tag = "ul" if marker == "-" else "ol"
        if len(opened) == depth and opened[-1] != tag:
            yield f"</{opened.pop()}>"
        while len(opened) < depth:
            opened.append(tag)
            yield f"<{tag}>"
        yield f"<li>{escape(words)}" if marker == "-" else f'<li value="{marker[:-1]}">{escape(words)}'
    while opened:
        yield f"</{opened.pop()}>"


def _table(meta: JsonObject) -> Iterator[str]:
    header, rows = meta.get("header"), meta.get("rows")
    yield "<table>"
    for tag, row in [("th", header), *(("td", row) for row in rows)] if isinstance(rows, list) else []:
        if isinstance(row, list):
            yield "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row) + "</tr>"
    yield "</table>"
