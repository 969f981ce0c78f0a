from itertools import combinations, pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chunking.cuts import SeamScore, cheapest_cuts, cut_cost
from app.documents.config import Config

COSTS = st.one_of(st.sampled_from([inf, 0.0]), st.integers(-8, 8).map(lambda eighths: eighths / 8))


def brute_force(sizes: list[int], costs: list[float], minimum: int) -> float:
    """The cheapest total over every set of cuts that leaves no part under the minimum."""
    cheapest = 0.0
    seams = range(1, len(sizes))
    for count in range(1, len(sizes)):
        for cuts in combinations(seams, count):
            bounds = [0, *cuts, len(sizes)]
            parts = [sum(sizes[start:end]) for start, end in pairwise(bounds)]
            if min(parts) >= minimum:
                cheapest = min(cheapest, sum(costs[cut - 1] for cut in cuts))
    return cheapest


@given(st.data())
def test_cuts_are_the_cheapest_that_leave_no_part_too_small(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=8))
    costs = data.draw(st.lists(COSTS, min_size=len(sizes) - 1, max_size=len(sizes) - 1))
    minimum = data.draw(st.integers(1, 60))

    cuts = cheapest_cuts(sizes, costs, minimum)

    bounds = [0, *cuts, len(sizes)]
    if cuts:
        assert all(sum(sizes[start:end]) >= minimum for start, end in pairwise(bounds))
    assert sum(costs[cut - 1] for cut in cuts) == brute_force(sizes, costs, minimum)


def test_two_topic_changes_close_together_strand_no_fragment() -> None:
    # Both seams around the 10-token piece are weak; cutting at both would leave it alone, so the weaker one is cut.
    assert cheapest_cuts([100, 10, 100], [-0.2, -0.3], 60) == [2]


def test_nothing_is_cut_without_gain() -> None:
    assert cheapest_cuts([100, 100, 100], [0.0, 0.4], 60) == []
    assert cheapest_cuts([], [], 60) == []


@pytest.mark.parametrize(
    ("score", "cost"),
    [
        (SeamScore(continues=0.0, refers_back=0.0), -0.5),
        # 0.6 * 0.5 + 0.4 * 0.25 = 0.4, a tenth under the threshold.
        (SeamScore(continues=0.5, refers_back=0.25), -0.1),
        (SeamScore(continues=1.0, refers_back=0.25), 0.2),
        # Depends too much on the first side: never a topic cut.
        (SeamScore(continues=0.0, refers_back=0.5), inf),
        (None, inf),
    ],
)
def test_cost_of_a_cut(score: SeamScore | None, cost: float) -> None:
    assert cut_cost(score, Config()) == pytest.approx(cost)
