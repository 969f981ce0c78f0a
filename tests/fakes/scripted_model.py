"""A decision model that answers as a test scripts it, and remembers what it was asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.documents.decision import Answer, Choice, DecisionBatch, Question, YesNo
from app.errors import DecisionModelUnavailable

#: Answers one question; None leaves it unanswered.
Script = Callable[[Question], Answer | None]


def yes(probability: float = 1.0) -> YesNo:
    return YesNo(probability)


def chosen(label: str, confidence: float = 0.9) -> Choice:
    return Choice(label=label, confidence=confidence, probabilities={label: confidence})


@dataclass
class ScriptedModel:
    """Satisfies `DecisionModel`. A script that raises `DecisionModelUnavailable` leaves its whole batch unanswered."""

    script: Script
    name: str = "scripted-1"
    cacheable: bool = False
    offline: bool = False
    asked: list[Question] = field(default_factory=list)

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        self.asked.extend(questions)
        return DecisionBatch(
            answers=tuple(self.script(question) for question in questions), model=self.name, offline=self.offline
        )

    def asked_of(self, kind: type[Question]) -> list[Question]:
        return [question for question in self.asked if isinstance(question, kind)]


def unavailable(_question: Question) -> Answer | None:
    """A script of a model that is away."""
    raise DecisionModelUnavailable("The decision model is away.")
