"""How much a question needs, told by the offline engine from its words, and which step it means."""

import pytest

from app.adapters.decisions.offline.engine import evaluate
from app.documents.decision import Choice, Question, YesNo
from app.documents.profile import Profile
from app.retrieval.candidates import RULES
from app.retrieval.questions import AnswerScope, Direction, IsStepAskedFor, NamedStep, Scope, StepDirection

COVER = "[Pump > Mounting]\n\nRemove the cover of the pump and put its four screws aside."
WIRES = "[Pump > Mounting]\n\nConnect the wires to the terminals, brown to the left and blue to the right."
TEST = "[Pump > Mounting]\n\n3. Switch the mains on and run the self test until the lamp is green."
STEPS = (COVER, WIRES, TEST)


def chosen(question: Question) -> Choice:
    (answer,) = evaluate([question])
    assert isinstance(answer, Choice)
    return answer


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("How do I mount the pump?", Scope.ALL_STEPS),
        ("What are the steps for replacing the filter?", Scope.ALL_STEPS),
        ("How much oil does the pump take?", Scope.ONE_PASSAGE),
        ("Where are the screws put?", Scope.ONE_PASSAGE),
        ("What do I do after removing the cover?", Scope.NEXT_OR_PREVIOUS_STEP),
        ("What must be done before the mains is switched on?", Scope.NEXT_OR_PREVIOUS_STEP),
        ("Which step comes after connecting the wires?", Scope.NEXT_OR_PREVIOUS_STEP),
        ("Compare the basic and the premium pump.", Scope.SEVERAL_PLACES),
    ],
)
def test_instructions_are_asked_for_in_whole_or_for_one_step(question: str, scope: Scope) -> None:
    assert chosen(AnswerScope(question, RULES[Profile.PROCEDURAL].scopes)).label == scope


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("What does section 4 say about fees?", Scope.WHOLE_SECTION),
        ("What are all the conditions of a refund?", Scope.WHOLE_SECTION),
        ("When is the fee due?", Scope.ONE_PASSAGE),
        ("List the fees and compare them.", Scope.SEVERAL_PLACES),
    ],
)
def test_a_contract_is_asked_for_a_rule_a_section_or_several_places(question: str, scope: Scope) -> None:
    assert chosen(AnswerScope(question, RULES[Profile.NORMATIVE].scopes)).label == scope


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("What do I do after removing the cover?", Direction.NEXT),
        ("What comes before connecting the wires?", Direction.PREVIOUS),
        ("After which step is the test run?", Direction.PREVIOUS),
        ("Before what do I connect the wires?", Direction.NEXT),
    ],
)
def test_the_first_word_of_order_is_the_direction(question: str, direction: Direction) -> None:
    assert chosen(StepDirection(question)).label == direction


def test_without_a_word_of_order_the_direction_is_open_and_no_step_is_named() -> None:
    assert chosen(StepDirection("How are the wires connected?")).confidence == 0.5
    assert chosen(NamedStep("How are the wires connected to the terminals?", STEPS)).label == NamedStep.NONE


def test_the_named_step_is_what_the_question_describes_or_numbers() -> None:
    assert chosen(NamedStep("What do I do after removing the cover of the pump?", STEPS)).label == "0"
    assert chosen(NamedStep("What comes before step 3?", STEPS)).label == "2"
    assert chosen(NamedStep("What comes after the lunar eclipse?", STEPS)).label == NamedStep.NONE
    assert chosen(NamedStep("What comes after the cover?", ())).label == NamedStep.NONE


def test_the_neighbour_on_the_side_that_is_asked_for_is_meant() -> None:
    question = "What do I do after removing the cover of the pump?"
    answers = evaluate([IsStepAskedFor(question, COVER, WIRES, distance) for distance in (1, 2, -1)])
    right, further, wrong = [answer.probability for answer in answers if isinstance(answer, YesNo)]
    assert right >= 0.5 > further > wrong
