"""Where the numbered parts of a document stand: the numbers that open its headings and passages (retrieval design).

A number counts within the headings around it: `Step 1` of another procedure is another step. So each is noted under
every heading above it, and a reference takes the nearest one that has it. The work is bounded by the text and the depth
of its headings.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

import regex

from app.documents.chunk import Chunk
from app.linking.reference_words import NUMBER, PROVISIONS, SUBNUMBERS, WORD, WORDS, Part, word_of
from app.linking.references import Reference

#: Passages of one numbered part that a reference leads to.
MAX_TARGETS = 8
#: Headings of a path that are looked at.
_DEEPEST = 12
#: A numbered line is known by its start.
_LINE_CHARS = 120
_REMEMBERED = 1 << 12

_MARKS = r"[\s>#*_+•\u2013-]{0,12}"
_NUMBERED = rf"{_MARKS}(?:(?P<word>{WORD})(?:[*_]{{2}})?)?(?P<number>{NUMBER})(?P<sub>{SUBNUMBERS})(?!\w)"
#: A heading needs no more than a number, unless that could be a word: `I, Robot`, `A guide`, `1984`.
_HEADING = regex.compile(rf"{_NUMBERED}(?=[.)]?[*_]{{0,2}}(?:[\s:—\u2013-]|$))")
_LINE = regex.compile(_NUMBERED)
_MARKED = regex.compile(r"[*_]{0,2}(?:[.):]|\s?[—\u2013]|\s-\s)")
#: A line of running text may begin with a number or a reference; one that opens it is set off.
_SET_OFF = regex.compile(r"[*_]{0,2}(?:[.):][*_]{0,2}(?:[\s—\u2013-]|$)|\s{1,3}[—\u2013-]\s|\s*$)")
#: `EXHIBIT A SERVICES`: capitals that nothing sets off but themselves.
_TITLE_WORD = "|".join(word.upper() for word in WORDS if word.isalpha() and len(word) > 3)  # noqa: PLR2004 - longer than an abbreviation
#: Texts that lost their line breaks number their parts between sentences: `… is due.   4.2 Late fees. If …`, and the
#: first one right behind the title above it: `4. Fees 4.1 Due dates. …`.
_INLINE = (
    regex.compile(
        r"(?:[.;:!?)\"\u201d]\s{1,4}|\s{2,8})(?:"
        rf"(?P<word>(?:{_TITLE_WORD})\s)(?P<number>{NUMBER})(?P<sub>)(?=[\s.:\u2013—-])|"
        r"(?P<number>\d{1,2}(?:(?:\.\d{1,3}){1,4}\.?|\.))(?P<sub>)\s{1,4}(?=[\"“(]?\p{Lu}))"
    ),
    regex.compile(
        r"(?<![\d.])(?P<above>\d{1,2})\.\s{1,4}(?P<word>(?!))?\p{Lu}[^.\n]{1,60}\s(?P<number>(?P=above)\.1\b)(?P<sub>)"
        r"\.?\s{1,4}(?=[\"“(]?\p{Lu})"
    ),
)
_BEFORE_CAPITAL = regex.compile(r"[*_]{0,2}\s{1,4}[\"'“„«(]?\p{Lu}")

#: What a number counts (None for a bare number, True for a provision of any name), and the number.
_Name: TypeAlias = tuple[Part | bool | None, str]
_Path: TypeAlias = tuple[str, ...]


@dataclass(slots=True)
class _Found:
    """The first passages of a numbered part, as few headings down as it occurs."""

    depth: int
    positions: list[int] = field(default_factory=list)


class _Places:
    """Passages by the headings above them and a name."""

    def __init__(self) -> None:
        self._found: dict[tuple[_Path, _Name], _Found] = {}

    def add(self, above: _Path, name: _Name, position: int) -> None:
        """Note under each of the headings above that a passage belongs to a numbered part."""
        depth = len(above)
        for length in range(depth + 1):
            found = self._found.setdefault((above[:length], name), _Found(depth))
            if depth < found.depth:
                found.depth, found.positions = depth, []
            if depth == found.depth and len(found.positions) < MAX_TARGETS and position not in found.positions:
                found.positions.append(position)

    def nearest(self, path: _Path, names: Iterable[_Name]) -> Sequence[int]:
        """Return the passages of the first name that occurs, under the nearest of the headings of a path."""
        for name in names:
            for length in range(min(len(path), _DEEPEST), -1, -1):
                found = self._found.get((path[:length], name))
                if found is not None:
                    return found.positions
        return ()


class NumberedParts:
    """The numbered parts of one document."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._headings = _Places()
        self._lines = _Places()
        self._sentences = _Places()
        for position, chunk in enumerate(chunks):
            path = chunk.path[:_DEEPEST]
            for depth, title in enumerate(path):
                for name in _names_of_heading(title):
                    self._headings.add(path[:depth], name, position)
            for line in chunk.content.splitlines():
                for name in _names_of_line(line[:_LINE_CHARS]):
                    self._lines.add(path, name, position)
            for match in itertools.chain.from_iterable(pattern.finditer(chunk.content) for pattern in _INLINE):
                for name in _named(match):
                    self._sentences.add(path, name, position)

    def of(self, reference: Reference, path: _Path) -> Sequence[int]:
        """Return the positions of the passages that a reference in a passage with that path leads to.

        Headings are preferred to lines, lines to what stands between sentences, and a part of the very name to one that
        is only numbered so. The steps of a procedure are lines more often than headings.
        """
        for number in reference.numbers:
            own, others = _names(reference.part, number)
            every = (*own, *others)
            ways = [(self._headings, every), (self._lines, every), (self._sentences, every)]
            if reference.part is Part.STEP:
                ways = [(self._headings, own), (self._lines, every), (self._headings, others)]
            for places, names in ways:
                if positions := places.nearest(path, names):
                    return positions
        return ()


