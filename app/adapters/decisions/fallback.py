"""A decision model that has another one to fall back on (decisions design, "When nobody answers")."""

from collections.abc import Sequence

from app.documents.decision import DecisionBatch, Question
from app.errors import DecisionModelUnavailable
from app.ports.decision_model import DecisionModel


class FallbackDecisionModel:
    """Asks `first`, and `second` when `first` does not answer. Each batch is labelled with who gave its answers."""

    offline = False

    def __init__(self, first: DecisionModel, second: DecisionModel) -> None:
        self.name = first.name
        self.cacheable = first.cacheable
        self._first = first
        self._second = second

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        """See `DecisionModel.answer`."""
        try:
            return await self._first.answer(questions)
        except DecisionModelUnavailable:
            return await self._second.answer(questions)
