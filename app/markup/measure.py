"""Sizes of line ranges in tokens, after their common indent is removed (markup design, section 2)."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from app.markup.outline import Outline
from app.text.tokens import wide_characters

#: Spaces and tabs indent.
INDENT = " \t"
#: Indent of a line with nothing on it: more than any other.
_NONE = 1 << 30

Range = tuple[int, int]


def quarters(text: str) -> int:
    """Return a text's size in quarters of a token: 1 per character, 4 per character that is a token of its own."""
    return len(text) if text.isascii() else len(text) + 3 * wide_characters(text)


@dataclass(slots=True)
class Size:
    """The size of some lines put together; grows as lines are added."""

    quarters: int = 0
    lines: int = 0
    written: int = 0
    indent: int = _NONE

    @property
    def tokens(self) -> int:
        """The size in tokens: what the lines hold without their common indent, and the breaks between them."""
        indent = self.indent if self.written else 0
        return -(-(self.quarters - indent * self.written + max(0, self.lines - 1)) // 4)

    def plus(self, other: "Size") -> "Size":
        """Return the size of both."""
        return Size(
            self.quarters + other.quarters,
            self.lines + other.lines,
            self.written + other.written,
            min(self.indent, other.indent),
        )


def size_of(lines: Iterable[str]) -> Size:
    """Return the size of lines that are looked at once."""
    size = Size()
    for line in lines:
        stripped = line.lstrip(INDENT)
        size.lines += 1
        if stripped:
            size.quarters += quarters(line)
            size.written += 1
            size.indent = min(size.indent, len(line) - len(stripped))
    return size


class Measure:
    """Knows the size of every range of an outline's lines; the lines are looked at once."""

    def __init__(self, outline: Outline) -> None:
        weights, written, content = [0], [0], [0]
        self._indents: list[int] = []
        for line, bare in zip(outline.lines, outline.bare, strict=True):
            stripped = line.lstrip(INDENT)
            if stripped:
                self._indents.append(len(line) - len(stripped))
                weights.append(quarters(line))
                written.append(1)
                content.append(1 - bare)
            else:
                self._indents.append(_NONE)
                weights.append(0)
                written.append(0)
                content.append(0)
        self._weights, self._written, self._content = (
            array("q", accumulate(counts)) for counts in (weights, written, content)
        )

    def size(self, start: int, end: int) -> Size:
        """Return the size of the lines from `start` up to `end`."""
        return Size(
            self._weights[end] - self._weights[start],
            end - start,
            self._written[end] - self._written[start],
            min(self._indents[start:end], default=_NONE) if end - start > 1 else self._indents[start],
        )

    def tokens(self, start: int, end: int) -> int:
        """Return the size of a range in tokens."""
        return self.size(start, end).tokens if end > start else 0

    def has_content(self, ranges: Iterable[Range]) -> bool:
        """True when the lines hold more than openings, closings and blanks."""
        return any(self._content[end] > self._content[start] for start, end in ranges)

    def trimmed(self, ranges: Sequence[Range]) -> list[Range]:
        """Return the ranges joined where they touch, without blank lines at both ends."""
        joined: list[Range] = []
        for start, end in ranges:
            if start == end:
                continue
            if joined and joined[-1][1] == start:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        while joined and (start := self._first_written(*joined[0])) > joined[0][0]:
            joined[:1] = [(start, joined[0][1])] if start < joined[0][1] else []
        while joined and (end := self._after_written(*joined[-1])) < joined[-1][1]:
            joined[-1:] = [(joined[-1][0], end)] if end > joined[-1][0] else []
        return joined

    def _first_written(self, start: int, end: int) -> int:
        while start < end and self._indents[start] == _NONE:
            start += 1
        return start

    def _after_written(self, start: int, end: int) -> int:
        while end > start and self._indents[end - 1] == _NONE:
            end -= 1
        return end

    def dedented(self, lines: Sequence[str], ranges: Iterable[Range]) -> str:
        """Return the text of ranges without their common indent."""
        numbers = [number for start, end in ranges for number in range(start, end)]
        indent = min((self._indents[number] for number in numbers), default=0)
        return "\n".join(lines[number][indent:] if self._indents[number] < _NONE else "" for number in numbers)
