"""Which pairs of parts are worth asking about (conversations design, c.2)."""

from collections.abc import Mapping, Sequence

import pytest

from app.conversations.corrections import Pair, corrected, most_similar, pairs, pairs_at_most, questions
from app.conversations.parts import TurnPart
from app.conversations.questions import Corrects, Said
from app.conversations.similar import Similar
from tests.fakes.scripted_model import yes
from tests.unit.conversations.turns import message, output, talk, tool_call


def found(
    turns: Sequence[TurnPart], replies: Mapping[int, int] | None = None, settled: Mapping[int, int] | None = None
) -> list[tuple[int, int]]:
    made = pairs(turns, replies or {}, settled or {}, Similar(turns))
    return [(pair.later, pair.earlier) for pair in made]


def test_a_part_is_paired_with_what_it_replies_to_and_the_three_most_similar() -> None:
    turns = talk(
        ("Ana", "Hello."),
        ("Ben", "lamp oak elm fir"),
        ("Ana", "lamp oak elm"),
        ("Ben", "lamp oak"),
        ("Ana", "lamp"),
        ("Cy", "My lamp"),
    )

    assert [pair for pair in found(turns, {5: 0}) if pair[0] == 5] == [(5, 0), (5, 4), (5, 3), (5, 2)]


def test_a_pair_is_asked_about_once() -> None:
    turns = talk(("Ana", "The lamp."), ("Ben", "A lamp?"))

    assert found(turns, {1: 0}, {1: 0}) == [(1, 0)]


def test_every_part_of_a_turn_is_paired_with_what_the_turn_replies_to() -> None:
    turns = [message(0, "one"), message(1, "two", "Ben"), message(2, "three", "Ben", turn=1)]

    assert found(turns, {1: 0}) == [(1, 0), (2, 0)]


def test_an_outcome_is_paired_with_what_it_settles() -> None:
    turns = talk(("Ana", "We propose 40k."), ("Ben", "Too low, 45k."), ("Ana", "Agreed: 45k."))

    assert found(turns, {1: 0, 2: 1}, {2: 0}) == [(1, 0), (2, 0), (2, 1)]


def test_parts_without_a_speaker_correct_nothing_and_may_be_corrected() -> None:
    turns = [message(0, "The lamp.", None), message(1, "The lamp.", None), message(2, "The lamp.", "Ana")]

    assert found(turns) == [(2, 0), (2, 1)]


def test_calls_and_outputs_are_in_no_pair() -> None:
    turns = [message(0, "ls"), tool_call(1, "1#k"), output(2, "ls"), message(3, "ls", "Ben")]

    assert found(turns, {3: 1}) == [(3, 0)]


def test_two_stored_parts_are_no_pair() -> None:
    turns = [
        message(0, "The lamp.", stored=True),
        message(1, "The lamp.", "Ben", stored=True),
        message(2, "The lamp.", "Cy"),
    ]

    assert found(turns, {1: 0}) == [(2, 0), (2, 1)]


@pytest.mark.parametrize(
    ("earlier", "later", "asked"),
    [("user", "assistant", False), ("assistant", "user", True), ("assistant", "assistant", True)],
)
def test_an_assistants_reply_to_the_user_is_no_pair_by_itself(earlier: str, later: str, *, asked: bool) -> None:
    turns = talk((earlier, "Find it."), (later, "Done."))

    assert found(turns, {1: 0}) == ([(1, 0)] if asked else [])


def test_an_assistants_reply_to_the_user_is_a_pair_among_the_most_similar() -> None:
    assert found(talk(("user", "Paint the door."), ("assistant", "The door is red.")), {1: 0}) == [(1, 0)]


def test_people_reply_to_people_whatever_they_are_called() -> None:
    turns = talk(("user", "Find it."), ("assistant", "Done."), ("Ana", "Fine!"))

    assert found(turns, {1: 0}) == [(1, 0)]


def test_the_most_similar_pairs_stay_in_their_order() -> None:
    turns = talk(("Ana", "lamp oak"), ("Ben", "lamp"), ("Cy", "elm"), ("Dee", "lamp"), ("Eve", "elm lamp oak fir"))
    similar = Similar(turns)
    made = pairs(turns, {2: 0}, {}, similar)

    # Squared cosines: 1-0 is 1/2, 2-0 is 0, 3-1 is 1, 3-0 is 1/2, 4-0 is 1/2, 4-1, 4-2 are 1/4.
    assert [(pair.later, pair.earlier) for pair in made] == [(1, 0), (2, 0), (3, 1), (3, 0), (4, 0), (4, 1), (4, 2)]
    assert most_similar(made, similar, 2) == [Pair(1, 0), Pair(3, 1)]
    assert most_similar(made, similar, 4) == [Pair(1, 0), Pair(3, 0), Pair(3, 1), Pair(4, 0)]
    assert most_similar(made, similar, 0) == []


def test_how_many_there_can_be_takes_no_comparing() -> None:
    turns = [message(0, "lamp", stored=True), *[message(at, "lamp", "Ben") for at in range(1, 6)], output(6)]

    assert pairs_at_most(turns) == 1 + 2 + 3 + 3 + 3 == len(found(turns))


def test_both_are_shown_by_250_characters_of_their_ends() -> None:
    turns = talk(("Ana", "a" * 500), ("Ben", "b" * 250 + "x" + "c" * 250))

    assert questions(turns, [Pair(1, 0)]) == [
        Corrects(later=Said("Ben", "b" * 250 + " … " + "c" * 250), earlier=Said("Ana", "a" * 500))
    ]


def test_a_yes_from_one_half_on_is_a_correction_and_no_answer_is_none() -> None:
    asked = [Pair(1, 0), Pair(2, 0), Pair(2, 1), Pair(3, 1)]

    assert corrected(asked, [yes(0.5), yes(0.49), None, yes(0.9)]) == [Pair(1, 0), Pair(3, 1)]
