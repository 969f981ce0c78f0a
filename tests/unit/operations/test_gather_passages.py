"""What each scope gathers, with a model that answers as scripted."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.documents.context import AbstainReason
from app.documents.decision import Answer, Question
from app.documents.document import Document, Unit
from app.documents.profile import Profile
from app.retrieval.questions import (
    Answers,
    AnswerScope,
    IsComplete,
    IsStepAskedFor,
    NamedStep,
    Scope,
    StepDirection,
)
from tests.builders import a_document, a_unit
from tests.fakes.scripted_model import ScriptedModel, chosen, yes
from tests.unit.operations.test_retrieve import a_retrieve, ask, outcomes, units

pytestmark = pytest.mark.anyio


def a_manual(steps: Sequence[str], *, path: tuple[str, ...] = ("Pump", "Mounting")) -> Document:
    """A procedure under one heading, between two others."""
    texts = [
        (("Pump", "Safety"), "Switch the pump off."),
        *((path, step) for step in steps),
        (("Pump", "Use"), "Pump."),
    ]
    return a_document(id="manual", units=numbered(texts, Profile.PROCEDURAL))


def numbered(texts: Sequence[tuple[tuple[str, ...], str]], profile: Profile) -> list[Unit]:
    return [
        a_unit(text, id=f"p{number}", path=path, profile=profile) for number, (path, text) in enumerate(texts, start=1)
    ]


def scripted(
    scores: Mapping[str, float],
    *,
    scope: Mapping[int, str],
    named: str = "none",
    direction: str = "next",
    meant: Mapping[str, float] | None = None,
    complete: float = 1.0,
) -> ScriptedModel:
    """A model that scores a passage by the first key it contains, else 0.1; `scope` is by how many are on offer."""

    def script(question: Question) -> Answer | None:
        match question:
            case Answers(_, passage):
                return yes(next((score for part, score in scores.items() if part in passage), 0.1))
            case AnswerScope() | StepDirection():
                return chosen(scope[len(question.scopes)] if isinstance(question, AnswerScope) else direction)
            case NamedStep(_, passages):
                places = [str(place) for place, passage in enumerate(passages) if named in passage]
                return chosen(places[0] if places else "none")
            case IsStepAskedFor(_, _, passage):
                return yes(next((score for part, score in (meant or {}).items() if part in passage), 0.1))
            case IsComplete():
                return yes(complete)
            case _:
                return None

    return ScriptedModel(script)


LONG = " Do it slowly and with care, as the manual of the maker tells, and look at the result before you go on."
STEPS = [f"{letter} the pump.{LONG}" for letter in ("Unpack", "Place", "Wire", "Fill", "Test")]


class TestSections:
    async def test_all_the_steps_are_every_passage_under_the_bests_headings(self) -> None:
        model = scripted({"Wire": 0.9, "off": 0.8}, scope={4: Scope.ALL_STEPS})
        retrieve, shelf = a_retrieve(model, [a_manual(STEPS)])
        context = await ask(retrieve, "How do I mount the pump?")
        # p1 is kept too, and stands under other headings.
        assert units(context) == [f"manual/p{number}" for number in range(2, 7)]
        assert outcomes(context)["manual/p1"] == "kept"
        assert context.trace["scope"] == "all the steps"
        assert context.trace["added"] == [
            {"document": "manual", "unit": f"p{number}", "because": "all the steps"} for number in (2, 3, 5, 6)
        ]
        assert shelf.calls == ["search", "around", "linked"]

    async def test_steps_with_a_heading_each_are_one_procedure(self) -> None:
        texts = [(("Pump", "Mounting", f"Step {n}"), step) for n, step in enumerate(STEPS, start=1)]
        manual = a_document(id="manual", units=numbered([*texts, (("Pump", "Use"), "Pump on.")], Profile.PROCEDURAL))
        retrieve, _ = a_retrieve(scripted({"Wire": 0.9}, scope={4: Scope.ALL_STEPS}), [manual])
        assert units(await ask(retrieve, "How do I mount the pump?")) == [f"manual/p{n}" for n in range(1, 6)]

    async def test_a_whole_section_ends_where_its_heading_does(self) -> None:
        texts = [
            (("Terms", "1 Fees"), "The fee is 2 %."),
            (("Terms", "2 Delay"), "Who pays late owes a fee."),
            (("Terms", "2 Delay", "2.1 Waiver"), "We may waive it."),
            (("Terms", "2 Delay", "2.2 Interest"), "Interest is added."),
            (("Terms", "3 Law"), "The law of Malta governs."),
        ]
        terms = a_document(id="terms", units=numbered(texts, Profile.NORMATIVE))
        model = scripted({"pays late": 0.9, "2 %": 0.5}, scope={3: Scope.WHOLE_SECTION})
        retrieve, _ = a_retrieve(model, [terms])
        assert units(await ask(retrieve)) == ["terms/p2", "terms/p3", "terms/p4"]
        assert not model.asked_of(IsComplete)
        assert not model.asked_of(NamedStep)

    async def test_a_section_is_the_thirty_nearest_of_a_document_without_headings(self) -> None:
        manual = a_document(
            id="manual", units=numbered([((), f"Pump {n}.") for n in range(1, 101)], Profile.PROCEDURAL)
        )
        retrieve, _ = a_retrieve(scripted({"Pump 5.": 0.9}, scope={4: Scope.ALL_STEPS}), [manual])
        context = await ask(retrieve, "How do I pump 5?")
        assert units(context) == [f"manual/p{n}" for n in range(1, 31)]

    async def test_nothing_kept_has_no_section(self) -> None:
        retrieve, shelf = a_retrieve(scripted({}, scope={4: Scope.ALL_STEPS}), [a_manual(STEPS)])
        assert (await ask(retrieve, "How do I mount the pump?")).reason is AbstainReason.NOT_ANSWERED
        assert shelf.calls == ["search"]


class TestNeighbours:
    async def test_the_step_after_the_named_one_is_taken_past_what_is_too_short(self) -> None:
        manual = a_manual([STEPS[0], STEPS[1], "Well done.", STEPS[2], STEPS[3]])
        model = scripted({}, scope={4: Scope.NEXT_OR_PREVIOUS_STEP}, named="Place")
        retrieve, shelf = a_retrieve(model, [manual])
        context = await ask(retrieve, "What do I do after placing the pump?")
        assert units(context) == ["manual/p5"]
        assert context.trace["added"] == [{"document": "manual", "unit": "p5", "because": "next step"}]
        # Nothing was kept, so no neighbour needs to be confirmed.
        assert not model.asked_of(IsStepAskedFor)
        assert shelf.calls == ["search", "around", "linked"]

    async def test_the_step_before_it(self) -> None:
        model = scripted({}, scope={4: Scope.NEXT_OR_PREVIOUS_STEP}, named="Wire", direction="previous")
        retrieve, _ = a_retrieve(model, [a_manual(STEPS)])
        assert units(await ask(retrieve, "What do I do before wiring the pump?")) == ["manual/p3"]

    async def test_the_neighbours_of_the_two_best_are_confirmed(self) -> None:
        model = scripted(
            {"Place": 0.9, "Fill": 0.8, "Unpack": 0.7},
            scope={4: Scope.NEXT_OR_PREVIOUS_STEP},
            meant={"Wire": 0.5, "Test": 0.49},
        )
        retrieve, _ = a_retrieve(model, [a_manual(STEPS)])
        context = await ask(retrieve, "What do I do after placing the pump?", explain=True)
        # p2 Unpack … p6 Test: p3 and p5 are the best, p4 is confirmed, p2 is kept but beyond the scope.
        assert units(context) == ["manual/p3", "manual/p4", "manual/p5"]
        assert {(one.distance, first_word(one.passage)) for one in steps_asked(model)} == {
            (-2, "Switch"),
            (-1, "Unpack"),
            (1, "Wire"),
            (1, "Test"),
            (2, "Pump."),
        }
        told: Any = context.trace["questions"]
        confirmed = [one for one in told if one["question"] == "IsStepAskedFor" and one["answer"] >= 0.5]
        assert [one["units"] for one in confirmed] == [[{"document": "manual", "unit": "p4"}]]

    async def test_a_named_step_at_the_end_has_no_next(self) -> None:
        model = scripted({}, scope={4: Scope.NEXT_OR_PREVIOUS_STEP}, named="Pump on")
        manual = a_document(id="manual", units=numbered([((), f"Pump on.{LONG}")], Profile.PROCEDURAL))
        retrieve, _ = a_retrieve(model, [manual])
        assert (await ask(retrieve, "And after pump on?")).reason is AbstainReason.NOT_ANSWERED

    async def test_where_another_scope_is_told_the_named_step_is_left_alone(self) -> None:
        model = scripted({"Wire": 0.9}, scope={4: Scope.ONE_PASSAGE}, named="Place")
        retrieve, shelf = a_retrieve(model, [a_manual(STEPS)])
        assert units(await ask(retrieve, "How is the pump wired?")) == ["manual/p4"]
        assert shelf.calls == ["search", "linked"]


def steps_asked(model: ScriptedModel) -> list[IsStepAskedFor]:
    return [question for question in model.asked if isinstance(question, IsStepAskedFor)]


def first_word(passage: str) -> str:
    """The first word behind the headings."""
    return passage.split("\n\n")[1].split(maxsplit=1)[0]


class TestSeveralProfiles:
    FAQ = tuple(((), f"Fee number {n} is {n} %.") for n in range(1, 13))
    STORY = tuple(((), f"Long ago fee {n} was told of.") for n in range(1, 13))

    async def test_each_takes_its_own_share_and_scope(self) -> None:
        faq = a_document(id="faq", units=numbered(self.FAQ[:8], Profile.GUIDANCE))
        texts = [(("Terms", "2 Delay"), "A fee for delay."), (("Terms", "2 Delay"), "We may waive it.")]
        terms = a_document(id="terms", units=numbered(texts, Profile.NORMATIVE))
        model = scripted({"Fee number": 0.6, "for delay": 0.9}, scope={2: Scope.SEVERAL_PLACES, 3: Scope.WHOLE_SECTION})
        retrieve, _ = a_retrieve(model, [faq, terms])
        context = await ask(retrieve)
        assert [unit for unit in units(context) if unit.startswith("terms")] == ["terms/p1", "terms/p2"]
        assert len([unit for unit in units(context) if unit.startswith("faq")]) == 6
        assert context.trace["scopes"] == {"guidance": "several places", "normative": "a whole section"}

    async def test_only_profiles_that_may_be_incomplete_judge_more(self) -> None:
        faq = a_document(id="faq", units=numbered(self.FAQ, Profile.GUIDANCE))
        story = a_document(id="story", units=numbered([*self.STORY, *self.STORY], Profile.NARRATIVE))
        model = scripted({"Fee": 0.9, "fee": 0.9}, scope={2: Scope.SEVERAL_PLACES}, complete=0.2)
        retrieve, _ = a_retrieve(model, [faq, story])
        context = await ask(retrieve, "fee?", documents=("faq", "story"))
        judged = [question.passage for question in model.asked if isinstance(question, Answers)]
        # Guidance: nine, and the three that are left. Narrative: its 18, of which equal texts are asked about once.
        assert len([passage for passage in judged if "number" in passage]) == 12
        assert len(units(context)) == 6 + 3 + 8


class RoundsCounted:
    """Counts requests that a model gets one after the other."""

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        self.rounds: list[set[str]] = []

    def watch(self) -> ScriptedModel:
        answer = self.model.answer

        async def counted(questions: Sequence[Question]) -> Any:  # noqa: ANN401 - what the model returns
            self.rounds.append({type(question).__name__ for question in questions})
            return await answer(questions)

        self.model.answer = counted  # type: ignore[method-assign]
        return self.model


async def test_a_question_to_guidance_takes_three_rounds_and_one_trip_before_judging() -> None:
    """The most that one can take: incomplete, with passages that need others."""
    texts = [((), f"Fee number {n} is {n} %.") for n in range(1, 21)]
    faq = a_document(
        id="faq", units=numbered(texts, Profile.GUIDANCE), needs=[(f"p{n + 1}", f"p{n}") for n in range(1, 20)]
    )
    model = scripted({"Fee": 0.9}, scope={2: Scope.SEVERAL_PLACES}, complete=0.1)
    counted = RoundsCounted(model)
    retrieve, shelf = a_retrieve(counted.watch(), [faq])
    context = await ask(retrieve)
    assert counted.rounds == [{"Answers", "BestPassage", "AnswerScope"}, {"IsComplete"}, {"Answers"}]
    assert len(units(context)) >= 15
    assert shelf.calls == ["search", "linked"]


async def test_in_little_room_the_neighbour_comes_before_what_resembles_the_question() -> None:
    model = scripted({"Place": 0.9}, scope={4: Scope.NEXT_OR_PREVIOUS_STEP}, named="Place")
    retrieve, _ = a_retrieve(model, [a_manual(STEPS)])
    assert units(await ask(retrieve, "What do I do after placing the pump?")) == ["manual/p3", "manual/p4"]
    assert units(await ask(retrieve, "What do I do after placing the pump?", max_tokens=40)) == ["manual/p4"]
