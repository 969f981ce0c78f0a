import asyncio
from collections.abc import Sequence

import pytest

from app.adapters.decisions.fallback import FallbackDecisionModel
from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.documents.decision import DecisionBatch, Question, YesNo
from app.errors import DecisionModelUnavailable
from app.retrieval.questions import Answers


class Hosted:
    name = "jev-latest"
    cacheable = True
    offline = False

    def __init__(self, *, up: bool) -> None:
        self._up = up

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        if not self._up:
            raise DecisionModelUnavailable("down")
        return DecisionBatch(answers=(YesNo(0.9), None), model="jev-1.13.0")


QUESTIONS = [Answers("How long do refunds take?", text) for text in ("Refunds take ten days.", "Shipping is free.")]


def test_the_first_answers_while_it_can() -> None:
    model = FallbackDecisionModel(Hosted(up=True), OfflineDecisionModel())
    assert (model.name, model.cacheable, model.offline) == ("jev-latest", True, False)
    batch = asyncio.run(model.answer(QUESTIONS))
    # A question left out stays unanswered: mixed answers would pass for the first one's.
    assert batch == DecisionBatch(answers=(YesNo(0.9), None), model="jev-1.13.0")


def test_the_second_answers_under_its_own_name() -> None:
    model = FallbackDecisionModel(Hosted(up=False), OfflineDecisionModel())
    batch = asyncio.run(model.answer(QUESTIONS))
    assert batch.model.startswith("offline-")
    assert batch.offline
    assert None not in batch.answers


def test_when_neither_answers_the_second_says_why() -> None:
    with pytest.raises(DecisionModelUnavailable):
        asyncio.run(FallbackDecisionModel(Hosted(up=False), Hosted(up=False)).answer(QUESTIONS))
