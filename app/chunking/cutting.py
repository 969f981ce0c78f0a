"""Where a text may be cut: between list items, lines, sentences and words, and between characters as a last resort.

Both strategies cut with these (chunking design). Every function takes a stretch of a text and returns spans in it, in
order and without overlap, that leave out nothing but white space.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex

from app.chunking.measure import Measure, longest_prefix
from app.documents.block import Block, BlockType
from app.text.sentences import sentence_spans

Span = tuple[int, int]

_ITEM = re.compile(r"^([ \t]*)(?:[-*+•]|\d{1,9}[.)])(?=[ \t]|$)", re.MULTILINE)
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_DELIMITER_ROW = re.compile(r"[-+:|=> \t]*-[-+:|=> \t]*\Z")
_CLUSTER = regex.compile(r"\X")
#: Characters looked back over for one that surely begins a cluster.
_LOOK_BACK = 64


def sentences(text: str, start: int, end: int) -> list[Span]:
    """Cut between sentences."""
    spans = (_trimmed(text, start + first, start + last) for first, last in sentence_spans(text[start:end]))
    return [span for span in spans if span[0] < span[1]]


def lines(text: str, start: int, end: int) -> list[Span]:
    """Cut between lines. Empty lines are spans too; indentation stays."""
    spans = []
    while True:
        newline = text.find("\n", start, end)
        spans.append((start, end if newline < 0 else newline))
        if newline < 0:
            return spans
        start = newline + 1


def items(text: str, start: int, end: int) -> list[Span]:
    """Cut a list between its outermost items, or one item between its text and the outermost items inside it.

    One span comes back when there is nothing to cut between.
    """
    marks = [(len(match[1].expandtabs()), match.start()) for match in _ITEM.finditer(text, start, end)]
    if marks and not text[start : marks[0][1]].strip():
        first = marks[0][0]
        siblings = [at for indent, at in marks if indent <= first]
        if len(siblings) == 1:
            inner = min((indent for indent, _ in marks[1:]), default=0)
            siblings += [at for indent, at in marks[1:] if indent <= inner]
    else:
        siblings = [start, *(at for _, at in marks)]
    spans = (_trimmed_end(text, *span) for span in pairwise([*siblings, end]))
    return [span for span in spans if text[span[0] : span[1]].strip()]


def words(text: str, start: int, end: int, limit: int, measure: Measure) -> Iterator[Span]:
    """Cut a long run of text into stretches of at most `limit`: at a space in the second half of each, else between
    characters, and inside a grapheme cluster only when one alone is over the limit (ruling 7).
    """  # noqa: D205 - one sentence
    while start < end:
        stop = longest_prefix(text, start, end, limit, measure)
        if stop < end:
            space = text.rfind(" ", start + (stop - start) // 2, stop + 1)
            stop = space if space > start else _cluster_boundary(text, start, stop)
        first, last = _trimmed_end(text, start, stop)
        if first < last:
            yield first, last
        # The space at a cut goes; a line's own indentation stays.
        start = stop + 1 if text[stop : stop + 1] == " " else stop


@dataclass(frozen=True, slots=True)
class Frame:
    """What every part of a table or code block over the budget repeats: head and foot, and the lines between them."""

    opening: str
    closing: str
    #: Span of the lines to share out.
    start: int
    end: int


def frame(block: Block, text: str, start: int, end: int, *, literal: bool) -> Frame:
    """Return the frame of a table or code block as it stands in `text[start:end]`; an empty one when it has none.

    Args:
        block: What it is.
        text: A document's source, or texts of blocks.
        start: Where the block begins in it.
        end: Where it ends.
        literal: True for a source: a Markdown table has its delimiter row there.
    """
    first = _line_end(text, start, end)
    if block.type is BlockType.CODE:
        return _fence_frame(text, start, first, end)
    return _table_frame(block, text, start, first, end, literal=literal)


def _fence_frame(text: str, start: int, first: int, end: int) -> Frame:
    fence = _FENCE.match(text, start, first)
    if fence is None:
        return Frame("", "", start, end)
    last = text.rfind("\n", first, end) + 1
    foot = text[last:end].strip(" \t>")
    closes = last > first and foot.startswith(fence[1]) and not foot.strip(fence[1][0])
    closing = text[last:end] if closes else text[start : fence.start(1)] + fence[1]
    return Frame(text[start:first], closing, min(first + 1, end), max(first, last - 1) if closes else end)


def _table_frame(block: Block, text: str, start: int, first: int, end: int, *, literal: bool) -> Frame:
    """A table in a source opens with its header and the row under it; one as a block's text with caption and header."""
    if literal and first < end:
        second = _line_end(text, first + 1, end)
        if _DELIMITER_ROW.match(text, first + 1, second):
            return Frame(text[start:second], "", min(second + 1, end), end)
    if literal and text.startswith("<", start):
        return Frame("", "", start, end)
    head = start
    for part in ("caption", "header"):
        if block.meta.get(part) and head < end:
            head = min(_line_end(text, head, end) + 1, end)
    return Frame(text[start:head].rstrip("\n"), "", head, end)


def _line_end(text: str, start: int, end: int) -> int:
    newline = text.find("\n", start, end)
    return end if newline < 0 else newline


def _cluster_boundary(text: str, start: int, stop: int) -> int:
    """Return the last place up to `stop` that is between two grapheme clusters; `stop` when there is none."""
    if text[max(start, stop - 1) : stop + 1].isascii():
        return stop
    begin = max(start, stop - _LOOK_BACK)
    while begin > start and not (text[begin].isascii() and text[begin].isalnum()):
        begin -= 1
    boundary = start
    for cluster in _CLUSTER.finditer(text, begin):
        if cluster.start() > stop:
            break
        boundary = cluster.start()
    return boundary if boundary > start else stop


def _trimmed(text: str, start: int, end: int) -> Span:
    stretch = text[start:end]
    return end - len(stretch.lstrip()), start + len(stretch.rstrip())


def _trimmed_end(text: str, start: int, end: int) -> Span:
    return start, start + len(text[start:end].rstrip())
