"""Answering a question with the passages of stored documents that hold the answer (retrieval design, "Retrieval")."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.context import AbstainReason, Context, OnUnavailable, RetrieveQuery
from app.documents.document import LinkType
from app.errors import DecisionModelUnavailable
from app.operations.decision_session import DecisionSession
from app.operations.judge_passages import PassageJudge
from app.operations.two_legs import Asked, Legs, ask_both, hits_by_key, refuse_blank
from app.ports.clock import Clock
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.document_store import DocumentStore
from app.ports.term_index import TermIndex, TermSpace
from app.ports.vector_search import VectorSearch
from app.retrieval.candidates import (
    CANDIDATES,
    CANDIDATES_WITHIN_DOCUMENTS,
    Candidate,
    key_of,
    pools,
    spread_over_documents,
)
from app.retrieval.common_words import without_common_words
from app.retrieval.fusion import fuse
from app.retrieval.gathering import ONE_PASSAGE, Part, with_links
from app.retrieval.packing import Packed, pack_whole, pack_within
from app.retrieval.trace import Trace
from app.retrieval.two_grains import TwoGrains
from app.text.tokens import approximate_tokens

#: Hits of the term index that are rescored at two grains, of which the best `CANDIDATES` go on: more gained nothing.
RESCORED = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieve:
    """Finds, judges, gathers and packs the context of a question; abstains when the documents don't answer it."""

    term_index: TermIndex
    vector_search: VectorSearch | None
    documents: DocumentStore
    decisions: DecisionModel | None
    cache: DecisionCache | None
    clock: Clock
    #: Decision questions that one query may take.
    max_questions: int

    async def run(self, query: RetrieveQuery) -> Context:
        """Answer `query` from the live documents of its collection.

        Raises:
            InvalidRequest: the query is blank.
            DecisionModelUnavailable: nobody judged the candidates, and the query doesn't take search order instead.
        """
        refuse_blank(query.query)
        answer = _Answer(query, DecisionSession(self.decisions, self.cache, max_questions=self.max_questions), Trace())
        if query.documents == ():
            return answer.abstain(AbstainReason.OUT_OF_SCOPE)
        legs = await self._search(query)
        answer.trace.nearest = legs.state
        answer.warnings = legs.warnings
        if query.documents is not None and set(query.documents) <= set(legs.unknown_documents):
            return answer.abstain(AbstainReason.OUT_OF_SCOPE)
        # Cutting and scoring pieces, here and when packing, takes milliseconds that other requests need not wait for.
        grains = await asyncio.to_thread(TwoGrains, without_common_words(query.query), legs.lexical[:RESCORED])
        candidates = await self._candidates(query, legs, grains)
        answer.trace.candidates = candidates
        if not candidates:
            return answer.abstain(AbstainReason.NO_CANDIDATES)
        return await self._answer(answer, candidates, grains)

    async def _search(self, query: RetrieveQuery) -> Legs:
        wanted = _candidates_wanted(query)
        asked = Asked(
            collection=query.collection,
            query=without_common_words(query.query),
            query_in_full=query.query,
            space=TermSpace.FOLDED,
            limit=max(wanted, RESCORED),
            nearest_limit=wanted,
            documents=query.documents,
        )
        return await ask_both(asked, self.term_index, self.vector_search, self.clock)

    async def _candidates(self, query: RetrieveQuery, legs: Legs, grains: TwoGrains) -> list[Candidate]:
        """Fuse both legs, the lexical one ordered by two grains, and look up what only the vector search found."""
        wanted = _candidates_wanted(query)
        lexical = [key_of(hit) for hit in (*grains.ordered(), *legs.lexical[RESCORED:])]
        fused = fuse([lexical[:wanted], legs.nearest])[:wanted]
        hits = await hits_by_key(legs, [one.key for one in fused], query.collection, self.documents)
        return spread_over_documents(
            [
                Candidate(hit=hits[one.key], score=one.score, lexical_rank=one.ranks[0], nearest_rank=one.ranks[1])
                for one in fused
                if one.key in hits
            ]
        )

    async def _answer(self, answer: "_Answer", candidates: Sequence[Candidate], grains: TwoGrains) -> Context:
        query, trace = answer.query, answer.trace
        judge = PassageJudge(query.query, query.config, answer.session, trace)
        gathered = await judge.gather(pools(candidates, nearest_reserved=query.config.nearest_reserved))
        if gathered is None:
            return await asyncio.to_thread(_unjudged, answer, candidates, grains)
        if not gathered.chosen:
            return answer.abstain(AbstainReason.NOT_ANSWERED)
        links = await self.documents.linked([one.candidate.hit for one in gathered.chosen], (LinkType.NEEDS,))
        trace.followed(LinkType.NEEDS, links)
        chosen = with_links(gathered.chosen, links)
        known = {key_of(part.hit) for part in chosen}
        others = [Part(one.candidate.hit, one.score) for one in gathered.others if one.candidate.key not in known]
        return await asyncio.to_thread(answer.pack, chosen, others, grains, degraded=False)


@dataclass(slots=True)
class _Answer:
    """The answer to one query while it is being made."""

    query: RetrieveQuery
    session: DecisionSession
    trace: Trace
    warnings: tuple[str, ...] = ()

    def abstain(self, reason: AbstainReason) -> Context:
        """Give no context, and say why."""
        return self._context(Packed("", ()), reason=reason, degraded=False)

    def pack(self, chosen: Sequence[Part], others: Sequence[Part], grains: TwoGrains, *, degraded: bool) -> Context:
        """Make the context: the chosen units whole, or what fits the query's budget."""
        max_tokens = self.query.max_tokens
        if max_tokens is None:
            packed = pack_whole([part.hit for part in chosen])
        else:
            packed = pack_within(chosen, others, grains, max_tokens=max_tokens, measure=self._tokens)
        self.trace.dropped = packed.dropped
        return self._context(packed, reason=None if packed.sources else AbstainReason.OVER_BUDGET, degraded=degraded)

    def _context(self, packed: Packed, *, reason: AbstainReason | None, degraded: bool) -> Context:
        return Context(
            text=packed.text,
            abstained=reason is not None,
            reason=reason,
            tokens=self._tokens(packed.text),
            degraded=degraded,
            sources=packed.sources,
            trace=self.trace.as_json(explain=self.query.explain, degraded=self.session.degraded),
            decisions=self.session.use,
            warnings=self.warnings,
        )

    def _tokens(self, text: str) -> int:
        return approximate_tokens(text, self.query.config.chars_per_token)


def _unjudged(answer: _Answer, candidates: Sequence[Candidate], grains: TwoGrains) -> Context:
    """Give the candidates in search order, where the query takes that; else raise."""
    if answer.query.on_unavailable is not OnUnavailable.SEARCH_ONLY:
        raise DecisionModelUnavailable(f"No passage was judged: {answer.session.failure or 'no answer came'}.")
    first = candidates[: CANDIDATES if answer.query.max_tokens is not None else ONE_PASSAGE]
    answer.trace.chosen.update(candidate.key for candidate in first)
    # Nobody says how good they are, so their places do.
    parts = [Part(candidate.hit, 1 - place / CANDIDATES) for place, candidate in enumerate(first)]
    return answer.pack(parts, (), grains, degraded=True)


def _candidates_wanted(query: RetrieveQuery) -> int:
    return CANDIDATES if query.documents is None else CANDIDATES_WITHIN_DOCUMENTS
