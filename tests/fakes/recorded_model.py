"""A decision model that replays answers from a file and fails on a question that nobody recorded."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.documents.decision import Answer, Choice, DecisionBatch, Question, SharedState, YesNo


class NotRecorded(AssertionError):
    """A test asked a question that its recording does not hold."""


class RecordedDecisionModel:
    """Replays a recording: a JSON list of `{"question", "state", "answer"}`.

    `question` is the class, `state` what it says rendered alone, `answer` a probability, a label with its
    probabilities, or null for a question that stays unanswered. `record` writes such a list.
    """

    cacheable = True
    offline = False

    def __init__(self, path: Path, *, name: str = "recorded-1") -> None:
        self.name = name
        entries = json.loads(path.read_text(encoding="utf-8"))
        self._answers = {_key(entry["question"], entry["state"]): _read(entry["answer"]) for entry in entries}

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        return DecisionBatch(answers=tuple(map(self._answer, questions)), model=self.name, input_tokens=len(questions))

    def _answer(self, question: Question) -> Answer | None:
        state = _state(question)
        try:
            return self._answers[_key(type(question).__name__, state)]
        except KeyError:
            raise NotRecorded(f"no recorded answer to {type(question).__name__} about {json.dumps(state)}") from None


def record(path: Path, answered: Sequence[tuple[Question, Answer | None]]) -> None:
    """Write questions with their answers, as `RecordedDecisionModel` reads them."""
    entries = [
        {"question": type(question).__name__, "state": _state(question), "answer": _write(answer)}
        for question, answer in answered
    ]
    path.write_text(json.dumps(entries, indent=1), encoding="utf-8")


def _state(question: Question) -> dict[str, Any]:
    state = SharedState()
    question.render(state)
    return dict(state.as_json())


def _key(name: str, state: dict[str, Any]) -> tuple[str, str]:
    return name, json.dumps(state)


def _read(answer: Any) -> Answer | None:  # noqa: ANN401 - whatever a test's file holds
    if answer is None:
        return None
    if isinstance(answer, dict):
        shares = answer["probabilities"]
        return Choice(label=answer["label"], confidence=shares[answer["label"]], probabilities=shares)
    return YesNo(float(answer))


def _write(answer: Answer | None) -> object:
    match answer:
        case YesNo(probability=probability):
            return probability
        case Choice(label=label, probabilities=probabilities):
            return {"label": label, "probabilities": dict(probabilities)}
        case _:
            return None
