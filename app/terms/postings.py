"""Postings of many units, packed per term for the index (documents design, "Storing postings in Postgres").

A posting says: this unit holds this term so often, and has so many terms in all. Records carry the document's key, so
that documents may share a row.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.terms.stored import stored_exact, stored_folded
from app.terms.unit_terms import UnitTerms

#: Records of postings by the code that is stored beside them: narrow, and wide for what does not fit.
CODES = (
    np.dtype([("document", "<u4"), ("ordinal", "<u2"), ("count", "u1"), ("length", "<u2")]),
    np.dtype([("document", "<u8"), ("ordinal", "<u4"), ("count", "<u4"), ("length", "<u4")]),
)
_FIELDS = ("document", "ordinal", "count", "length")
_NARROW_LIMITS = {name: int(np.iinfo(CODES[0][name]).max) for name in _FIELDS}

Records: TypeAlias = NDArray[Any]


class PostingRow(NamedTuple):
    """The postings of one term in one segment."""

    term: str
    code: int
    #: Units that hold the term.
    df: int
    data: bytes


def pack(units: Sequence[UnitTerms], folding: str, document_key: int, *, first: int = 0) -> list[PostingRow]:
    """Pack the terms of units that follow each other in a document, in both spaces; the first is at this position."""
    exact = _records([unit.exact for unit in units], [unit.exact_length for unit in units], document_key, first)
    folded = _records([unit.folded for unit in units], [unit.folded_length for unit in units], document_key, first)
    return [*_rows(*exact, stored_exact), *_rows(*folded, partial(stored_folded, folding=folding))]


def unpack(code: int, data: bytes) -> Records:
    """Return the records of a row, or of several rows of one code one after another."""
    return np.frombuffer(data, dtype=CODES[code])


def _records(
    counts: Sequence[Mapping[str, int]], lengths: Sequence[int], document_key: int, first: int
) -> tuple[list[str], NDArray[np.int64], Records]:
    """Number the terms; returns them, the number of each record's term, and the records."""
    sizes = [len(unit) for unit in counts]
    records = np.empty(sum(sizes), dtype=CODES[1])
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    terms = _array(map(numbers.__getitem__, chain.from_iterable(counts)), len(records))
    records["document"] = document_key
    records["ordinal"] = np.repeat(np.arange(first, first + len(sizes)), sizes)
    records["count"] = _array(chain.from_iterable(unit.values() for unit in counts), len(records))
    records["length"] = np.repeat(np.asarray(lengths, dtype=np.int64), sizes)
    return list(numbers), terms, records


def _array(values: Iterable[int], count: int) -> NDArray[np.int64]:
    return np.fromiter(values, dtype=np.int64, count=count)


def _rows(
    names: Sequence[str], terms: NDArray[np.int64], records: Records, stored: Callable[[str], str]
) -> Iterator[PostingRow]:
    """Cut records into one row per term, in its narrowest code."""
    if not names:
        return
    records = records[np.argsort(terms, kind="stable")]
    sizes = np.bincount(terms, minlength=len(names))
    ends = np.cumsum(sizes)
    fits = np.logical_and.reduce([records[name] <= _NARROW_LIMITS[name] for name in _FIELDS])
    narrow_rows = np.logical_and.reduceat(fits, ends - sizes)
    narrow, wide = records.astype(CODES[0]).tobytes(), records.tobytes()
    narrow_size, wide_size = CODES[0].itemsize, CODES[1].itemsize
    for name, end, df, is_narrow in zip(names, ends.tolist(), sizes.tolist(), narrow_rows.tolist(), strict=True):
        if is_narrow:
            yield PostingRow(stored(name), 0, df, narrow[(end - df) * narrow_size : end * narrow_size])
        else:
            yield PostingRow(stored(name), 1, df, wide[(end - df) * wide_size : end * wide_size])
