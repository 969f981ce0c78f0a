"""Marks that a pass over the source leaves for the one over Pandoc's tree.

They are made of noncharacters, which no text holds and which no syntax gives a meaning, so Pandoc hands them on as it
got them. A source that holds some all the same loses them first.
"""

import re
from collections.abc import Mapping, Sequence

from app.documents.values import JsonValue

_OURS = dict.fromkeys(range(64976, 65008), "�")

_LEVEL_MARK = re.compile("[\ufdd9-\ufdde]")
#: The noncharacters behind this one tell levels.
_LEVELS = 0xFDD8
_DEEPEST_LEVEL = 6
#: A label whose section's title is to stand in its place.
_REFERENCE = re.compile("\ufdd0([^\ufdd0\ufdd1]*)\ufdd1")
#: The number of a text that is to stand in its place as it is.
_LITERAL = re.compile("\ufdd2(\\d+)\ufdd3")
#: What the body of a note kept apart opens with: its label.
NOTE_LABEL = re.compile("\\A\ufdd4([^\ufdd5]*)\ufdd5\\s*")
#: What a list item opens with when it has a marker of its own.
ITEM_MARKER = re.compile("\\A\ufdd6([^\ufdd7]*)\ufdd7\\s*")
#: Stands for the end of a line of verse.
LINE_BREAK = "\ufddf"
#: Opens a paragraph that is nothing but code.
CODE = "\ufde0"
#: Opens a paragraph that is the caption of the table beside it.
CAPTION = "\ufde1"
#: Opens a cell of a header that Pandoc would cut short; it sees a cell like any other.
HEADER_CELL = "\ufde2"
#: Stand around a note written in place.
NOTE_OPENS, NOTE_CLOSES = "\ufde3", "\ufde4"
_EMPTY_NOTE = re.compile(f"{NOTE_OPENS} ?{NOTE_CLOSES}")
_NOTE_OPENS, _NOTE_CLOSES = re.compile(f" ?{NOTE_OPENS} ?"), re.compile(f" ?{NOTE_CLOSES}")
_LINE_BREAK = re.compile(f"\\s*{LINE_BREAK}\\s*")


def without_marks(text: str) -> str:
    """Return a source without the characters that marks are made of."""
    return text.translate(_OURS) if not text.isascii() else text


def reference(label: str) -> str:
    """Stand for the title of the section with this label, else for the label."""
    return f"\ufdd0{label}\ufdd1"


def note_label(label: str) -> str:
    """Open the body of a note that is kept apart."""
    return f"\ufdd4{label}\ufdd5"


def level_mark(level: int) -> str:
    """Open a heading of a level, 1 to 6."""
    return chr(_LEVELS + level)


def level_of(text: str, otherwise: int) -> tuple[str, int]:
    """Return a heading without the mark that it opens with, and the level that the mark says."""
    level = ord(text[0]) - _LEVELS if text else 0
    return (text[1:].lstrip(), level) if 0 < level <= _DEEPEST_LEVEL else (text, otherwise)


def unmarked(text: str) -> str:
    """Return a label or a reference made of a marked heading as it would be without the mark."""
    return _LEVEL_MARK.sub("", text)


def item_marker(marker: str) -> str:
    """Open an item with a marker of its own."""
    return f"\ufdd6{marker}\ufdd7"


class Literals:
    """Texts that Pandoc must not read."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def add(self, text: str) -> str:
        """Return what stands for a text."""
        self._texts.append(text)
        return f"\ufdd2{len(self._texts) - 1}\ufdd3"

    def put_back(self, text: str) -> str:
        """Return a text with the literal ones in their places."""
        return _LITERAL.sub(lambda match: self._texts[int(match[1])], text) if "\ufdd2" in text else text


def resolved(text: str, titles: Mapping[str, str]) -> str:
    """Return a text with the titles of the sections that it refers to; a label in brackets keeps them otherwise."""
    if "\ufdd0" not in text:
        return text
    return _REFERENCE.sub(lambda match: titles.get(match[1].strip("[]"), match[1]), text)


def with_line_breaks(text: str, line_break: str) -> str:
    """Return a text with its lines of verse parted by a line break, or by what stands for one there."""
    return _LINE_BREAK.sub(line_break, text).strip() if LINE_BREAK in text else text


def with_notes(text: str) -> str:
    """Return a text on one line with the notes in it in brackets; one that says nothing is left out."""
    if NOTE_OPENS not in text and NOTE_CLOSES not in text:
        return text
    text = _EMPTY_NOTE.sub("", text)
    return _NOTE_CLOSES.sub(")", _NOTE_OPENS.sub(" (", text)).strip()


def is_marked(value: JsonValue) -> bool:
    """True when a text, or a text inside a list, still holds a mark."""
    if isinstance(value, str):
        return "\ufdd0" in value or "\ufdd2" in value or LINE_BREAK in value
    return isinstance(value, Sequence) and any(is_marked(item) for item in value)
