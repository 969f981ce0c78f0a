"""The port to the exact-term index (documents design, "Search")."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.documents.document import UnitHit


class TermSpace(StrEnum):
    """Which terms are compared: as written, or folded by language, accents and compounds."""

    EXACT = "exact"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class TermSearch:
    """Hits best first, and the asked-for document ids that the collection does not hold."""

    hits: tuple[UnitHit, ...]
    unknown_documents: tuple[str, ...] = ()


class TermIndex(Protocol):
    """Finds units by BM25 over their terms, exactly."""

    async def search(
        self, collection: str, query: str, *, space: TermSpace, limit: int, documents: Sequence[str] | None
    ) -> TermSearch:
        """Return the `limit` best units for `query` in one snapshot of the collection.

        Scores equal those of a brute-force scorer over the live units of the whole collection; `documents` limits what
        is returned, not the statistics. Ties are ordered by document key, then unit. An unknown collection is empty.
        """
        ...
