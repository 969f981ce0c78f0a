"""Cutting a unit's text into pieces: groups of sentences (retrieval design, "Two grains")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.terms.folded import folded_terms
from app.text.sentences import sentence_spans

#: Characters of a piece; a longer sentence is a piece of its own.
PIECE_CHARS = 300
#: Units whose pieces are remembered: those that many questions find are cut and folded once.
_REMEMBERED_UNITS = 1_000

_LINE = re.compile(r"\n")
#: A line break, or a mark behind a word of three letters, a year, a bracket or a space, with a space behind it.
_LAX = re.compile(r"\n|(?:(?<=[^\W\d_]{3})|(?<=\d{4})|(?<=[\s)\]]))[.!?]+[\"')\]]*\s+")


@dataclass(frozen=True, slots=True)
class PieceText:
    """A group of sentences of a unit, by offsets into the unit's text, with its folded terms."""

    start: int
    end: int
    terms: tuple[str, ...]


@lru_cache(maxsize=_REMEMBERED_UNITS)
def pieces_of(text: str, start: int, size: int, folding: str) -> tuple[PieceText, ...]:
    """Cut `text` from `start` into pieces.

    Args:
        text: A unit's text.
        start: Where to begin, such as behind the heading path.
        size: Characters that a piece has at most, unless a single sentence has more; 1 cuts at every sentence.
        folding: Language that the terms are folded in.
    """
    return tuple(
        PieceText(begin, end, tuple(folded_terms(text[begin:end], folding)))
        for begin, end in _groups(text, start, size)
    )


def _groups(text: str, start: int, size: int) -> Iterator[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    for begin, end in _sentences(text, start):
        if groups and end - groups[-1][0] <= size:
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((begin, end))
    yield from ((begin, end) for begin, end in groups if not text[begin:end].isspace())


def _sentences(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Sentences from `start`, and the lines of what has none: readers keep line breaks in lists, tables and code only.

    What is longer than a piece is also cut where a sentence ends for sure only to a reader: before a small letter
    (`the loan is due. the rate is`), and at a mark that stands apart.
    """
    for begin, end in sentence_spans(text[start:]):
        at, last = start + begin, start + end
        breaks = _LAX if last - at > PIECE_CHARS else _LINE
        for match in breaks.finditer(text, at, last):
            yield at, match.end()
            at = match.end()
        if at < last:
            yield at, last
