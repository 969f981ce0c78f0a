"""The port to the caller's vector search."""

from collections.abc import Sequence
from typing import Protocol


class VectorSearch(Protocol):
    """Finds units by the caller's embeddings."""

    async def neighbours(
        self, collection: str, query: str, *, limit: int, documents: Sequence[str] | None
    ) -> Sequence[tuple[str, str]]:
        """Return (document id, unit id), nearest first.

        Raises:
            Unavailable: the search failed or was too slow; terms alone then answer the question.
        """
        ...
