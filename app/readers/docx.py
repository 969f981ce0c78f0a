"""DOCX to blocks (readers design, section 11)."""

from app.documents.block import Block, BlockType, ParsedDocument
from app.errors import MalformedDocument
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.docx_body import BodyReader, blocks_of, title_of
from app.readers.docx_numbering import Numbering
from app.readers.docx_package import LIMITS, Element, Package, W, is_docx
from app.readers.docx_styles import Styles
from app.readers.docx_text import Fields, Notes, unended_fields
from app.readers.reader import Reader

_DC = "{http://purl.org/dc/elements/1.1/}"
#: Notes that are lines drawn between text and notes.
_NO_NOTES = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def read_docx(source: Source) -> ParsedDocument:
    """Read a DOCX document into blocks.

    Raises:
        MalformedDocument: no package, encrypted, without a main part, or with a part that is not well formed.
        TooLarge: it unpacks to more than a document may.
        TooDeep: its elements are nested too deeply.
    """
    package = Package(source.data)
    root = package.tree(package.main)
    body = root.find(f"{W}body") if root is not None else None
    if body is None:
        raise MalformedDocument(f"The package has no Word document: {package.main} is missing or holds no body.")
    styles = Styles(package.tree(package.related(package.main, "styles")))
    notes = Notes({**_notes(package, "footnote"), **_notes(package, "endnote")})
    numbering = Numbering(package.tree(package.related(package.main, "numbering")), styles)
    reader = BodyReader(styles, numbering, notes)
    drafts = reader.read(body, Fields(unended_fields(body)))
    blocks = blocks_of(drafts)
    blocks += _note_blocks(reader, notes)
    core = package.tree(package.related("", "core-properties"))
    title = _property(core, "title")
    first = next((block for block in blocks if block.type is BlockType.HEADING and block.level == 1), None)
    if title and first is None:
        blocks.insert(0, Block(type=BlockType.HEADING, text=title, level=1))
    return ParsedDocument(
        blocks=tuple(blocks),
        title=title or title_of(drafts) or None,
        language=_property(core, "language") or None,
        warnings=tuple(dict.fromkeys(reader.warnings)),
    )


def _notes(package: Package, kind: str) -> dict[tuple[str, str], Element]:
    root = package.tree(package.related(package.main, f"{kind}s"))
    found = root.iterchildren(f"{W}{kind}") if root is not None else ()
    return {(kind, note.get(f"{W}id", "")): note for note in found if note.get(f"{W}type") not in _NO_NOTES}


def _note_blocks(reader: BodyReader, notes: Notes) -> list[Block]:
    """Read the notes that were marked, in the order of their marks; reading one may mark more."""
    blocks: list[Block] = []
    read = 0
    while read < len(notes.labels):
        for key in list(notes.labels)[read:]:
            note = notes.bodies[key]
            text = reader.plain(note, Fields(unended_fields(note)))
            if text:
                blocks.append(Block(type=BlockType.PARAGRAPH, text=f"[{notes.labels[key]}] {text}"))
            read += 1
    return blocks


def _property(core: Element | None, name: str) -> str:
    return cleaning.prose(core.findtext(f"{_DC}{name}") or "") if core is not None else ""


READER = Reader(
    format="docx",
    extensions=("docx",),
    media_types=("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    read=read_docx,
    looks_like=is_docx,
    binary=True,
    limits=LIMITS,
)
