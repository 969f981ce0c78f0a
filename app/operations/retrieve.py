"""Answering a question with the passages of stored documents that hold the answer (retrieval design, "Retrieval")."""

import asyncio
from dataclasses import dataclass, field, replace

from app.documents.context import AbstainReason, Context, OnUnavailable, RetrieveQuery
from app.documents.profile import Profile
from app.errors import DecisionModelUnavailable
from app.operations.decision_session import DecisionSession
from app.operations.find_candidates import CandidateFinder, Found
from app.operations.follow_links import LinkFollower
from app.operations.gather_conversation import corrections_of
from app.operations.gather_passages import PassageGatherer
from app.operations.judge_passages import PassageJudge
from app.operations.two_legs import refuse_blank, unknown_document_warnings
from app.ports.clock import Clock
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.document_store import DocumentStore
from app.ports.term_index import TermIndex
from app.ports.vector_search import VectorSearch
from app.retrieval.allowed import Allowed
from app.retrieval.candidates import CANDIDATES, key_of, pools
from app.retrieval.conversation_packing import in_a_budget
from app.retrieval.corrections import Corrections
from app.retrieval.gathering import ONE_PASSAGE, Part, Parts
from app.retrieval.packing import Packed, pack_whole, pack_within
from app.retrieval.trace import Trace
from app.retrieval.two_grains import TwoGrains
from app.text.tokens import approximate_tokens

#: Messages that a budget is filled from: one for each so many tokens, which is what a short one takes, and no fewer
#: than so many.
_TOKENS_EACH, _LEAST_FILL = 8, 50


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
        allowed = Allowed(query.kinds, query.include_suspect)
        session = DecisionSession(self.decisions, self.cache, max_questions=self.max_questions)
        answer = _Answer(query, session, Trace(suspect=allowed.suspect, several_collections=len(query.searched) > 1))
        if query.documents == ():
            return answer.abstain(AbstainReason.OUT_OF_SCOPE)
        finder = CandidateFinder(self.term_index, self.vector_search, self.documents, self.clock)
        found = await finder.find(query, allowed)
        answer.trace.nearest, answer.trace.candidates = found.nearest, found.candidates
        answer.warnings = unknown_document_warnings(found.unknown_documents)
        if query.documents is not None and set(query.documents) <= set(found.unknown_documents):
            return answer.abstain(AbstainReason.OUT_OF_SCOPE)
        if not found.candidates:
            return answer.abstain(AbstainReason.NO_CANDIDATES)
        return await self._answer(answer, found, allowed)

    async def _answer(self, answer: "_Answer", found: Found, allowed: Allowed) -> Context:
        query = answer.query
        judge = PassageJudge(query.query, query.config, answer.session, answer.trace)
        gatherer = PassageGatherer(judge, self.documents, allowed)
        gathered = await gatherer.gather(pools(found.candidates, nearest_reserved=query.config.nearest_reserved))
        if gathered is None:
            return await self._pack(answer, _unjudged(answer, found), found, allowed, degraded=True)
        if not gathered.chosen:
            return answer.abstain(AbstainReason.NOT_ANSWERED)
        chosen = await LinkFollower(judge, self.documents, allowed).follow(gathered.chosen)
        known = {key_of(part.hit) for part in chosen}
        answer.trace.chosen.update(known)
        parts = replace(gathered, chosen=chosen).without(known)
        return await self._pack(answer, parts, found, allowed, degraded=False)

    async def _pack(
        self, answer: "_Answer", parts: Parts, found: Found, allowed: Allowed, *, degraded: bool
    ) -> Context:
        """Make the context of what was gathered, with the corrections of what it may show."""
        scope = answer.trace.scopes.get(Profile.CONVERSATIONAL)
        arranged = parts
        fills: tuple[Part, ...] = ()
        if (max_tokens := answer.query.max_tokens) is not None:
            arranged = in_a_budget(parts, found.messages, scope, most=max(max_tokens // _TOKENS_EACH, _LEAST_FILL))
            fills = (*arranged.others, *arranged.near, *arranged.around)
        shown = [part.hit for part in (*arranged.chosen, *fills)]
        answer.corrections = await corrections_of(shown, self.documents, allowed)
        latest = [answer.corrections[key] for part in parts.chosen if (key := key_of(part.hit)) in answer.corrections]
        answer.trace.took("corrects", [hit for hit in latest if key_of(hit) not in answer.trace.chosen])
        answer.trace.chosen.update(key_of(hit) for hit in latest)
        return await asyncio.to_thread(answer.pack, parts, arranged, found.grains, degraded=degraded)


@dataclass(slots=True)
class _Answer:
    """The answer to one query while it is being made."""

    query: RetrieveQuery
    session: DecisionSession
    trace: Trace
    warnings: tuple[str, ...] = ()
    corrections: Corrections = field(default_factory=dict)

    def abstain(self, reason: AbstainReason) -> Context:
        """Give no context, and say why."""
        return self._context(Packed("", ()), reason=reason, degraded=False)

    def pack(self, parts: Parts, arranged: Parts, grains: TwoGrains, *, degraded: bool) -> Context:
        """Make the context: the chosen units whole, or, as they are arranged for it, what fits the query's budget."""
        max_tokens = self.query.max_tokens
        if max_tokens is None:
            packed = pack_whole([part.hit for part in parts.chosen], self.corrections)
        else:
            packed = pack_within(
                arranged,
                grains,
                max_tokens=max_tokens,
                measure=self._tokens,
                corrections=self.corrections,
                told=[*parts.chosen, *parts.others],
            )
        self.trace.dropped = packed.dropped
        shown = {(source.collection, source.document, source.unit) for source in packed.sources}
        self.trace.near = {key_of(part.hit) for part in parts.near} & shown
        self.trace.around = {key_of(part.hit) for part in arranged.around} & shown
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


def _unjudged(answer: _Answer, found: Found) -> Parts:
    """Give the candidates in search order, where the query takes that; else raise."""
    if answer.query.on_unavailable is not OnUnavailable.SEARCH_ONLY:
        raise DecisionModelUnavailable(f"No passage was judged: {answer.session.failure or 'no answer came'}.")
    first = found.candidates[: CANDIDATES if answer.query.max_tokens is not None else ONE_PASSAGE]
    answer.trace.chosen.update(candidate.key for candidate in first)
    # Nobody says how good they are, so their places do.
    parts = [Part(candidate.hit, 1 - place / CANDIDATES) for place, candidate in enumerate(first)]
    return Parts(parts)
