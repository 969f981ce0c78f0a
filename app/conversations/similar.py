"""Which earlier parts are most similar to a part (conversations design, c.2 and f.2).

Similar is the cosine of raw counts of exact terms. Terms are counted once. Those of many parts are columns of a table,
which is multiplied with itself; all others go through lists of the parts that hold them. Both take a block of parts at
a time.

Counts are whole numbers, and what is compared is the squared cosine: a square of whole numbers divided by a product of
whole numbers, so that equal cosines are equal numbers and ties fall in document order.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from app.conversations.parts import TurnPart
from app.terms.exact import exact_terms

#: Above so many parts a term that more than this share of them holds ranks candidates and finds none.
MANY_PARTS = 2000
COMMON_SHARE = 10

#: Parts that are compared with all earlier ones at a time: bounds memory.
_BLOCK = 128
#: From this share of the parts on a column takes less time than a list; so many columns bound memory.
_COLUMN_SHARE = 40
_MOST_COLUMNS = 1000

Numbers: TypeAlias = npt.NDArray[np.intp]
Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


class Similar:
    """The terms of a conversation's judged parts, counted when they are first needed; positions are those of parts."""

    def __init__(self, parts: Sequence[TurnPart]) -> None:
        self._positions = [position for position, part in enumerate(parts) if part.judged]
        self._bodies = [parts[position].body for position in self._positions]
        self._places = {position: place for place, position in enumerate(self._positions)}

    def nearest(self, positions: Sequence[int], count: int) -> Mapping[int, tuple[int, ...]]:
        """Return for each of some judged parts the earlier ones that are most similar, the nearest first."""
        places = sorted(self._places[position] for position in set(positions))
        found = {}
        for start in range(0, len(places), _BLOCK):
            block = np.array(places[start : start + _BLOCK], dtype=np.intp)
            for place, near in zip(block.tolist(), self._counts.nearest(block, count), strict=True):
                found[self._positions[place]] = tuple(self._positions[each] for each in near)
        return found

    def squared_cosine(self, later: int, earlier: int) -> float:
        """Return how similar two judged parts are."""
        return self._counts.squared_cosine(self._places[later], self._places[earlier])

    @cached_property
    def _counts(self) -> "_Counts":
        return _Counts(self._bodies)


class _Counts:
    """Term counts of texts, by text and by term."""

    def __init__(self, bodies: Sequence[str]) -> None:
        counts = [Counter(exact_terms(body)) for body in bodies]
        numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        sizes = np.array([len(each) for each in counts], dtype=np.intp)
        entries = int(sizes.sum())
        #: Entries in the order of texts: whose, which term, how often.
        self._term: Numbers = _array(map(numbers.__getitem__, itertools.chain.from_iterable(counts)), entries)
        self._often: Floats = _array(itertools.chain.from_iterable(each.values() for each in counts), entries).astype(
            np.float64
        )
        text: Numbers = np.repeat(np.arange(len(counts)), sizes)
        self._ends: Numbers = np.concatenate([[0], np.cumsum(sizes)])
        self._squares: Floats = np.maximum(np.bincount(text, self._often**2, minlength=len(counts)), 1.0)
        holders = np.bincount(self._term, minlength=len(numbers))
        only_ranks = (holders * COMMON_SHARE > len(counts)) & (len(counts) > MANY_PARTS)
        columns = (holders * _COLUMN_SHARE > len(counts)) & ~only_ranks
        columns[np.argsort(-holders, kind="stable")[int(only_ranks.sum()) + _MOST_COLUMNS :]] = False
        self._ranking = self._table(text, only_ranks)
        self._finding = self._table(text, columns)
        self._index(text, only_ranks | columns)

    def nearest(self, block: Numbers, count: int) -> list[list[int]]:
        """Return for each text of an ascending block the earlier ones that are most similar, at most `count`."""
        width = int(block[-1])
        if width == 0:
            return [[] for _ in block]
        dots = self._through_lists(block, width)
        dots += self._finding[block] @ self._finding[:width].T
        found = (dots > 0) & (np.arange(width) < block[:, None])
        dots += self._ranking[block] @ self._ranking[:width].T
        closeness = np.where(found, dots**2 / self._squares[:width], 0.0)
        least = np.partition(closeness, max(width - count, 0), axis=1)[:, max(width - count, 0)]
        return [_best(row, bound, count) for row, bound in zip(closeness, least.tolist(), strict=True)]

    def squared_cosine(self, one: int, other: int) -> float:
        """Return how similar two texts are."""
        first, second = (slice(self._ends[each], self._ends[each + 1]) for each in (one, other))
        _, at_first, at_second = np.intersect1d(
            self._term[first], self._term[second], assume_unique=True, return_indices=True
        )
        dot = self._often[first][at_first] @ self._often[second][at_second]
        return float(dot**2 / (self._squares[one] * self._squares[other]))

    def _table(self, text: Numbers, columns: Flags) -> npt.NDArray[np.float32]:
        """Return a row per text and a column per term: single precision holds products of these counts exactly."""
        column = np.cumsum(columns) - 1
        own = columns[self._term]
        table = np.zeros((len(self._ends) - 1, int(columns.sum())), dtype=np.float32)
        table[text[own], column[self._term[own]]] = self._often[own]
        return table

    def _index(self, text: Numbers, columns: Flags) -> None:
        """List the holders of every other term, in order, one list after another."""
        own = np.flatnonzero(~columns[self._term])
        order = own[np.argsort(self._term[own], kind="stable")]
        self._list_text, self._list_often = text[order], self._often[order]
        term = self._term[order]
        sizes = np.bincount(term, minlength=len(columns))
        #: Where the list that an entry stands in begins.
        self._list_start: Numbers = (np.cumsum(sizes) - sizes)[term]
        #: The entries in lists, text by text, and where each text's end.
        self._by_text: Numbers = np.argsort(self._list_text, kind="stable")
        self._text_ends: Numbers = np.concatenate(
            [[0], np.cumsum(np.bincount(self._list_text, minlength=len(self._ends) - 1))]
        )

    def _through_lists(self, block: Numbers, width: int) -> Floats:
        """Return the dot products of a block's texts with all earlier ones over the terms in lists."""
        rows = [self._by_text[self._text_ends[each] : self._text_ends[each + 1]] for each in block.tolist()]
        entry = np.concatenate(rows)
        # What stands before an entry in its list are the earlier texts with that term.
        before = entry - self._list_start[entry]
        total = int(before.sum())
        offset = np.repeat(self._list_start[entry] - (np.cumsum(before) - before), before)
        place = offset + np.arange(total)
        row = np.repeat(np.repeat(np.arange(len(block)), [len(each) for each in rows]), before)
        product = self._list_often[place] * np.repeat(self._list_often[entry], before)
        cell = row * width + self._list_text[place]
        return np.bincount(cell, product, minlength=len(block) * width).astype(np.float64).reshape(len(block), width)


def _best(closeness: Floats, bound: float, count: int) -> list[int]:
    """Return the places of the largest numbers above 0, the first of equals first."""
    candidates = np.flatnonzero((closeness >= bound) & (closeness > 0))
    best: list[int] = candidates[np.argsort(-closeness[candidates], kind="stable")][:count].tolist()
    return best


def _array(values: Iterable[int], count: int) -> Numbers:
    return np.fromiter(values, dtype=np.intp, count=count)
