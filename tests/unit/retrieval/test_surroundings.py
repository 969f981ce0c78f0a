"""What stands around a passage."""

from collections.abc import Sequence

import pytest

from app.documents.document import UnitHit
from app.retrieval.questions import Direction, Scope
from app.retrieval.surroundings import neighbour, section, steps_beside
from tests.builders import a_hit, a_unit


def hits(*paths: tuple[str, ...], text: str = "Turn the wheel.", document: str = "manual") -> list[UnitHit]:
    return [
        a_hit(a_unit(text, id=f"p{place + 1}", path=path), ordinal=place, document=document)
        for place, path in enumerate(paths)
    ]


def ordinals(found: Sequence[UnitHit]) -> list[int]:
    return [hit.ordinal for hit in found]


def test_a_section_is_the_unbroken_run_under_its_headings() -> None:
    run = hits(("A", "B"), ("A", "C"), ("A", "B"), ("A", "B", "D"), ("A", "Bb"), ("A", "B"))
    # The first and the last have the same headings and stand elsewhere.
    assert ordinals(section(run[2], run, Scope.WHOLE_SECTION)) == [2, 3]


def test_other_documents_near_it_are_no_part_of_it() -> None:
    mine, others = hits(("A",), ("A",)), hits(("A",), ("A",), ("A",), document="other")
    assert section(mine[0], [*mine, *others], Scope.WHOLE_SECTION) == mine


def test_the_thirty_nearest_of_a_long_section() -> None:
    run = hits(*[("A",)] * 100)
    assert ordinals(section(run[50], run, Scope.ALL_STEPS)) == list(range(35, 65))
    assert ordinals(section(run[2], run, Scope.ALL_STEPS)) == list(range(30))


@pytest.mark.parametrize(
    ("heading", "scope", "found"),
    [
        ("Step 2: Fill", Scope.ALL_STEPS, [0, 1]),
        ("Schritt 2", Scope.ALL_STEPS, [0, 1]),
        ("Step 2: Fill", Scope.WHOLE_SECTION, [1]),
        ("Stepping 2", Scope.ALL_STEPS, [1]),
        ("2 Fill", Scope.ALL_STEPS, [1]),
    ],
)
def test_a_heading_that_numbers_a_step_stands_in_a_procedure(heading: str, scope: Scope, found: list[int]) -> None:
    run = hits(("Pump", "First"), ("Pump", heading), ("Valve",))
    assert ordinals(section(run[1], run, scope)) == found


def test_a_neighbour_is_long_enough_by_its_own_text() -> None:
    long = "Turn the wheel to the left until it stops, " * 3  # 129 characters: 33 tokens
    path = (
        "A heading that is so long that it would be long enough by itself to pass for a step of a procedure, or two",
    )
    run = [*hits((), text=long), *hits(path)[:1], *hits((), text=long)]
    run = [a_hit(one.unit, ordinal=place, document="manual") for place, one in enumerate(run)]
    assert neighbour(run[0], Direction.NEXT, run, chars_per_token=4.0) == run[2]
    assert neighbour(run[2], Direction.PREVIOUS, run, chars_per_token=4.0) == run[0]
    assert neighbour(run[2], Direction.NEXT, run, chars_per_token=4.0) is None
    # 15 characters are 25 tokens when each takes 0.6 characters.
    assert neighbour(run[0], Direction.NEXT, run, chars_per_token=0.6) == run[1]


def test_steps_beside_are_two_on_either_side() -> None:
    run = hits(*[()] * 7)
    assert ordinals(steps_beside(run[3], run)) == [1, 2, 4, 5]
    assert ordinals(steps_beside(run[0], run)) == [1, 2]
