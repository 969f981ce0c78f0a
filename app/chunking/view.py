"""The text that strategy `budget` cuts: a document's source, or its blocks' texts, without what options take out.

Offsets that chunks report count in the source, whatever was taken out of it (chunking design, "Blocks").
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.documents.block import Block, BlockType

#: An embedded file; what stays of it is its content type (seed 004, `stripDataUri`).
_DATA_URI = re.compile(r"data:([a-zA-Z]+/[\w.+-]+)(?:;[\w.=+-]+)*,[^\s)\"'<>\]]*")
_BACKTICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class Removal:
    """A stretch of the source that is not shown, with what stands for it."""

    start: int
    end: int
    instead: str


class View:
    """A source without its removals, and the way from places in one to places in the other.

    Args:
        source: The text that offsets count in.
        removals: In order, without overlap.
    """

    def __init__(self, source: str, removals: Sequence[Removal] = ()) -> None:
        parts: list[str] = []
        self._starts = [removal.start for removal in removals]
        self._removals = removals
        #: Where each removal's replacement stands in the view.
        self._shown: list[int] = []
        at = length = 0
        for removal in removals:
            parts += (source[at : removal.start], removal.instead)
            length += removal.start - at
            self._shown.append(length)
            length += len(removal.instead)
            at = removal.end
        self.text = "".join([*parts, source[at:]]) if removals else source

    def of_source(self, at: int) -> int:
        """Return the place in the view of a place in the source; inside a removal: its replacement's place."""
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at
        removal, shown = self._removals[index], self._shown[index]
        return shown if at < removal.end else shown + len(removal.instead) + at - removal.end

    def span_in_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the source that a stretch of the view shows; removals at its edges are left out."""
        return self._to_source(bisect_right(self._shown, start), start), self._to_source(
            bisect_left(self._shown, end), end
        )

    def _to_source(self, removed: int, at: int) -> int:
        """Return the place in the source of a place in the view that has so many removals in front of it."""
        if removed == 0:
            return at
        removal = self._removals[removed - 1]
        after = at - self._shown[removed - 1] - len(removal.instead)
        return removal.end + after if after >= 0 else removal.start

    def is_literal(self, start: int, end: int) -> bool:
        """True when a stretch of the view stands in the source as it is."""
        index = bisect_right(self._shown, start) - 1
        if index >= 0 and start < self._shown[index] + len(self._removals[index].instead):
            return False
        return index + 1 == len(self._shown) or self._shown[index + 1] >= end


def removals(source: str, blocks: Sequence[Block], *, data_uris: bool, comments: bool) -> list[Removal]:
    """Return what options take out of a Markdown source: embedded files, and comments outside code.

    Args:
        source: What the blocks' offsets count in.
        blocks: With offsets, in the order of the source.
        data_uris: Take the bytes of `data:` addresses out, and leave their content type.
        comments: Take HTML comments out.
    """
    found: list[Removal] = []
    if comments and "<!--" in source:
        found += (Removal(start, end, "") for start, end in _comments(source, blocks))
    if data_uris and "data:" in source:
        code = [_span(block) for block in blocks if block.type is BlockType.CODE]
        found += (
            Removal(match.start(), match.end(), match[1])
            for match in _DATA_URI.finditer(source)
            if not _within(match.start(), code)
        )
    return list(_apart(sorted(found, key=lambda removal: removal.start)))


def _comments(source: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Yield the comments between blocks, and those inside blocks that are neither code nor in a code span."""
    edges = [0, *(edge for block in blocks for edge in _span(block)), len(source)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield from _comments_between(source, start, end, ())
    for block in blocks:
        start, end = _span(block)
        if block.type is not BlockType.CODE and source.find("<!--", start, end) >= 0:
            yield from _comments_between(source, start, end, _code_spans(source, start, end))


def _comments_between(source: str, start: int, end: int, code: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    while (opening := source.find("<!--", start, end)) >= 0:
        closing = source.find("-->", opening + 4, end)
        if closing < 0:
            return
        if _within(opening, code):
            start = opening + 4
        else:
            yield opening, closing + 3
            start = closing + 3


def _code_spans(source: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the code spans of a block: from a run of backticks to the next run of the same length."""
    runs = [match.span() for match in _BACKTICKS.finditer(source, start, end)]
    following: dict[int, int] = {}
    closes = [-1] * len(runs)
    for index in reversed(range(len(runs))):
        length = runs[index][1] - runs[index][0]
        closes[index] = following.get(length, -1)
        following[length] = index
    spans = []
    index = 0
    while index < len(runs):
        if closes[index] >= 0:
            spans.append((runs[index][0], runs[closes[index]][1]))
            index = closes[index]
        index += 1
    return spans


def _within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """True when a place lies in one of some spans in order."""
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]


def _apart(found: Iterable[Removal]) -> Iterator[Removal]:
    end = 0
    for removal in found:
        if removal.start >= end:
            yield removal
            end = removal.end


def _span(block: Block) -> tuple[int, int]:
    return block.start or 0, block.end or 0
