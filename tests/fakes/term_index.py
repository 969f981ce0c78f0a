"""BM25 by looking at every unit: what the index must equal, to the last bit."""

import math
from collections import Counter
from collections.abc import Sequence

from app.ports.term_index import TermSearch, TermSpace
from app.terms.bm25 import K1, B
from app.terms.languages import folding_language
from app.terms.stored import exact_query, folded_query, stored_exact, stored_folded
from app.terms.unit_terms import count_terms
from tests.fakes.memory import Memory, MemoryDocument


class MemoryTermIndex:
    """See the port `TermIndex`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def search(
        self, collection: str, query: str, *, space: TermSpace, limit: int, documents: Sequence[str] | None
    ) -> TermSearch:
        live = self._memory.live(collection)
        counts = [(row, ordinal, terms) for row in live for ordinal, terms in enumerate(_counts(row, space))]
        average = sum(terms.total() for _, _, terms in counts) / len(counts) if counts else 0.0
        foldings = {folding_language(row.document.language) for row in live if row.document}
        query_terms = exact_query(query) if space is TermSpace.EXACT else folded_query(query, foldings)
        idfs = {term: _idf(len(counts), sum(term in terms for _, _, terms in counts)) for term in query_terms}
        hits = [
            row.hit(ordinal, _score(query_terms, idfs, terms, average))
            for row, ordinal, terms in counts
            if (documents is None or row.id in documents) and any(term in terms for term in query_terms)
        ]
        hits.sort(key=lambda hit: (-hit.score, hit.document_key, hit.ordinal))
        known = {row.id for row in live}
        return TermSearch(tuple(hits[:limit]), tuple(name for name in documents or () if name not in known))


def _counts(row: MemoryDocument, space: TermSpace) -> list[Counter[str]]:
    assert row.document is not None
    folding = folding_language(row.document.language)
    units = count_terms(row.document.units, row.document.language)
    if space is TermSpace.EXACT:
        return [Counter({stored_exact(term): count for term, count in unit.exact.items()}) for unit in units]
    return [Counter({stored_folded(term, folding): count for term, count in unit.folded.items()}) for unit in units]


def _idf(units: int, df: int) -> float:
    return math.log(1 + (units - df + 0.5) / (df + 0.5))


def _score(query_terms: Sequence[str], idfs: dict[str, float], terms: Counter[str], average: float) -> float:
    """The formula of the documents design, "Search", summed in the byte order of the terms."""
    norm = K1 * (1 - B + B * terms.total() / max(average, 1))
    score = 0.0
    for term in query_terms:
        count = terms[term]
        if count:
            score += idfs[term] * count * (K1 + 1) / (count + norm)
    return score
