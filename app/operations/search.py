"""Searching without judging: the fused hits of the term index and the caller's vector search."""

from dataclasses import dataclass

from app.documents.context import SearchHit, SearchHits
from app.operations.two_legs import Asked, Legs, Nearest, ask_both, hits_by_key, refuse_blank
from app.ports.clock import Clock
from app.ports.document_store import DocumentStore
from app.ports.term_index import TermIndex, TermSpace
from app.ports.vector_search import VectorSearch
from app.retrieval.fusion import Fused, fuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Finds units by their terms, and by the caller's vectors where a vector search is set."""

    term_index: TermIndex
    vector_search: VectorSearch | None
    documents: DocumentStore
    clock: Clock

    async def run(
        self, query: str, *, collection: str, documents: tuple[str, ...] | None, limit: int, terms: TermSpace
    ) -> SearchHits:
        """Return the `limit` best units.

        With terms alone the order and the scores are those of BM25; with vector hits both lists are fused, and a score
        is the sum of reciprocal ranks. A vector search that does not answer is named in `warnings`.

        Raises:
            InvalidRequest: the query is blank.
        """
        refuse_blank(query)
        if documents == ():
            return SearchHits(hits=())
        asked = Asked(
            collection=collection,
            query=query,
            query_in_full=query,
            space=terms,
            limit=limit,
            nearest_limit=limit,
            documents=documents,
        )
        legs = await ask_both(asked, self.term_index, self.vector_search, self.clock)
        if not legs.nearest:
            hits = tuple(
                _hit(hit.document, hit.unit.id, hit.score, hit.unit.text, hit.unit.path) for hit in legs.lexical
            )
            return SearchHits(hits=hits, warnings=_warnings(legs))
        fused = fuse([[(hit.document, hit.unit.id) for hit in legs.lexical], legs.nearest])
        return SearchHits(hits=await self._fused(legs, fused, collection, limit), warnings=_warnings(legs))

    async def _fused(self, legs: Legs, fused: list[Fused], collection: str, limit: int) -> tuple[SearchHit, ...]:
        found = await hits_by_key(legs, [one.key for one in fused], collection, self.documents)
        hits = []
        for one in fused:
            hit = found.get(one.key)
            # A vector store may still know units that have been removed here.
            if hit is not None:
                hits.append(_hit(*one.key, one.score, hit.unit.text, hit.unit.path))
        return tuple(hits[:limit])


def _hit(document: str, unit: str, score: float, text: str, path: tuple[str, ...]) -> SearchHit:
    return SearchHit(document=document, unit=unit, score=score, text=text, path=path)


def _warnings(legs: Legs) -> tuple[str, ...]:
    if legs.state is Nearest.UNAVAILABLE:
        return (*legs.warnings, "The vector search did not answer: these are hits by terms alone.")
    return legs.warnings
