"""How close texts are by their words."""

import pytest

from app.retrieval.closeness import closeness
from app.retrieval.conversation_units import closest
from tests.builders import a_hit
from tests.talk import said


def test_closeness_is_the_cosine_of_term_counts() -> None:
    # (2 red, 1 fence) and (1 red, 2 gate): 2 / (√5 · √5).
    assert closeness("Red fence, red!", "gate RED gate") == pytest.approx(0.4)
    assert closeness("red", "red") == pytest.approx(1.0)
    assert closeness("red", "a b c") == closeness("", "red") == 0.0


def test_the_closest_come_first_and_equals_as_they_came() -> None:
    talk = [
        said("m1", "red", "Hm."),
        said("m2", "ana", "The red fence."),
        said("m3", "ana", "Red."),
        said("m4", "x", "Ho."),
    ]
    hits = [a_hit(unit, ordinal=place) for place, unit in enumerate(talk)]
    # The speaker's name in the line above is not what is said.
    assert [hit.unit.id for hit in closest("red", hits, 9)] == ["m3", "m2", "m1", "m4"]
    assert [hit.unit.id for hit in closest("red", hits, 1)] == ["m3"]
