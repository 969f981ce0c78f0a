"""Similar parts: the same as comparing every part with every earlier one, in less time (conversations design, f.2)."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversations import similar
from app.conversations.parts import TurnPart
from app.conversations.similar import Similar
from app.terms.exact import exact_terms
from tests.unit.conversations.turns import message, output


def turns_of(bodies: Sequence[str]) -> list[TurnPart]:
    return [message(position, body) for position, body in enumerate(bodies)]


def brute_force(
    bodies: Sequence[str], later: int, count: int, *, finds_none: frozenset[str] = frozenset()
) -> list[int]:
    """Compare with every earlier text, in fractions; terms of `finds_none` alone make no two of them similar."""
    counts = [Counter(exact_terms(body)) for body in bodies[: later + 1]]
    own = counts[later]
    scored = []
    for earlier in range(later):
        shared = own.keys() & counts[earlier].keys()
        if shared - finds_none:
            dot = sum(own[term] * counts[earlier][term] for term in shared)
            scored.append((-Fraction(dot**2, sum(often**2 for often in counts[earlier].values())), earlier))
    return [earlier for _, earlier in sorted(scored)[:count]]


WORDS = st.sampled_from(["lamp", "oak", "elm", "Lamp", "x", "7", "45k", "größe", "日本", "a_b"])


@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=30), st.integers(1, 5))
def test_the_most_similar_are_those_of_brute_force(bodies: list[str], count: int) -> None:
    nearest = Similar(turns_of(bodies)).nearest(range(len(bodies)), count)

    assert {later: list(found) for later, found in nearest.items()} == {
        later: brute_force(bodies, later, count) for later in range(len(bodies))
    }


def test_blocks_and_columns_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)  # noqa: S311 - no secret
    bodies = [" ".join(f"w{int(60 ** rng.random())}" for _ in range(12)) for _ in range(150)]
    monkeypatch.setattr(similar, "_BLOCK", 7)
    monkeypatch.setattr(similar, "_MOST_COLUMNS", 4)

    nearest = Similar(turns_of(bodies)).nearest(range(150), 3)

    assert [list(nearest[later]) for later in range(150)] == [brute_force(bodies, later, 3) for later in range(150)]


def test_equally_similar_parts_come_in_document_order() -> None:
    bodies = ["oak lamp", "lamp lamp oak oak", "lamp oak", "oak lamp"]

    assert Similar(turns_of(bodies)).nearest([3], 2) == {3: (0, 1)}


def test_positions_are_those_of_all_parts() -> None:
    turns = [output(0, "lamp"), message(1, "lamp"), output(2, "lamp"), message(3, "lamp")]

    assert Similar(turns).nearest([3], 5) == {3: (1,)}


def test_the_squared_cosine_is_that_of_raw_counts() -> None:
    found = Similar(turns_of(["lamp lamp oak", "lamp elm", "fir", ""]))

    assert found.squared_cosine(1, 0) == 4 / (5 * 2)
    assert found.squared_cosine(2, 0) == 0.0
    assert found.squared_cosine(3, 0) == 0.0


def test_among_many_parts_a_term_of_over_a_tenth_ranks_but_does_not_find() -> None:
    # Over 200 of 2,001 parts hold `common`, which is over a tenth; 10 hold `rare`.
    bodies = [f"alone{position}" for position in range(2001)]
    for position in range(0, 1600, 8):
        bodies[position] = "common"
    for position in range(3, 1603, 160):
        bodies[position] = "rare common" if position % 3 else "rare"
    bodies[2000] = "rare common"
    turns = turns_of(bodies)

    nearest = Similar(turns).nearest([1900, 1592, 2000], 20)

    assert nearest[1592] == ()
    assert list(nearest[2000]) == brute_force(bodies, 2000, 20, finds_none=frozenset({"common"}))
    assert len(nearest[2000]) == 10
    # One part less is not many: now it finds.
    assert len(Similar(turns[1:]).nearest([1591], 20)[1591]) == 20


@pytest.mark.slow
def test_ten_thousand_parts_take_seconds() -> None:
    rng = random.Random(1)  # noqa: S311 - no secret
    turns = turns_of([" ".join(f"w{int(20000 ** rng.random())}" for _ in range(100)) for _ in range(10_000)])

    started = time.process_time()
    Similar(turns).nearest(range(10_000), 3)

    assert time.process_time() - started < 10
