"""What retrieval and ranking ask about candidates (retrieval design, "Retrieval", steps 3 and 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from app.documents.decision import ChoiceQuestion, SharedState, WireQuestion, YesNoQuestion


class Scope(StrEnum):
    """How much text a full answer needs."""

    ONE_PASSAGE = "one passage"
    SEVERAL_PLACES = "several places"
    WHOLE_SECTION = "a whole section"
    ALL_STEPS = "all the steps"
    NEXT_OR_PREVIOUS_STEP = "the next or previous step"
    ONE_ENTRY = "one entry"
    NAMED_ENTRIES = "named entries"
    ENTRIES_WITH_PROPERTY = "all entries with a property"
    ONE_MESSAGE = "one message"
    EXCHANGE = "exchange"
    ONE_PERSON = "one person"
    OUTCOME = "outcome"
    CORRECTION = "correction"
    OVERVIEW = "overview"


class Direction(StrEnum):
    """Which neighbour of a step is asked for."""

    NEXT = "next"
    PREVIOUS = "previous"


@dataclass(frozen=True, slots=True)
class Answers(YesNoQuestion):
    """Does this passage state the answer to the question?"""

    asks: ClassVar[str] = "Does this passage state the answer to the question, or a part of it?"
    question: str
    #: Heading path and text, cut to `passage_chars`.
    passage: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question, passage = state.put("questions", self.question), state.put("passages", self.passage)
        return WireQuestion(
            type="noul",
            instructions=f"Does passages.{passage} state the answer to questions.{question}, or a part of it?",
            criteria={
                "true": "It states what is asked for, fully or in part.",
                "false": "It is only about the same subject, or about something else.",
            },
        )


@dataclass(frozen=True, slots=True)
class BestPassage(ChoiceQuestion):
    """Which single passage answers the question best? Labels are the passages' positions, `0` first."""

    asks: ClassVar[str] = "Which single passage answers the question best?"
    question: str
    passages: tuple[str, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [str(position) for position in range(len(self.passages))]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`. Equal passages share a wire label, which then stands for the first of them."""
        question = state.put("questions", self.question)
        labels = _positions(state, self.passages)
        return WireQuestion(
            type="choice",
            instructions=f"Which one of the passages answers questions.{question} best by itself?",
            criteria=dict.fromkeys(labels),
            labels=labels,
        )


@dataclass(frozen=True, slots=True)
class AnswerScope(ChoiceQuestion):
    """How much of the documents does a full answer to this question take?"""

    asks: ClassVar[str] = "How much of the documents does a full answer to this question take?"
    question: str
    #: The scopes that the profile offers.
    scopes: tuple[Scope, ...]

    DESCRIPTIONS: ClassVar[dict[Scope, str]] = {
        Scope.ONE_PASSAGE: "One fact, rule or explanation: a single passage holds it.",
        Scope.SEVERAL_PLACES: "Several things, a comparison or a list, which different places hold.",
        Scope.WHOLE_SECTION: "All that one section says: its rule with every condition and exception.",
        Scope.ALL_STEPS: "A whole procedure, from its first step to its last.",
        Scope.NEXT_OR_PREVIOUS_STEP: "What is done right after, or right before, a step that the question names.",
        Scope.ONE_ENTRY: "One entry: a member, a term or a row.",
        Scope.NAMED_ENTRIES: "The entries that the question names, to compare them or to tell about each.",
        Scope.ENTRIES_WITH_PROPERTY: "Every entry that has some property: a parameter, a version, a value.",
        Scope.ONE_MESSAGE: "Something that one message states in full.",
        Scope.EXCHANGE: "How somebody reacted to something, or what a reply was about.",
        Scope.ONE_PERSON: "What one named person said or wanted, over all of their messages.",
        Scope.OUTCOME: "What was settled in the end.",
        Scope.CORRECTION: "Whether a claim or a number held, or what the final one is.",
        Scope.OVERVIEW: "Points that are spread over many messages and people.",
    }

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [scope.value for scope in self.scopes]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        return WireQuestion(
            type="choice",
            instructions=f"How much text does a full answer to questions.{question} take?",
            criteria={scope.value: self.DESCRIPTIONS[scope] for scope in self.scopes},
            labels={scope.value: scope.value for scope in self.scopes},
        )


@dataclass(frozen=True, slots=True)
class IsComplete(YesNoQuestion):
    """Do these passages together hold the whole answer?"""

    asks: ClassVar[str] = "Do these passages together hold the whole answer to the question?"
    question: str
    passages: tuple[str, ...]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        keys = ", ".join(f"passages.{state.put('passages', passage)}" for passage in self.passages)
        return WireQuestion(
            type="noul",
            instructions=f"Taken together, do these hold everything that a full answer to questions.{question} needs: "
            f"{keys}?",
            criteria={"true": "Nothing of the answer is missing.", "false": "A part of the answer is missing."},
        )


@dataclass(frozen=True, slots=True)
class NamedStep(ChoiceQuestion):
    """Which passage is the step that the question names? Labels are the passages' positions, and `none`."""

    NONE: ClassVar[str] = "none"

    asks: ClassVar[str] = "Which passage is the step that the question names, to ask what comes after or before it?"
    question: str
    passages: tuple[str, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [*(str(position) for position in range(len(self.passages))), self.NONE]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`. Equal passages share a wire label, which then stands for the first of them."""
        question = state.put("questions", self.question)
        labels = _positions(state, self.passages)
        return WireQuestion(
            type="choice",
            instructions=f"questions.{question} may name a step and ask what is done right after or right before it. "
            "Which passage is the step that it names?",
            criteria={**dict.fromkeys(labels), self.NONE: "It names no step, or none of these is it."},
            labels={**labels, self.NONE: self.NONE},
        )


@dataclass(frozen=True, slots=True)
class StepDirection(ChoiceQuestion):
    """Does the question ask for what follows the step that it names, or for what precedes it?"""

    asks: ClassVar[str] = "Does the question ask for the step after the one that it names, or for the one before?"
    question: str

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [direction.value for direction in Direction]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        return WireQuestion(
            type="choice",
            instructions=f"Seen from the step that questions.{question} names, which step does it ask for?",
            criteria={
                Direction.NEXT.value: "The one that is done after it.",
                Direction.PREVIOUS.value: "The one that is done before it.",
            },
            labels={direction.value: direction.value for direction in Direction},
        )


@dataclass(frozen=True, slots=True)
class IsStepAskedFor(YesNoQuestion):
    """Is this passage, which stands near another one, the step that the question asks for?"""

    asks: ClassVar[str] = "Is this passage, a neighbour of one that resembles the question, the step it asks for?"
    question: str
    #: The passage that resembles the question.
    known: str
    passage: str
    #: Places from the known passage to this one; negative when it comes before.
    distance: int

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        known, passage = state.put("passages", self.known), state.put("passages", self.passage)
        side = "after" if self.distance > 0 else "before"
        where = f"right {side}" if abs(self.distance) == 1 else f"{abs(self.distance)} passages {side}"
        return WireQuestion(
            type="noul",
            instructions=f"passages.{passage} stands {where} passages.{known}. Is it the step that is asked for in "
            f"questions.{question}?",
            criteria={
                "true": "It is the step that is asked for, or a part of it.",
                "false": "It is another step, or no step.",
            },
        )


@dataclass(frozen=True, slots=True)
class NeedsLinked(YesNoQuestion):
    """Does the answer need this text, which the passage that states it refers to, or which refers to it?"""

    asks: ClassVar[str] = "Does the answer need this text, which the passage that states it refers to, or is cited by?"
    question: str
    passage: str
    linked: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        passage, linked = state.put("passages", self.passage), state.put("passages", self.linked)
        return WireQuestion(
            type="noul",
            instructions=f"One of passages.{passage} and passages.{linked} refers to the other. Somebody who asks "
            f"questions.{question} is shown passages.{passage}. Do they need passages.{linked} too?",
            criteria={
                "true": "It holds a part of the answer, or a rule, value or condition that the answer depends on.",
                "false": "The answer is the same without it.",
            },
        )


@dataclass(frozen=True, slots=True)
class TurnsOnDefinition(YesNoQuestion):
    """Does the answer turn on this definition of a term that the passage uses?"""

    asks: ClassVar[str] = "Does the answer turn on this definition of a term that the passage uses?"
    question: str
    passage: str
    definition: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        passage, definition = state.put("passages", self.passage), state.put("passages", self.definition)
        return WireQuestion(
            type="noul",
            instructions=f"passages.{passage} uses a term that passages.{definition} defines. Does the answer to "
            f"questions.{question} turn on that definition?",
            criteria={
                "true": "With another meaning of the term the answer would be another.",
                "false": "The answer holds whatever the term means exactly, or doesn't involve it.",
            },
        )


@dataclass(frozen=True, slots=True)
class DecidingDefinition(ChoiceQuestion):
    """Which definition decides the answer? Labels are the definitions' positions, and `none`."""

    NONE: ClassVar[str] = "none"

    asks: ClassVar[str] = "Which one of these definitions decides the answer?"
    question: str
    definitions: tuple[str, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [*(str(position) for position in range(len(self.definitions))), self.NONE]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`. Equal definitions share a wire label, which then stands for the first of them."""
        question = state.put("questions", self.question)
        labels = _positions(state, self.definitions)
        return WireQuestion(
            type="choice",
            instructions=f"Which one of the passages defines the term that decides the answer to questions.{question}?",
            criteria={**dict.fromkeys(labels), self.NONE: "The answer turns on none of these definitions."},
            labels={**labels, self.NONE: self.NONE},
        )


def _positions(state: SharedState, passages: Sequence[str]) -> dict[str, str]:
    """Wire labels of passages by their positions; equal ones share the label of the first."""
    labels: dict[str, str] = {}
    for position, passage in enumerate(passages):
        labels.setdefault(state.put("passages", passage), str(position))
    return labels
