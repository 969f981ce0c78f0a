"""Searching without judging: the fused hits of the term index and the caller's vector search."""

from dataclasses import dataclass

from app.documents.context import SearchHit, SearchHits
from app.documents.document import UnitHit
from app.operations.two_legs import Asked, Legs, Nearest, ask_both, hits_by_key, refuse_blank, unknown_document_warnings
from app.ports.clock import Clock
from app.ports.document_store import DocumentStore
from app.ports.term_index import TermIndex, TermSpace
from app.ports.vector_search import VectorSearch
from app.retrieval.candidates import key_of
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
            return SearchHits(hits=tuple(_hit(hit, hit.score) for hit in legs.lexical), warnings=_warnings(legs))
        fused = fuse([[key_of(hit) for hit in legs.lexical], legs.nearest])
        return SearchHits(hits=await self._fused(legs, fused, collection, limit), warnings=_warnings(legs))

    async def _fused(self, legs: Legs, fused: list[Fused], collection: str, limit: int) -> tuple[SearchHit, ...]:
        found = await hits_by_key(legs, [one.key for one in fused], collection, self.documents)
        hits = []
        for one in fused:
            hit = found.get(one.key)
            # A vector store may still know units that have been removed here.
            if hit is not None:
                hits.append(_hit(hit, one.score))
        return tuple(hits[:limit])


def _hit(hit: UnitHit, score: float) -> SearchHit:
    return SearchHit(document=hit.document, unit=hit.unit.id, score=score, text=hit.unit.text, path=hit.unit.path)


def _warnings(legs: Legs) -> tuple[str, ...]:
    unknown = unknown_document_warnings(legs.unknown_documents)
    if legs.state is Nearest.UNAVAILABLE:
        return (*unknown, "The vector search did not answer: these are hits by terms alone.")
    return unknown
