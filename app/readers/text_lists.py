"""Lists in plain text (readers design, section 9, "Do better than")."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.readers.text_passages import Line, Passage

_MARKER = re.compile(r"(?:([-*•])|(\d{1,3})([.)])|([a-z])\))[ \t]+(?=\S)")
#: A list starts inside a passage when so many of its lines are items.
_ITEMS_INSIDE = 2


@dataclass(frozen=True, slots=True)
class Marker:
    """What an item opens with."""

    #: `-` for any bullet, `1.` and `1)` for numbers, `a)` for letters: items of one list share it.
    style: str
    #: The item's number, or the letter's place in the alphabet; None for bullets.
    number: int | None
    #: How the item is shown.
    shown: str
    length: int


def marker_of(text: str) -> Marker | None:
    """Return the marker that a line opens with, if any."""
    match = _MARKER.match(text)
    if match is None:
        return None
    if match[1]:
        return Marker("-", None, "- ", match.end())
    if match[2]:
        return Marker(f"1{match[3]}", int(match[2]), f"{int(match[2])}. ", match.end())
    return Marker("a)", ord(match[4]) - ord("a") + 1, f"{match[4]}. ", match.end())


def follows(first: Marker, second: Marker) -> bool:
    """True when an item with the second marker goes on with the list of the first."""
    return first.style == second.style and (first.number is None or second.number == first.number + 1)


def split_at_list(passage: Passage) -> Iterator[Passage]:
    """Cut a passage in front of the first item of a list that is introduced inside it."""
    markers = [index for index, line in enumerate(passage) if marker_of(line.text)]
    first = markers[0] if markers else 0
    if first and (len(markers) >= _ITEMS_INSIDE or passage[first - 1].text.endswith(":")):
        yield passage[:first]
        yield passage[first:]
    else:
        yield passage


def last_marker(passage: Passage) -> Marker | None:
    """Return the marker of the last item at the indent of the first one."""
    indent = passage[0].indent
    return next(
        (found for line in reversed(passage) if line.indent <= indent and (found := marker_of(line.text))), None
    )


def list_text(lines: Sequence[Line]) -> str:
    """Return the text of a list block: a line per item, two spaces per level; other lines join the item before them."""
    items: list[list[str]] = []
    indents: list[int] = []
    for line in lines:
        marker = marker_of(line.text)
        if marker is None and items:
            items[-1].append(line.text)
            continue
        while indents and line.indent < indents[-1]:
            indents.pop()
        if not indents or line.indent >= indents[-1] + 2:
            indents.append(line.indent)
        shown, text = (marker.shown, line.text[marker.length :]) if marker else ("- ", line.text)
        items.append(["  " * (len(indents) - 1) + shown + text])
    return "\n".join(" ".join(item) for item in items)
