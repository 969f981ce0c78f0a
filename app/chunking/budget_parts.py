"""What strategy `budget` packs: whole elements, and the parts of those that are over the budget.

Lists are cut between items, paragraphs between sentences, sentences between words, words between grapheme clusters;
tables and code between lines, each part in the frame of its block (chunking design, strategy `budget`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.chunking import cutting
from app.chunking.cutting import Span
from app.chunking.elements import Element
from app.chunking.measure import Measure
from app.chunking.pieces import shortened
from app.documents.block import BlockType

#: Deepest nesting of list items that is followed; below it a list is cut between lines.
_DEEPEST_ITEM = 12
#: Lines of this many characters on average are not broken for the width of a page: each is a paragraph.
_LONG_LINE = 120

BY_LINES = frozenset({BlockType.CODE, BlockType.TABLE})


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the view on its way into a chunk, with what it repeats of its block."""

    element: Element
    start: int
    end: int
    #: Of the stretch with what it repeats.
    size: int
    opening: str = ""
    closing: str = ""

    @property
    def is_prose(self) -> bool:
        """True when the next chunk may repeat its end: code and tables make no sense from the middle."""
        element = self.element
        return element.index is not None and not element.is_heading and element.block.type not in BY_LINES

    def rendered(self, view: str) -> str:
        """Return the part as a chunk holds it."""
        return framed(self.opening, view[self.start : self.end], self.closing)


def framed(opening: str, lines: str, closing: str) -> str:
    """Put lines between what a part repeats."""
    return "\n".join(part for part in (opening, lines, closing) if part)


def whole(element: Element, view: str, measure: Measure) -> Part:
    """Return an element as one part."""
    return Part(element, element.start, element.end, measure.size(view[element.start : element.end]))


def prose_parts(element: Element, view: str, limit: int, measure: Measure) -> Iterator[Part]:
    """Cut an element into parts of at most `limit`: the larger the parts, the better they read."""
    if element.block.type is BlockType.LIST:
        yield from _item_parts(element, (element.start, element.end), view, limit, measure, depth=0)
    else:
        yield from _line_or_sentence_parts(element, _paragraphs(element, view), view, limit, measure)


def _paragraphs(element: Element, view: str) -> list[Span]:
    """Return the lines of a text that is written with a line for each paragraph, else the text as one."""
    breaks = view.count("\n", element.start, element.end)
    if breaks and element.end - element.start >= _LONG_LINE * (breaks + 1):
        return cutting.lines(view, element.start, element.end)
    return [(element.start, element.end)]


def _item_parts(element: Element, span: Span, view: str, limit: int, measure: Measure, *, depth: int) -> Iterator[Part]:
    found = cutting.items(view, *span)
    if len(found) < 2 or depth == _DEEPEST_ITEM:  # noqa: PLR2004 - nothing to cut between
        yield from _line_or_sentence_parts(element, cutting.lines(view, *span), view, limit, measure)
        return
    for start, end in found:
        size = measure.size(view[start:end])
        if size <= limit:
            yield Part(element, start, end, size)
        else:
            yield from _item_parts(element, (start, end), view, limit, measure, depth=depth + 1)


def _line_or_sentence_parts(
    element: Element, spans: Sequence[Span], view: str, limit: int, measure: Measure
) -> Iterator[Part]:
    for start, end in spans:
        size = measure.size(view[start:end])
        if size <= limit:
            yield Part(element, start, end, size)
            continue
        for first, last in cutting.sentences(view, start, end):
            size = measure.size(view[first:last])
            if size <= limit:
                yield Part(element, first, last, size)
            else:
                yield from word_parts(element, first, last, view, limit, measure)


def word_parts(element: Element, start: int, end: int, view: str, limit: int, measure: Measure) -> Iterator[Part]:
    """Cut a stretch of an element between words, or between grapheme clusters."""
    for first, last in cutting.words(view, start, end, limit, measure):
        yield Part(element, first, last, measure.size(view[first:last]))


def line_parts(
    element: Element, view: str, first_limit: int, limit: int, measure: Measure, *, literal: bool
) -> Iterator[Part]:
    """Cut a table or code block between lines; every part but the first opens with the block's head, as a reader needs.

    Args:
        element: The block.
        view: What its span counts in.
        first_limit: Room of the first part, which may share its chunk.
        limit: Room of the others.
        measure: Counts.
        literal: True when the view is a source.
    """
    found = cutting.frame(element.block, view, element.start, element.end, literal=literal)
    opening = shortened(found.opening, measure, limit // 2)
    # A head that had to be shortened is cut like any other line where it stands.
    begin = found.start if opening == found.opening else element.start
    foot = measure.size(f"\n{found.closing}") if found.closing else 0
    head = measure.size(f"{opening}\n") if opening else 0
    start, end, shown = element.start, begin, ""
    room, size = first_limit - foot, measure.size(view[start:begin])
    for first, last in _bounded_lines(view, begin, found.end, max(1, limit - head - foot - 1), measure):
        line = measure.size(view[first:last] + "\n")
        if size + line > room:
            if end > begin:
                yield _line_part(element, (start, end), shown, found.closing, view, measure)
                start, shown, size, begin = first, opening, head, first
            # A first line without room beside others takes a chunk of its own.
            room = limit - foot
        size += line
        end = last
    closing = found.closing if shown and found.end == element.end else ""
    yield _line_part(element, (start, element.end), shown, closing, view, measure)


def _line_part(element: Element, span: Span, opening: str, closing: str, view: str, measure: Measure) -> Part:
    size = measure.size(framed(opening, view[span[0] : span[1]], closing))
    return Part(element, *span, size, opening, closing)


def _bounded_lines(view: str, start: int, end: int, limit: int, measure: Measure) -> Iterator[Span]:
    for first, last in cutting.lines(view, start, end):
        if measure.size(view[first:last]) <= limit:
            yield first, last
        else:
            yield from cutting.words(view, first, last, limit, measure)
