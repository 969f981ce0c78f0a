"""BM25 over packed postings, exactly (documents design, "Search").

Every score is the sum of its postings' weights in the byte order of the terms, in double precision: a plain loop over
all units gives the same number to the last bit, and so the same ties.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.terms.postings import Records, unpack

K1 = 1.2
B = 0.75

#: Documents are numbered by their key's distance from the lowest one while that takes at most this many numbers, or
#: four for each posting; sorting is for collections whose keys are further apart.
_SMALL_SPAN = 1 << 16
#: Records worked on at a time: what they need stays in the processor's cache, and memory in bounds.
_CHUNK = 1 << 15


@dataclass(frozen=True, slots=True)
class TermPostings:
    """What the index holds of one term: in how many units of the collection it occurs, and packed records."""

    df: int
    #: (code, joined data of rows with that code).
    rows: Sequence[tuple[int, bytes]]


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score."""

    document_key: int
    ordinal: int
    score: float


def idf(units: int, df: int) -> float:
    """Return how much a term says that occurs in `df` of `units` units; above 0."""
    return math.log(1 + (units - df + 0.5) / (df + 0.5))


def best(
    terms: Sequence[TermPostings],
    *,
    units: int,
    average_length: float,
    limit: int,
    document_keys: Collection[int] | None = None,
) -> list[Scored]:
    """Return the best units, best first; ties by document key, then by unit.

    Args:
        terms: the question's terms, in byte order.
        units: units of the whole collection.
        average_length: of the whole collection's units, in terms.
        limit: how many units to return at most.
        document_keys: only units of these documents are returned; None is all.
    """
    parts = [
        (chunk, idf(units, term.df))
        for term in terms
        for code, data in term.rows
        for chunk in _chunks(_of_documents(unpack(code, data), document_keys))
    ]
    if not parts:
        return []
    places = _Places([records for records, _ in parts])
    sums = np.zeros(places.count)
    for records, weight in parts:
        counts = records["count"].astype(np.float64)
        norms = K1 * (1 - B + B * records["length"].astype(np.float64) / max(average_length, 1))
        # A term has one posting in a unit, so that no place occurs twice.
        sums[places.of(records)] += weight * counts * (K1 + 1) / (counts + norms)
    return [Scored(*places.unit(place), float(sums[place])) for place in _highest(sums, limit)]


class _Places:
    """Gives every unit that occurs in some records a place of its own, in the order of document key and ordinal."""

    def __init__(self, parts: Sequence[Records]) -> None:
        self._lowest = min(int(part["document"].min()) for part in parts)
        span = max(int(part["document"].max()) for part in parts) - self._lowest + 1
        #: The keys of the documents by their number; None when a number is the distance from the lowest key.
        self._keys: NDArray[np.int64] | None = None
        if span > max(_SMALL_SPAN, 4 * sum(map(len, parts))):
            self._keys = np.unique(np.concatenate([np.unique(part["document"]) for part in parts]).astype(np.int64))
        # A document takes as many places as its highest ordinal asks for.
        sizes = np.zeros(span if self._keys is None else len(self._keys), dtype=np.int64)
        for part in parts:
            np.maximum.at(sizes, self._numbers(part), part["ordinal"].astype(np.int64) + 1)
        self._ends = np.cumsum(sizes)
        self._starts = self._ends - sizes
        self.count = int(self._ends[-1])

    def of(self, records: Records) -> NDArray[np.int64]:
        """Return the places of the records' units."""
        return self._starts[self._numbers(records)] + records["ordinal"].astype(np.int64)

    def unit(self, place: int) -> tuple[int, int]:
        """Return the document key and the ordinal of the unit at a place."""
        number = int(np.searchsorted(self._ends, place, side="right"))
        key = number + self._lowest if self._keys is None else int(self._keys[number])
        return key, place - int(self._starts[number])

    def _numbers(self, records: Records) -> NDArray[np.int64]:
        documents: NDArray[np.int64] = records["document"].astype(np.int64)
        return documents - self._lowest if self._keys is None else np.searchsorted(self._keys, documents)


def _of_documents(records: Records, document_keys: Collection[int] | None) -> Records:
    if document_keys is None:
        return records
    return records[np.isin(records["document"], np.fromiter(document_keys, dtype=np.uint64))]


def _chunks(records: Records) -> Iterator[Records]:
    for start in range(0, len(records), _CHUNK):
        yield records[start : start + _CHUNK]


def _highest(sums: NDArray[np.float64], limit: int) -> list[int]:
    """Return the places with the highest sums above 0, highest first; ties by place."""
    found = np.flatnonzero(sums)
    if len(found) > limit:
        # Everything that ties with the last one stays, so that the order below decides.
        last = np.partition(sums[found], len(found) - limit)[len(found) - limit]
        found = found[sums[found] >= last]
    places: list[int] = found[np.lexsort((found, -sums[found]))][:limit].tolist()
    return places
