"""A term index in memory for measurements: it counts the terms of its units once, and scores all of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from app.documents.document import UnitHit
from app.ports.term_index import TermSearch, TermSpace
from app.terms.bm25 import K1, B, idf
from app.terms.folded import folded_terms


class CountedIndex:
    """Satisfies `TermIndex` for one collection of texts in English, in the folded term space."""

    def __init__(self, hits: Sequence[UnitHit]) -> None:
        self._units = [(hit, Counter(folded_terms(hit.unit.text, None))) for hit in hits]
        self._frequency = Counter(term for _, counts in self._units for term in counts)
        self._average = sum(counts.total() for _, counts in self._units) / max(len(self._units), 1)

    async def search(
        self, collection: str, query: str, *, space: TermSpace, limit: int, documents: Sequence[str] | None
    ) -> TermSearch:
        """See `TermIndex.search`."""
        del collection, space
        terms = sorted(set(folded_terms(query, None)))
        weights = {term: idf(len(self._units), self._frequency[term]) for term in terms}
        allowed = None if documents is None else set(documents)
        scored = []
        for hit, counts in self._units:
            norm = K1 * (1 - B + B * counts.total() / max(self._average, 1))
            score = sum(weights[term] * counts[term] * (K1 + 1) / (counts[term] + norm) for term in terms)
            if score and (allowed is None or hit.document in allowed):
                scored.append(replace(hit, score=score))
        scored.sort(key=lambda hit: -hit.score)
        return TermSearch(tuple(scored[:limit]))
