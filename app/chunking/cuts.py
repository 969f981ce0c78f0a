"""Choosing topic cuts together (chunking design, strategy `topic`, rule 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from app.documents.config import Config


@dataclass(frozen=True, slots=True)
class SeamScore:
    """What a decision model says of a seam: probabilities that the second side goes on, and that it needs the first."""

    continues: float
    refers_back: float


def cut_cost(score: SeamScore | None, config: Config) -> float:
    """Return what a cut at this seam costs: less than nothing when the sides belong together less than they should."""
    if score is None or score.refers_back >= config.refers_back_protect:
        return inf
    weight = config.refers_back_weight
    together = (1 - weight) * score.continues + weight * score.refers_back
    return together - config.seam_threshold


def cheapest_cuts(sizes: Sequence[int], costs: Sequence[float], minimum: int) -> list[int]:
    """Return the cheapest set of cuts that leaves no part smaller than `minimum`; equal sets: the one with fewer cuts.

    Args:
        sizes: Tokens of each piece.
        costs: Cost of a cut before each piece but the first, so one fewer than `sizes`.
        minimum: Tokens that every part must hold when there is a cut at all.

    Returns:
        Positions of the pieces that open a new part, ascending. Leaving the stretch whole is always allowed.

    The time is linear: the parts that may end before a piece begin at a bound that only ever moves forward, so the best
    of them is a running minimum.
    """
    count = len(sizes)
    if count == 0:
        return []
    before = [0]
    for size in sizes:
        before.append(before[-1] + size)
    best = [0.0, *([inf] * count)]
    previous = [0] * (count + 1)
    cheapest, reached = -1, -1
    for cut in range(1, count + 1):
        while reached + 1 < cut and before[cut] - before[reached + 1] >= minimum:
            reached += 1
            if cheapest < 0 or best[reached] < best[cheapest]:
                cheapest = reached
        cost = costs[cut - 1] if cut < count else 0.0
        if cheapest >= 0:
            best[cut], previous[cut] = best[cheapest] + cost, cheapest
    if best[count] >= 0:
        return []
    cuts = []
    cut = previous[count]
    while cut > 0:
        cuts.append(cut)
        cut = previous[cut]
    return cuts[::-1]
