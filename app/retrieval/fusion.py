"""Fusing ranked lists by reciprocal rank (retrieval design, "Retrieval", step 1; cases P29)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

#: (collection, document id, unit id); legs of one collection may go without the first.
UnitKey: TypeAlias = tuple[str, ...]

#: Softens the first places: a hit gives 1 / (60 + rank), rank 1 being the best.
RANK_OFFSET = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """A unit with its fused score and its rank in every list, from 1; None where a list doesn't hold it."""

    key: UnitKey
    score: float
    ranks: tuple[int | None, ...]


def fuse(legs: Sequence[Sequence[tuple[object, ...]]]) -> list[Fused]:
    """Fuse lists of keys, best first, into one.

    Ids are compared as strings. What a list repeats counts once, at its first place, and takes up no rank after that.
    Equal scores are ordered by the rank in the first list, then in the next ones, a list that lacks the unit last;
    what is still equal is ordered by id.
    """
    ranks: dict[UnitKey, list[int | None]] = {}
    for position, leg in enumerate(legs):
        distinct = dict.fromkeys(tuple(map(str, key)) for key in leg)
        for rank, key in enumerate(distinct, start=1):
            ranks.setdefault(key, [None] * len(legs))[position] = rank
    fused = [Fused(key, _score(of), tuple(of)) for key, of in ranks.items()]
    return sorted(fused, key=lambda one: (-one.score, *(_or_last(rank) for rank in one.ranks), one.key))


def _score(ranks: Sequence[int | None]) -> float:
    # Summed from the smallest, so that the same ranks in other lists give the same score to the last bit.
    return sum(sorted(1 / (RANK_OFFSET + rank) for rank in ranks if rank is not None))


def _or_last(rank: int | None) -> float:
    return float("inf") if rank is None else rank
