"""Plain text to passages: runs of lines between blank lines, without what pages add (readers design, section 9)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from app.text.whitespace import squash

_DIGITS = re.compile(r"\d+")
#: Lines at each edge of a page that may be its header or footer.
_EDGE_LINES = 2
#: On so many pages a line is furniture.
_REPEATED = 3
#: A line up to this length may be a title.
TITLE_CHARS = 60


class Line(NamedTuple):
    """A line of the source."""

    #: Without white space at its edges.
    text: str
    #: As written, without white space at its end.
    raw: str
    #: Offsets of `text` in the source.
    start: int
    end: int
    #: Columns of white space in front.
    indent: int

    @property
    def margin(self) -> int:
        """Offset of `raw` in the source."""
        return self.end - len(self.raw)


Passage: TypeAlias = Sequence[Line]


def passages(source: str) -> list[Passage]:
    """Return the passages of a text. A form feed counts as a line break."""
    lines = list(_lines(source))
    if "\f" in source:
        lines = _without_pages(source, lines)
    return list(_runs(lines))


def text_of(passage: Passage) -> str:
    """Return a passage's lines joined by spaces."""
    return " ".join(line.text for line in passage)


def _lines(source: str) -> Iterator[Line]:
    at = 0
    for written in source.replace("\f", "\n").split("\n"):
        raw = written.rstrip()
        text = raw.lstrip()
        before = len(raw) - len(text)
        end = at + len(raw)
        yield Line(text, raw, at + before, end, len(raw[:before].expandtabs()) if before else 0)
        at += len(written) + 1


def _runs(lines: Sequence[Line]) -> Iterator[Passage]:
    run: list[Line] = []
    for line in lines:
        if line.text:
            run.append(line)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _without_pages(source: str, lines: Sequence[Line]) -> list[Line]:
    """Drop headers and footers that pages repeat, and join the paragraphs that page breaks cut."""
    pages = _pages(source, lines)
    edges = [(*_first_written(page), *_first_written(page[::-1])) for page in pages]
    repeated = Counter(key for edge in edges for key in {_key(line) for line in edge})
    kept: list[Line] = []
    for page, edge in zip(pages, edges, strict=True):
        furniture = {line.start for line in edge if repeated[_key(line)] >= _REPEATED}
        body = [line for line in page if line.start not in furniture or not line.text]
        _turn_page(kept, body)
        kept += body
    # Pages that hold nothing else repeat their text, not a header.
    return kept if any(line.text for line in kept) else list(lines)


def _pages(source: str, lines: Sequence[Line]) -> list[list[Line]]:
    """Split lines at form feeds: a line belongs to the page that it starts on."""
    pages: list[list[Line]] = [[]]
    page_break = source.find("\f")
    for line in lines:
        while 0 <= page_break < line.margin:
            pages.append([])
            page_break = source.find("\f", page_break + 1)
        pages[-1].append(line)
    return pages


def _first_written(lines: Sequence[Line]) -> list[Line]:
    return list(islice((line for line in lines if line.text), _EDGE_LINES))


def _key(line: Line) -> str:
    return squash(_DIGITS.sub("#", line.text))


def _turn_page(before: list[Line], after: list[Line]) -> None:
    """Take the blank lines between two pages away where a sentence runs across them, else see that there is one."""
    while before and not before[-1].text:
        before.pop()
    first = next((index for index, line in enumerate(after) if line.text), len(after))
    del after[:first]
    if before and after and not _runs_on(before[-1].text, after[0].text):
        end = before[-1].end
        before.append(Line("", "", end, end, 0))


def _runs_on(end: str, start: str) -> bool:
    return end[-1] in ",-\u2013\u2014" or (end[-1].isalnum() and start[0].islower())
