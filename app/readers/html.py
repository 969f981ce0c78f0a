"""HTML and XHTML to blocks (readers design, section 10)."""

import re
from pathlib import PurePosixPath

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.cleaning import prose
from app.readers.decoding import declared_codec, decode
from app.readers.html_builder import Builder
from app.readers.html_content import to_blocks
from app.readers.html_furniture import Furniture, row_key, rows_of_links
from app.readers.html_guard import MOST_UNCLOSED
from app.readers.html_notes import find_notes
from app.readers.html_simple import simple_blocks
from app.readers.html_speakers import find_speakers
from app.readers.html_tree import Element, Tree, note_held, parse_document, parse_fragment
from app.readers.reader import Reader

_XML_EXTENSIONS = frozenset({".xhtml", ".xht"})
#: A declaration of the encoding stands in the first bytes.
_DECLARATION_BYTES = 1024
_XML_ENCODING = re.compile(rb"\s*<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([\w.:-]+)[\"']")
_META = re.compile(rb"<meta\s[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_OPENING = re.compile(
    r"\s*+(?:<\?xml\b[^>]*+>\s*+)?+(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html)(?=[\s>])",
    re.IGNORECASE | re.DOTALL,
)
#: Links' rows are made of these.
_ROW_TYPES = frozenset({BlockType.PARAGRAPH, BlockType.LIST})


def read_html(source: Source) -> ParsedDocument:
    """Read a page into blocks, without its furniture.

    Raises:
        TooDeep: more than 20,000 elements are open at once.
    """
    decoded = decode(source.data, source.charset if declared_codec(source.charset) else _declared(source.data))
    is_xml = PurePosixPath(source.filename or "").suffix.lower() in _XML_EXTENSIONS
    tree = parse_document(decoded.text, xml=is_xml)
    blocks, warnings = _page(tree)
    title = _title(tree.elements)
    if title and not any(block.type is BlockType.HEADING and block.level == 1 for block in blocks):
        blocks.insert(0, Block(type=BlockType.HEADING, text=title, level=1))
    return ParsedDocument(
        blocks=tuple(blocks),
        source=decoded.text,
        title=title or None,
        language=tree.root.attributes.get("lang", "").strip() or None,
        encoding=decoded.encoding,
        warnings=(*decoded.warnings, *tree.warnings, *warnings),
    )


def fragment_blocks(html: str) -> list[Block]:
    """Read HTML that stands in a text of another format: the rules of blocks hold, those of pages don't.

    Raises:
        TooDeep: more than 20,000 elements are open at once.
    """
    simple = simple_blocks(html)
    if simple is not None:
        return simple
    tree = parse_fragment(html)
    note_held(tree.elements)
    builder = Builder(Furniture(page=False), find_speakers(tree.elements), find_notes(tree.elements))
    return [block for block, _ in to_blocks(builder.read(tree.root))]


def looks_like_html(_head: bytes, text: str) -> bool:
    """True for text that opens with HTML's document type or its root element."""
    return _OPENING.match(text) is not None


def _page(tree: Tree) -> tuple[list[Block], tuple[str, ...]]:
    """Return the blocks of a page: of its first `main`, or of its body when that has none to show."""
    note_held(tree.elements)
    furniture = Furniture(page=True)
    speakers, notes = find_speakers(tree.elements), find_notes(tree.elements)
    body = next((element for element in tree.root.elements() if element.tag == "body"), tree.root)
    main = next((element for element in tree.elements if element.tag == "main" or element.role == "main"), None)
    starts = [main, body] if main is not None and not _is_hidden(main, furniture) else [body]
    blocks: list[Block] = []
    warnings: tuple[str, ...] = ()
    for start in starts:
        builder = Builder(furniture, speakers, notes)
        found = list(to_blocks(builder.read(start)))
        blocks = _without_rows(found)
        if builder.without_spans:
            warnings = (
                f"{builder.without_spans} tables were read without the spans of their cells, which are too large.",
            )
        if blocks:
            break
    return blocks, warnings


def _is_hidden(element: Element, furniture: Furniture) -> bool:
    """True when an element or one around it is dropped."""
    above: Element | None = element
    while above is not None:
        if furniture.drops(above, in_article=above is element):
            return True
        above = above.parent
    return False


def _without_rows(found: list[tuple[Block, int]]) -> list[Block]:
    rows = rows_of_links((block.text, longest) for block, longest in found if block.type in _ROW_TYPES)
    return [
        block for block, longest in found if not (longest and block.type in _ROW_TYPES and row_key(block.text) in rows)
    ]


def _title(elements: list[Element]) -> str:
    head_titles = (
        e for e in elements if e.tag == "title" and e.parent is not None and e.parent.tag in {"head", "html"}
    )
    return next((title for element in head_titles if (title := prose(element.text()))), "")


def _declared(data: bytes) -> str | None:
    """Return the encoding that an XML declaration or a `meta` names, as browsers understand it."""
    head = data[:_DECLARATION_BYTES]
    for found in (_XML_ENCODING.match(head), _META.search(_COMMENT.sub(b"", head))):
        label = found[1].decode("ascii", "replace") if found else None
        codec = declared_codec(label)
        if codec is not None:
            # What could be read as ASCII so far can't be a wide encoding.
            return "utf-8" if codec.startswith(("utf-16", "utf-32")) else label
    return None


READER = Reader(
    format="html",
    extensions=("html", "htm", "xhtml", "xht"),
    media_types=("text/html", "application/xhtml+xml"),
    read=read_html,
    looks_like=looks_like_html,
    limits={"unclosed_elements": MOST_UNCLOSED},
)
