"""Fusing ranked lists by reciprocal rank."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.retrieval.fusion import fuse

X, Y, A, B, C = (("d", name) for name in "XYabc")


def test_a_unit_in_both_lists_beats_the_first_of_either() -> None:
    # P29: Y has 1/63 + 1/63 = 0.0317, X and b 1/61 = 0.0164.
    assert [one.key for one in fuse([[X, A, Y], [B, C, Y]])] == [Y, X, B, A, C]


def test_scores_and_ranks_are_told() -> None:
    [both, only] = fuse([[X, Y], [Y]])
    assert both.key == Y
    assert both.score == pytest.approx(1 / 62 + 1 / 61)
    assert both.ranks == (2, 1)
    assert only.ranks == (1, None)


def test_a_repeat_counts_once_at_its_first_place_and_takes_no_rank() -> None:
    [x, y] = fuse([[X, X, Y, X]])
    assert (x.key, x.ranks) == (X, (1,))
    assert (y.key, y.ranks) == (Y, (2,))


def test_ids_are_compared_as_strings() -> None:
    [one] = fuse([[("d", 7)], [("d", "7")]])
    assert one.key == ("d", "7")
    assert one.ranks == (1, 1)


def test_equal_scores_follow_the_first_list() -> None:
    # Rank 1 here and rank 2 there, the other way round: the same score.
    assert [one.key for one in fuse([[B, A], [A, B]])] == [B, A]


def test_equal_scores_outside_the_first_list_follow_the_next_then_the_id() -> None:
    assert [one.key for one in fuse([[], [C], [A]])] == [C, A]
    assert [one.key for one in fuse([[X], [Y], [Y], [X]])] == [X, Y]


def test_no_lists_give_nothing() -> None:
    assert fuse([]) == []
    assert fuse([[], []]) == []


keys = st.tuples(st.sampled_from(["d1", "d2"]), st.sampled_from(["1", "2", "3", "4", "5"]))


@given(st.lists(st.lists(keys, max_size=8), max_size=3))
def test_equals_a_plain_reading_of_the_formula(legs: list[list[tuple[str, str]]]) -> None:
    distinct = [[key for place, key in enumerate(leg) if key not in leg[:place]] for leg in legs]

    def score(key: tuple[str, str]) -> Fraction:
        return sum((Fraction(1, 61 + leg.index(key)) for leg in distinct if key in leg), Fraction())

    def order(key: tuple[str, str]) -> tuple[object, ...]:
        return (-score(key), *(leg.index(key) if key in leg else 99 for leg in distinct), key)

    expected = sorted({key for leg in legs for key in leg}, key=order)
    fused = fuse(legs)
    assert [one.key for one in fused] == expected
    assert [one.score for one in fused] == pytest.approx([float(score(key)) for key in expected])
