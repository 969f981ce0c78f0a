"""HTML blocks in Markdown go through the HTML reader's rules, in place (readers design, section 7).

An HTML block ends at a blank line, so that a table or list written in HTML comes in pieces, with Markdown between them.
The pieces are read together: what Markdown made of the text between stands in them as HTML.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.errors import TooDeep
from app.readers.cleaning import prose
from app.readers.html import fragment_blocks
from app.readers.html_text import html_paragraphs

Span = tuple[int, int]

#: Elements that make something else of what stands in them.
_STRUCTURE = re.compile(r"<(/?)(table|ul|ol|dl|blockquote)(?=[\s/>])", re.IGNORECASE)
#: Tags and comments only: nothing to read.
_NO_TEXT = re.compile(r"(?:\s|</?[a-zA-Z][a-zA-Z0-9]*\s*+/?>|<!--(?:(?!-->).)*+-->)*+\Z", re.DOTALL)
_ITEM = re.compile(r"( *)(?:(-|\d+\.) )?(.*)")


class Draft(NamedTuple):
    """A block whose span, if it has one, is still in bytes."""

    type: BlockType
    text: str
    level: int | None
    meta: JsonObject
    span: Span | None


@dataclass(slots=True)
class Piece:
    """An HTML block, and how many drafts were there when it came."""

    at: int
    source: str
    span: Span


@dataclass(slots=True)
class OpenHtml:
    """HTML blocks that opened a structure which isn't closed yet."""

    pieces: list[Piece] = field(default_factory=list)
    depth: int = 0

    def add(self, piece: Piece) -> bool:
        """Take in an HTML block; true when nothing is open after it."""
        self.pieces.append(piece)
        for match in _STRUCTURE.finditer(piece.source):
            self.depth = max(0, self.depth - 1) if match[1] else self.depth + 1
        return self.depth == 0

    def read(self, drafts: Sequence[Draft]) -> list[Block]:
        """Read the pieces with the drafts that came between them."""
        parts: list[str] = []
        at = self.pieces[0].at
        for piece in self.pieces:
            parts += map(_as_html, drafts[at : piece.at])
            parts.append(piece.source)
            at = piece.at
        return html_blocks("\n".join(parts))


class Endings:
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


def html_blocks(source: str) -> list[Block]:
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


def _as_html(draft: Draft) -> str:
    """Return HTML that reads as a block of Markdown."""
    text = escape(draft.text)
    if draft.type is BlockType.LIST:
        return "".join(_list(draft.text))
    if draft.type is BlockType.TABLE:
        return "".join(_table(draft.meta))
    if draft.type is BlockType.CODE:
        named = draft.meta.get("language")
        return f'<pre><code class="{f"language-{escape(str(named))}" if named else ""}">{text}</code></pre>'
    if draft.type is BlockType.HEADING:
        return f"<h{draft.level}>{text}</h{draft.level}>"
    return f"<blockquote>{text}</blockquote>" if draft.type is BlockType.QUOTE else f"<p>{text}</p>"


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
