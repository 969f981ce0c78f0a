"""What of the links of gathered passages comes into the context."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.documents.decision import Answer, Question
from app.documents.document import Document, Link, LinkType
from app.documents.profile import Profile
from app.retrieval.questions import Answers, AnswerScope, DecidingDefinition, NeedsLinked, TurnsOnDefinition
from tests.builders import a_document, a_unit
from tests.fakes.scripted_model import ScriptedModel, chosen, unavailable, yes
from tests.unit.operations.test_retrieve import a_retrieve, ask, units

pytestmark = pytest.mark.anyio

#: The question's term stands in the first passage only, so nothing else is found by itself.
TEXTS = ("The fee is due as Section 2 says.", "Two.", "Three.", "Four.", "Five.")


def linked(
    links: Sequence[tuple[LinkType, str, str]],
    texts: Sequence[str] = TEXTS,
    *,
    profile: Profile = Profile.NORMATIVE,
) -> Document:
    """A document with links by unit id."""
    document = a_document(
        id="terms", units=[a_unit(text, id=f"p{n}", profile=profile) for n, text in enumerate(texts, start=1)]
    )
    return replace(
        document, links=tuple(Link(type=type_, source=source, target=target) for type_, source, target in links)
    )


def following(
    needed: Mapping[str, float],
    *,
    decides: str = "none",
    fee: float = 0.9,
) -> ScriptedModel:
    """A model that keeps what names a fee, and needs a target as the first key that it contains says, else 0.1."""

    def script(question: Question) -> Answer | None:
        match question:
            case Answers(_, passage):
                return yes(fee if "fee" in passage else 0.1)
            case AnswerScope():
                return chosen("one passage")
            case NeedsLinked(_, _, target) | TurnsOnDefinition(_, _, target):
                return yes(next((share for part, share in needed.items() if part in target), 0.1))
            case DecidingDefinition(_, definitions):
                places = [str(place) for place, text in enumerate(definitions) if decides in text]
                return chosen(places[0] if places else "none")
            case _:
                return None

    return ScriptedModel(script)


def asked_about(model: ScriptedModel, kind: type[Question]) -> list[str]:
    """The targets that were asked about."""
    return [
        question.linked if isinstance(question, NeedsLinked) else question.definition
        for question in model.asked_of(kind)
        if isinstance(question, NeedsLinked | TurnsOnDefinition)
    ]


async def test_what_is_needed_comes_unasked_and_is_worth_half() -> None:
    model = following({})
    retrieve, _ = a_retrieve(model, [linked([(LinkType.NEEDS, "p1", "p2"), (LinkType.NEEDS, "p2", "p3")])])
    context = await ask(retrieve)
    # Of what was gathered: what p2 needs in its turn stays away.
    assert units(context) == ["terms/p1", "terms/p2"]
    assert not model.asked_of(NeedsLinked)
    # In little room the passage itself goes first.
    assert units(await ask(retrieve, max_tokens=9)) == ["terms/p1"]


async def test_a_target_that_was_gathered_anyway_is_not_asked_about() -> None:
    model = following({})
    document = linked([(LinkType.REF, "p1", "p2")], ("The fee is 2 %.", "Another fee."), profile=Profile.MARKUP)
    retrieve, shelf = a_retrieve(model, [document])
    assert units(await ask(retrieve)) == ["terms/p1", "terms/p2"]
    assert not model.asked_of(NeedsLinked)
    assert shelf.calls == ["search", "linked"]


class TestClauses:
    async def test_what_the_answer_needs_of_what_is_cited_comes_too(self) -> None:
        document = linked([(LinkType.REFERS_TO, "p1", "p2"), (LinkType.REFERS_TO, "p1", "p3")])
        model = following({"Two.": 0.5, "Three.": 0.49})
        retrieve, shelf = a_retrieve(model, [document])
        context = await ask(retrieve, explain=True)
        assert units(context) == ["terms/p1", "terms/p2"]
        assert context.trace["links"] == [{"type": "refers_to", "document": "terms", "from": "p1", "to": "p2"}]
        assert model.asked_of(NeedsLinked) == [
            NeedsLinked("What is the fee?", "The fee is due as Section 2 says.", "Two."),
            NeedsLinked("What is the fee?", "The fee is due as Section 2 says.", "Three."),
        ]
        assert [one["answer"] for one in told(context.trace["questions"])[-2:]] == [0.5, 0.49]
        assert shelf.calls == ["search", "linked"]

    async def test_citations_are_followed_one_way(self) -> None:
        model = following({"Two.": 0.9})
        retrieve, _ = a_retrieve(model, [linked([(LinkType.REFERS_TO, "p2", "p1"), (LinkType.DEFINED_BY, "p3", "p1")])])
        assert units(await ask(retrieve)) == ["terms/p1"]
        assert not model.asked_of(NeedsLinked)

    async def test_definitions_that_the_answer_turns_on_and_the_deciding_one(self) -> None:
        document = linked([(LinkType.DEFINED_BY, "p1", f"p{n}") for n in range(2, 6)])
        model = following({"Two.": 0.5, "Three.": 0.49}, decides="Four.")
        retrieve, _ = a_retrieve(model, [document])
        assert units(await ask(retrieve)) == ["terms/p1", "terms/p2", "terms/p4"]
        assert asked_about(model, TurnsOnDefinition) == ["Two.", "Three.", "Four.", "Five."]
        assert model.asked_of(DecidingDefinition) == [
            DecidingDefinition("What is the fee?", ("Two.", "Three.", "Four.", "Five."))
        ]

    async def test_one_definition_needs_no_pick(self) -> None:
        model = following({}, decides="Two.")
        retrieve, _ = a_retrieve(model, [linked([(LinkType.DEFINED_BY, "p1", "p2")])])
        assert units(await ask(retrieve)) == ["terms/p1"]
        assert not model.asked_of(DecidingDefinition)

    async def test_all_types_are_asked_in_one_round(self) -> None:
        document = linked([(LinkType.REFERS_TO, "p1", "p2"), (LinkType.DEFINED_BY, "p1", "p2")])
        model = following({"Two.": 0.9})
        retrieve, _ = a_retrieve(model, [document])
        context = await ask(retrieve)
        assert units(context) == ["terms/p1", "terms/p2"]
        assert context.decisions.requests == 2


class TestReferencesOfData:
    REF = LinkType.REF

    async def test_they_are_followed_both_ways_and_two_hops_from_the_threshold_on(self) -> None:
        document = linked(
            [
                *((self.REF, "p1", "p2"), (self.REF, "p3", "p1"), (self.REF, "p2", "p4")),
                *((self.REF, "p4", "p5"), (self.REF, "p1", "p6")),
            ],
            ("The fee schema.", "Two.", "Three.", "Four.", "Five.", "Six."),
            profile=Profile.MARKUP,
        )
        model = following({"Two.": 0.4, "Three.": 0.9, "Four.": 0.9, "Five.": 0.9, "Six.": 0.39})
        retrieve, shelf = a_retrieve(model, [document])
        context = await ask(retrieve)
        # Five is three hops away, Six is below the threshold.
        assert units(context) == ["terms/p1", "terms/p2", "terms/p3", "terms/p4"]
        assert asked_about(model, NeedsLinked) == ["Two.", "Six.", "Three.", "Four."]
        assert [(one["from"], one["to"]) for one in told(context.trace["links"])] == [
            ("p1", "p2"),
            ("p3", "p1"),
            ("p2", "p4"),
        ]
        assert shelf.calls == ["search", "linked", "linked"]

    async def test_no_second_hop_without_a_first(self) -> None:
        document = linked([(self.REF, "p1", "p2"), (self.REF, "p2", "p3")], profile=Profile.MARKUP)
        retrieve, shelf = a_retrieve(following({}), [document])
        assert units(await ask(retrieve)) == ["terms/p1"]
        assert shelf.calls == ["search", "linked"]

    async def test_twenty_five_targets_are_asked_about_at_a_time(self) -> None:
        texts = ["The fee schema.", *(f"Endpoint {n}." for n in range(2, 41))]
        document = linked([(self.REF, f"p{n}", "p1") for n in range(2, 41)], texts, profile=Profile.MARKUP)
        model = following({"Endpoint": 0.9})
        retrieve, _ = a_retrieve(model, [document])
        assert len(units(await ask(retrieve))) == 26
        assert len(model.asked_of(NeedsLinked)) == 25

    async def test_nobody_answers_about_them(self) -> None:
        def script(question: Question) -> Answer | None:
            return unavailable(question) if isinstance(question, NeedsLinked) else yes(0.9)

        document = linked([(self.REF, "p1", "p2")], profile=Profile.MARKUP)
        retrieve, _ = a_retrieve(ScriptedModel(script), [document])
        context = await ask(retrieve)
        assert units(context) == ["terms/p1"]
        assert context.trace["degraded"] == ["links"]


def told(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A part of the trace."""
    return value
