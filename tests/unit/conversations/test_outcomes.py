"""Which parts are asked whether they record an outcome (conversations design, c.2)."""

from app.conversations.outcomes import asked_outcomes, recorded
from app.conversations.questions import RecordsOutcome, Said
from tests.fakes.scripted_model import yes
from tests.unit.conversations.turns import message, output, talk, tool_call


def test_every_new_part_of_a_message_is_asked_about_whoever_speaks() -> None:
    turns = [
        message(0, "old", stored=True),
        message(1, "a speech", "Ben"),
        message(2, "its end", "Ben", turn=1),
        message(3, "nobody's", None),
        tool_call(4, "4#k"),
        output(5, "reasoning", kind="reasoning"),
    ]

    assert [each.position for each in asked_outcomes(turns)] == [1, 2, 3]


def test_up_to_600_characters_are_shown_whole_and_else_300_of_both_ends() -> None:
    whole, cut = asked_outcomes(talk(("Ana", "a" * 600), ("Ben", "b" * 300 + "x" + "c" * 300)))

    assert whole.question == RecordsOutcome(Said("Ana", "a" * 600))
    assert cut.question == RecordsOutcome(Said("Ben", "b" * 300 + " … " + "c" * 300))


def test_a_yes_from_one_half_on_is_an_outcome_and_no_answer_is_none() -> None:
    asked = asked_outcomes(talk(("Ana", "a"), ("Ben", "b"), ("Ana", "c"), ("Ben", "d")))

    assert recorded(asked, [yes(0.5), yes(0.49), None, yes(1.0)]) == [0, 3]
