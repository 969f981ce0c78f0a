"""Where turns may be cut (conversations design, c.1).

Spans come in order and leave out nothing but white space; none is over `PART_TOKENS`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from app.text.sentences import sentence_spans
from app.text.tokens import wide_characters

#: Approximate tokens that a part may have.
PART_TOKENS = 400
CHARS_PER_TOKEN = 4

Span: TypeAlias = tuple[int, int]
#: Cuts the stretch of a text from one offset to another into spans of at most `PART_TOKENS`, wherever there is no
#: better place.
CutRun: TypeAlias = Callable[[str, int, int], Iterable[Span]]
_Cut: TypeAlias = Callable[[str, int, int], Iterable[Span]]

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


def weight(text: str) -> int:
    """Return how much room a text takes, in quarters of a token: they add up exactly where tokens are rounded."""
    return len(text) if text.isascii() else len(text) + (CHARS_PER_TOKEN - 1) * wide_characters(text)


def fits(size: int) -> bool:
    """Whether something of this weight has room in a part."""
    return size <= PART_TOKENS * CHARS_PER_TOKEN


def said_spans(text: str, cut_run: CutRun) -> Iterator[Span]:
    """Cut what somebody said, where it is too long, at blank lines, then lines, then sentences."""
    return _cut(text, 0, len(text), (_paragraphs, _lines, _sentences, cut_run))


def output_spans(text: str, cut_run: CutRun) -> Iterator[Span]:
    """Cut an output, where it is too long, at lines."""
    return _cut(text, 0, len(text), (_lines, cut_run))


def _cut(text: str, start: int, end: int, cuts: Sequence[_Cut]) -> Iterator[Span]:
    if not cuts or fits(weight(text[start:end])):
        yield start, end
        return
    for first, last in cuts[0](text, start, end):
        yield from _cut(text, first, last, cuts[1:])


def _paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    breaks = [match.span() for match in _BLANK_LINES.finditer(text, start, end)]
    bounds = [(start, start), *breaks, (end, end)]
    return _filled(text, ((before[1], after[0]) for before, after in pairwise(bounds)))


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    return _filled(text, _line_spans(text, start, end))


def _line_spans(text: str, start: int, end: int) -> Iterator[Span]:
    while (newline := text.find("\n", start, end)) >= 0:
        yield start, newline
        start = newline + 1
    yield start, end


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    return _filled(text, ((start + first, start + last) for first, last in sentence_spans(text[start:end])))


def _filled(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Leave out blank spans and what is blank at the end of others; indentation stays."""
    for start, end in spans:
        kept = len(text[start:end].rstrip())
        if kept:
            yield start, start + kept
