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
        labels: dict[str, str] = {}
        for position, passage in enumerate(self.passages):
            labels.setdefault(state.put("passages", passage), str(position))
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
