"""The port to whoever answers typed questions, and to the store of earlier answers (decisions design)."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from app.documents.decision import Answer, DecisionBatch, Question


class DecisionModel(Protocol):
    """Answers questions that share state, in one request."""

    @property
    def name(self) -> str:
        """Who answers, with the version that its answers depend on, such as `offline-1`; part of every cache key."""
        ...

    @property
    def cacheable(self) -> bool:
        """True when an earlier answer is cheaper to look up than to ask for again."""
        ...

    @property
    def offline(self) -> bool:
        """True for the engine that ships with the product (`detected.by`, ruling 24)."""
        ...

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        """Ask all questions in one request; a question that the answer leaves out, or answers wrongly, is None.

        Raises:
            DecisionModelUnavailable: nobody answered, after the retries that the protocol allows.
        """
        ...


class DecisionCache(Protocol):
    """Remembers answers by key."""

    async def get(self, keys: Sequence[str]) -> Mapping[str, Answer]:
        """Return the known answers among `keys`."""
        ...

    async def put(self, answers: Mapping[str, Answer]) -> None:
        """Remember answers; equal keys are overwritten."""
        ...
