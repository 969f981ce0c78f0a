import json
from collections.abc import Callable, Mapping

import pytest

from app.adapters.decisions.offline.engine import EVALUATORS, evaluate
from app.adapters.decisions.questions_table import TARGET, question_classes, table
from app.adapters.decisions.wire import read_answer, to_json
from app.chunking.questions import ContinuesSubject, DependsOn
from app.conversations.questions import Corrects, RecordsOutcome, ReplyTo, Said, SettlesWhat
from app.documents.decision import ChoiceQuestion, Question, SharedState
from app.documents.entry_property import Property
from app.linking.questions import DefinesTerms, NeedsPrevious, UsesDefinedTerm
from app.profiling.questions import SectionProfile
from app.retrieval.conversation_questions import AddsToAnswer, MessageAnswers, WhoseWords
from app.retrieval.questions import (
    Answers,
    AnswerScope,
    BestPassage,
    DecidingDefinition,
    IsComplete,
    IsStepAskedFor,
    NamedStep,
    NeedsLinked,
    Scope,
    StepDirection,
    TurnsOnDefinition,
)
from app.retrieval.reference_questions import IsEntryAskedFor, PropertyAskedFor

EXAMPLES: Mapping[type[Question], Callable[[], Question]] = {
    AddsToAnswer: lambda: AddsToAnswer("How long?", "[Ana]\nTen days."),
    Answers: lambda: Answers("How long?", "Ten days."),
    AnswerScope: lambda: AnswerScope("How long?", tuple(Scope)),
    BestPassage: lambda: BestPassage("How long?", ("Ten days.", "It is free.", "Ten days.")),
    ContinuesSubject: lambda: ContinuesSubject("Ten days.", "It is free."),
    Corrects: lambda: Corrects(Said("Ana", "Ten days."), Said(None, "It is free.")),
    DecidingDefinition: lambda: DecidingDefinition("How long?", ("A day is 24 hours.", "It is free.")),
    DefinesTerms: lambda: DefinesTerms("A day is 24 hours."),
    DependsOn: lambda: DependsOn("Ten days.", "It is free."),
    IsComplete: lambda: IsComplete("How long?", ("Ten days.", "It is free.")),
    IsStepAskedFor: lambda: IsStepAskedFor("What is next?", "Ten days.", "It is free.", -2),
    MessageAnswers: lambda: MessageAnswers("How long?", "[Ana]\nTen days."),
    NamedStep: lambda: NamedStep("What is next?", ("Ten days.", "It is free.", "Ten days.")),
    NeedsLinked: lambda: NeedsLinked("How long?", "See 2.", "2. Ten days."),
    NeedsPrevious: lambda: NeedsPrevious("Ten days.", "It is free."),
    IsEntryAskedFor: lambda: IsEntryAskedFor("How large is A4?", "A4", "A4: 210 × 297"),
    PropertyAskedFor: lambda: PropertyAskedFor("Which are of lead?", (Property("Made", "of lead", 2),)),
    RecordsOutcome: lambda: RecordsOutcome(Said("Ana", "Ten days.")),
    ReplyTo: lambda: ReplyTo(Said("Ana", "Ten days."), (Said("Ben", "How long?"), Said("Cy", "It is free."))),
    SettlesWhat: lambda: SettlesWhat(Said("Ana", "Ten days."), (Said("Ben", "How long?"), Said(None, "How long?"))),
    SectionProfile: lambda: SectionProfile("Refunds", "Ten days.", ("When",)),
    StepDirection: lambda: StepDirection("What is next?"),
    TurnsOnDefinition: lambda: TurnsOnDefinition("How long?", "Ten days.", "A day is 24 hours."),
    WhoseWords: lambda: WhoseWords("What does Ana say?", ("Ana", "Ben")),
    UsesDefinedTerm: lambda: UsesDefinedTerm("Ten days.", "A day is 24 hours."),
}


def test_the_committed_table_is_what_the_code_says() -> None:
    assert TARGET.read_text(encoding="utf-8") == table()


def test_every_question_class_has_an_evaluator_and_an_example_here() -> None:
    known = set(question_classes())
    assert known == set(EVALUATORS)
    assert known == set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_question_is_a_value_and_renders_the_same_each_time(kind: type[Question]) -> None:
    question, other = EXAMPLES[kind](), EXAMPLES[kind]()
    assert question == other
    assert hash(question) == hash(other)
    states = SharedState(), SharedState()
    assert question.render(states[0]) == other.render(states[1])
    assert states[0].as_json() == states[1].as_json()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_rendering_names_only_what_it_puts_into_the_state(kind: type[Question]) -> None:
    state = SharedState()
    state.put("passages", "somebody else's")
    wire = EXAMPLES[kind]().render(state)
    own = {
        f"{group}.{key}"
        for group, members in state.as_json().items()
        for key, text in members.items()
        if text != "somebody else's"
    }
    prompt = wire.instructions + " ".join(wire.criteria)
    assert own
    assert all(reference in prompt or reference.split(".")[1] in wire.criteria for reference in own)
    assert "passage_0" not in prompt


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_rendering_survives_a_round_trip(kind: type[Question]) -> None:
    question = EXAMPLES[kind]()
    wire = question.render(SharedState())
    assert json.loads(json.dumps(to_json(wire))) == {
        "type": wire.type,
        "instructions": wire.instructions,
        "criteria": dict(wire.criteria),
    }
    if isinstance(question, ChoiceQuestion):
        assert list(wire.labels) == list(wire.criteria)
        assert set(wire.labels.values()) <= set(question.labels())
        for label, own in wire.labels.items():
            answer = {"type": "choice", "choice": label, "confidence": 1.0, "probabilities": {label: 1.0}}
            read = read_answer(wire, answer)
            assert getattr(read, "label", None) == own
    else:
        assert wire.criteria.keys() == {"true", "false"}
        assert read_answer(wire, {"type": "noul", "noul": 0.5}) is not None


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_offline_engine_answers_it_in_its_kind(kind: type[Question]) -> None:
    question = EXAMPLES[kind]()
    (answer,) = evaluate([question])
    if isinstance(question, ChoiceQuestion):
        assert getattr(answer, "label", None) in question.labels()
        shares = getattr(answer, "probabilities", {})
        assert sum(shares.values()) == pytest.approx(1.0, abs=1e-3)
    else:
        assert 0.0 < getattr(answer, "probability", -1.0) < 1.0
