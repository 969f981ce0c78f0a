"""Short fragments of HTML with nothing in them but paragraphs, headings and inline tags, read without a tree.

Documents in other formats hold thousands of them: `<p align="center">`, `<br>`, `</details>`. A parser takes longer to
start than they take to read. What this module reads, it reads as the tree would be (readers design, section 10); what
it isn't sure about, it leaves to that.
"""

import re
from html import unescape

from app.documents.block import Block, BlockType
from app.readers.cleaning import prose
from app.readers.html_paragraphs import BREAK, paragraph_texts

#: A longer fragment is worth a tree.
_LONGEST = 2_000
_VALUE = r"(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=`]+))?+"
#: Attributes that change nothing, and the text of an image. Links inside a page may be marks of notes.
_ATTRIBUTES = (
    r"(?:\s++(?:alt\s*=\s*(?:\"(?P<double>[^\"<>&]*)\"|'(?P<single>[^'<>&]*)'|(?P<bare>[^\s\"'<>=`&]+))"
    r"|(?:align|border|color|face|height|id|lang|loading|name|open|rel|size|src|target|title|valign|width)(?=[\s=/>])"
    rf"{_VALUE}|href(?=\s*=\s*[\"']?[^\s#\"']){_VALUE}))*+"
)
_TOKEN = re.compile(
    rf"(?P<text>[^<&]++|&(?:(?:amp|gt|lt|nbsp|quot);|(?=\s)))"
    rf"|<(?P<close>/?)(?P<tag>[a-z][a-z0-9]*+){_ATTRIBUTES}\s*+/?>"
    r"|<!--(?:(?!--).)*+-->",
    re.DOTALL | re.IGNORECASE,
)
#: Their edges end paragraphs.
_EDGES = frozenset({"center", "details", "div", "section", "summary"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_VOID = frozenset({"br", "hr", "img"})
_INLINE = frozenset(
    "a abbr b big code del em font i ins kbd mark s samp small span strike strong tt u var".split()  # noqa: SIM905 - a list of quoted words reads worse
)


def simple_blocks(html: str) -> list[Block] | None:
    """Return the blocks of a fragment of HTML, or None when it takes a tree to tell."""
    if len(html) > _LONGEST:
        return None
    reading = _Reading()
    at = 0
    while match := _TOKEN.match(html, at):
        if match["text"] is not None:
            reading.parts.append(match["text"])
        elif match["tag"] is not None and not reading.tag(match):
            return None
        at = match.end()
    if at < len(html) or reading.heading is not None:
        return None
    reading.flush()
    return reading.blocks


class _Reading:
    """What was read so far."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.parts: list[str] = []
        #: The open heading.
        self.heading: str | None = None
        self._opened: list[str] = []

    def tag(self, match: re.Match[str]) -> bool:
        """Take in a tag. False when what it means depends on more than is known here."""
        name, is_end = match["tag"].lower(), bool(match["close"])
        if name in _INLINE:
            return True
        if name in _HEADINGS:
            return self._heading(name, is_end=is_end)
        if name in _VOID:
            return not is_end and self._void(name, match)
        return self.heading is None and self._block(name, is_end=is_end)

    def _void(self, name: str, match: re.Match[str]) -> bool:
        if name == "br":
            self.parts.append(BREAK)
        elif name == "img":
            return self._image(match)
        elif self.heading is not None:
            return False
        else:
            self.flush()
        return True

    def _image(self, match: re.Match[str]) -> bool:
        alt = prose(match["double"] or match["single"] or match["bare"] or "")
        if alt:
            self.parts.append(f"[image: {alt}]")
        # Of several the first counts.
        return match[0].lower().count("alt") < 2  # noqa: PLR2004 - one more than one

    def _heading(self, name: str, *, is_end: bool) -> bool:
        if is_end != (self.heading == name):
            return False
        self.flush()
        self.heading = None if is_end else name
        return True

    def _block(self, name: str, *, is_end: bool) -> bool:
        if name == "p":
            self.flush()
            return True
        if name not in _EDGES:
            return False
        if not is_end:
            self._opened.append(name)
        elif self._opened:
            if self._opened.pop() != name:
                return False
        elif any(not part.isspace() for part in self.parts):
            # An end without a start parts nothing.
            return False
        self.flush()
        return True

    def flush(self) -> None:
        """End the open paragraph or heading."""
        if not self.parts:
            return
        text = unescape("".join(self.parts))
        self.parts.clear()
        if self.heading is not None:
            if line := prose(text.replace(BREAK, " ")):
                self.blocks.append(Block(type=BlockType.HEADING, text=line, level=_HEADINGS[self.heading]))
            return
        self.blocks += (
            Block(type=BlockType.PARAGRAPH, text=clean) for clean in paragraph_texts(text, at_names=True) if clean
        )
