import asyncio
from pathlib import Path

import pytest

from app.documents.decision import Answer, Choice, Question, YesNo
from app.retrieval.questions import Answers, BestPassage
from tests.fakes.recorded_model import NotRecorded, RecordedDecisionModel, record

ANSWERED: list[tuple[Question, Answer | None]] = [
    (Answers("q", "a"), YesNo(0.9)),
    (Answers("q", "b"), None),
    (BestPassage("q", ("a", "b")), Choice(label="1", confidence=0.6, probabilities={"0": 0.4, "1": 0.6})),
]


def test_a_recording_is_replayed(tmp_path: Path) -> None:
    record(tmp_path / "answers.json", ANSWERED)
    model = RecordedDecisionModel(tmp_path / "answers.json")
    batch = asyncio.run(model.answer([question for question, _ in reversed(ANSWERED)]))
    assert batch.answers == tuple(answer for _, answer in reversed(ANSWERED))
    assert batch.model == "recorded-1"


def test_a_question_that_is_not_in_it_fails_the_test(tmp_path: Path) -> None:
    record(tmp_path / "answers.json", ANSWERED)
    model = RecordedDecisionModel(tmp_path / "answers.json")
    with pytest.raises(NotRecorded, match=r"Answers about .*another"):
        asyncio.run(model.answer([Answers("another", "a")]))