def _names(part: Part, number: str) -> tuple[tuple[_Name, ...], tuple[_Name, ...]]:
    """Return what a part may be called: by its own name, and otherwise."""
    own: tuple[_Name, ...] = ((part, number),)
    if part in PROVISIONS:
        return own, ((None, number), (True, number))
    if part is Part.SCHEDULE and number[0].isdigit():
        # The bare number 2 is the second clause, not the second schedule.
        return own, ()
    return own, ((None, number),)


@lru_cache(maxsize=_REMEMBERED)
def _names_of_heading(title: str) -> tuple[_Name, ...]:
    match = _HEADING.match(title)
    if match is None:
        return ()
    number = match["number"]
    looks_like_a_word = number.isalpha() or (number.isdigit() and len(number) > 3)  # noqa: PLR2004 - 1984
    alone = match.end("sub") == len(title)
    if match["word"] is None and looks_like_a_word and not alone and _MARKED.match(title, match.end("sub")) is None:
        return ()
    return _named(match)


def _names_of_line(line: str) -> tuple[_Name, ...]:
    match = _LINE.match(line)
    if match is None:
        return ()
    number, end = match["number"], match.end("sub")
    set_off = _SET_OFF.match(line, end) is not None
    if match["word"] is not None:
        set_off = set_off or match["word"].isupper()
    else:
        if number.isalpha() and line[end : end + 1].isspace():
            return ()
        if number.isdigit() and end == len(line.rstrip()):
            return ()
        set_off = set_off or (number[0].isdigit() and _BEFORE_CAPITAL.match(line, end) is not None)
    return _named(match) if set_off else ()


def _named(match: regex.Match[str]) -> tuple[_Name, ...]:
    number = match["number"].rstrip(".").lower() + match["sub"].lower()
    if match["word"] is None:
        return ((None, number),)
    part = word_of(match["word"]).part
    return ((part, number), (True, number)) if part in PROVISIONS else ((part, number),)
