"""Finding what is worth judging (retrieval design, "Retrieval", step 1; ruling 27)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.context import RetrieveQuery
from app.documents.document import UnitHit
from app.operations.two_legs import Asked, Legs, Nearest, ask_both, hits_by_key
from app.ports.clock import Clock
from app.ports.document_store import DocumentStore
from app.ports.term_index import TermIndex, TermSpace
from app.ports.vector_search import VectorSearch
from app.retrieval.allowed import Allowed
from app.retrieval.candidates import (
    CANDIDATES,
    CANDIDATES_WITHIN_DOCUMENTS,
    Candidate,
    key_of,
    spread_over_documents,
)
from app.retrieval.common_words import without_common_words
from app.retrieval.conversation_scoring import in_their_places, score_messages
from app.retrieval.conversation_units import is_spoken
from app.retrieval.fusion import Fused, UnitKey, fuse
from app.retrieval.two_grains import TwoGrains

#: Hits of the term index that are rescored at two grains: more gained nothing.
RESCORED = 30
#: Messages found that are rescored with what stands around them, and how far around: as far as a window reaches from
#: the messages that it brings in.
RESCORED_MESSAGES, AROUND_MESSAGES = 100, 12


@dataclass(frozen=True, slots=True)
class Found:
    """What the searches of all collections found."""

    candidates: Sequence[Candidate]
    #: Scores the pieces of any unit for the question.
    grains: TwoGrains
    nearest: Nearest
    #: Document ids in the question that none of the collections holds.
    unknown_documents: tuple[str, ...]
    #: Units of conversations, those found and those around them, best first with their scores.
    messages: Sequence[UnitHit] = ()


@dataclass(frozen=True, slots=True)
class CandidateFinder:
    """Asks both searches in every collection of a question, and fuses what they find by rank."""

    term_index: TermIndex
    vector_search: VectorSearch | None
    documents: DocumentStore
    clock: Clock

    async def find(self, query: RetrieveQuery, allowed: Allowed) -> Found:
        """Return the candidates of a question, best first, each document's first three ahead of the rest.

        A collection takes two trips to the database at most; all collections are asked at once. What stands around
        messages takes one more.
        """
        wanted = _candidates_wanted(query)
        legs = await asyncio.gather(*(self._search(query, name, wanted) for name in query.searched))
        lexical = [allowed.keep(each.lexical) for each in legs]
        # Cutting and scoring pieces, here and when packing, takes milliseconds that other requests need not wait for.
        question = without_common_words(query.query)
        ordered, grains = await asyncio.to_thread(_by_two_grains, question, lexical)
        messages = await self._messages(question, lexical, allowed)
        ordered = [
            in_their_places(hits, [one for one in messages if one.collection == name])
            for name, hits in zip(query.searched, ordered, strict=True)
        ]
        fused = fuse([*([key_of(hit) for hit in hits[:wanted]] for hits in ordered), *(each.nearest for each in legs)])
        hits = {key_of(hit): hit for hit in messages}
        hits |= await self._hits(query, legs, [one.key for one in fused if one.key not in hits])
        candidates = [
            _candidate(one, hits[one.key], query.searched)
            for one in fused
            if one.key in hits and allowed.lets_pass(hits[one.key])
        ]
        return Found(spread_over_documents(candidates[:wanted]), grains, _state(legs), _unknown(legs), messages)

    async def _search(self, query: RetrieveQuery, collection: str, wanted: int) -> Legs:
        # Kinds are told apart here: of the others there may be many.
        found = max(wanted, RESCORED) if query.kinds is None else CANDIDATES_WITHIN_DOCUMENTS
        asked = Asked(
            collection=collection,
            query=without_common_words(query.query),
            query_in_full=query.query,
            space=TermSpace.FOLDED,
            limit=found,
            nearest_limit=wanted,
            documents=query.documents,
        )
        return await ask_both(asked, self.term_index, self.vector_search, self.clock)

    async def _messages(self, question: str, lexical: Sequence[Sequence[UnitHit]], allowed: Allowed) -> list[UnitHit]:
        """Score what was found of conversations, with what stands around it."""
        spoken = [hit for hits in lexical for hit in [one for one in hits if is_spoken(one)][:RESCORED_MESSAGES]]
        if not spoken:
            return []
        nearby = [hit for hit in await self.documents.around(spoken, AROUND_MESSAGES) if is_spoken(hit)]
        return await asyncio.to_thread(score_messages, question, allowed.keep(nearby))

    async def _hits(
        self, query: RetrieveQuery, legs: Sequence[Legs], keys: Sequence[UnitKey]
    ) -> dict[UnitKey, UnitHit]:
        """Look up what only the vector searches found."""
        found = await asyncio.gather(
            *(
                hits_by_key(own, [key for key in keys if key[0] == name], name, self.documents)
                for name, own in zip(query.searched, legs, strict=True)
            )
        )
        return {key: hit for own in found for key, hit in own.items()}


def _candidates_wanted(query: RetrieveQuery) -> int:
    if query.limit is not None:
        return query.limit
    return CANDIDATES if query.documents is None else CANDIDATES_WITHIN_DOCUMENTS


def _by_two_grains(question: str, lexical: Sequence[Sequence[UnitHit]]) -> tuple[list[list[UnitHit]], TwoGrains]:
    """Order each collection's hits by both grains, which compare scores of one collection only.

    The grains that are returned score pieces of units of any of the collections.
    """
    grains = [TwoGrains(question, hits[:RESCORED]) for hits in lexical]
    ordered = [[*own.ordered(), *hits[RESCORED:]] for own, hits in zip(grains, lexical, strict=True)]
    if len(grains) == 1:
        return ordered, grains[0]
    return ordered, TwoGrains(question, [hit for hits in lexical for hit in hits[:RESCORED]])


def _candidate(one: Fused, hit: UnitHit, searched: Sequence[str]) -> Candidate:
    leg = searched.index(hit.collection)
    lexical_rank, nearest_rank = one.ranks[leg], one.ranks[len(searched) + leg]
    return Candidate(hit=hit, score=one.score, lexical_rank=lexical_rank, nearest_rank=nearest_rank)


def _state(legs: Sequence[Legs]) -> Nearest:
    """One vector search that was away is told of, whatever the others found."""
    states = {each.state for each in legs}
    return Nearest.UNAVAILABLE if Nearest.UNAVAILABLE in states else legs[0].state


def _unknown(legs: Sequence[Legs]) -> tuple[str, ...]:
    return tuple(name for name in legs[0].unknown_documents if all(name in each.unknown_documents for each in legs))
