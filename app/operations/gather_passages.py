"""Gathering what a full answer takes: several places, a section, a neighbour (retrieval design, "Retrieval", step 4).

It takes at most three decision rounds, one after the other: judging; whether that is complete, and which neighbours
are meant; judging more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.decision import Question
from app.documents.document import UnitHit
from app.documents.profile import Profile
from app.operations.gather_conversation import ConversationGatherer
from app.operations.gather_entries import EntryGatherer
from app.operations.judge_passages import Judged, PassageJudge
from app.ports.document_store import DocumentStore
from app.retrieval.allowed import Allowed
from app.retrieval.candidates import Candidate, key_of
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import (
    BEST_BESIDE_STEPS,
    LINKED_SHARE,
    Gathered,
    Kept,
    Part,
    Parts,
    gather,
    may_be_incomplete,
    wants_completeness,
    with_added,
)
from app.retrieval.judging import YES, probability
from app.retrieval.questions import IsComplete, IsStepAskedFor, Scope
from app.retrieval.surroundings import NEIGHBOUR_REACH, SECTION_UNITS, neighbour, section, steps_beside

_SECTIONS = (Scope.WHOLE_SECTION, Scope.ALL_STEPS)


@dataclass(frozen=True, slots=True)
class PassageGatherer:
    """Gathers the context of one question from its pools of candidates."""

    judge: PassageJudge
    documents: DocumentStore
    allowed: Allowed

    async def gather(self, pools: Sequence[Sequence[Candidate]]) -> Parts | None:
        """Return the chosen parts, what else was kept, and what nearly was.

        None when nobody judged a single passage of the first pool.
        """
        trace = self.judge.trace
        entry_gatherer = EntryGatherer(self.judge, self.documents, self.allowed)
        entries = await entry_gatherer.look_up(pools[0])
        talk = ConversationGatherer(self.judge, self.documents, self.allowed, [one for pool in pools for one in pool])
        conversations = await talk.look_up(pools[0])
        pool = [*pools[0], *entries.joining(pools[0]), *conversations.joining(pools[0])]
        beside_pool = [*entry_gatherer.questions(entries), *talk.questions(conversations)]
        judged = await self.judge.judge(pool, beside_pool)
        if not judged.judgement.answered:
            return None
        gathered = gather(judged.kept, trace.scopes)
        taken = await entry_gatherer.take(entries, judged)
        kept = [one for one in gathered.chosen if not (taken.alone and one.candidate.gathered_by is Profile.REFERENCE)]
        chosen = with_added(taken.parts, [Part(one.candidate.hit, one.score) for one in kept])
        chosen = with_added(chosen, await talk.take(conversations, judged, gathered))
        chosen = with_added(chosen, await self._sections(gathered))
        beside = await self._beside(judged)
        complete, confirmed = await self._confirm(gathered, beside)
        # The neighbour that is asked for is the answer: in little room it comes before what resembles the question.
        chosen = with_added(beside.taken, [*chosen, *confirmed])
        if not complete and len(pools) > 1:
            chosen = with_added(chosen, await self._further(pools[1]))
        keys = {key_of(part.hit) for part in chosen}
        trace.chosen.update(keys)
        others = [Part(one.candidate.hit, one.score) for one in gathered.others]
        return Parts(chosen, others, self._near(pool)).without(keys)

    def _near(self, pool: Sequence[Candidate]) -> list[Part]:
        """Candidates that were judged and not kept, of at least half the threshold, best first."""
        trace, least = self.judge.trace, self.judge.config.rank_threshold / 2
        scored = [(trace.scores.get(one.key), one) for one in pool if one.key not in trace.kept]
        near = [Part(one.hit, score) for score, one in scored if score is not None and score >= least]
        return sorted(near, key=lambda part: -part.worth)

    async def _sections(self, gathered: Gathered) -> list[Part]:
        """The sections of the passages whose profile takes one."""
        trace = self.judge.trace
        bests = [one for one in gathered.chosen if trace.scopes.get(one.candidate.gathered_by) in _SECTIONS]
        if not bests:
            return []
        nearby = await self._around([one.candidate.hit for one in bests], SECTION_UNITS - 1)
        parts: list[Part] = []
        for best in bests:
            scope = trace.scopes[best.candidate.gathered_by] or Scope.ONE_PASSAGE
            found = [hit for hit in section(best.candidate.hit, nearby, scope) if key_of(hit) != best.candidate.key]
            trace.took(scope.value, found)
            parts += [Part(hit, max(trace.scores.get(key_of(hit)) or 0.0, best.score * LINKED_SHARE)) for hit in found]
        return parts

    async def _beside(self, judged: Judged) -> "_Beside":
        """The neighbour of the step that the question names, and those to be asked about."""
        trace, judgement = self.judge.trace, judged.judgement
        profiles = [profile for profile, scope in trace.scopes.items() if scope is Scope.NEXT_OR_PREVIOUS_STEP]
        if not profiles:
            return _Beside()
        known = [one for one in judged.kept if one.candidate.gathered_by in profiles][:BEST_BESIDE_STEPS]
        named = None if judgement.named_step is None else judged.pool[judgement.named_step].hit
        bases = [one.candidate.hit for one in known]
        nearby = await self._around([*bases, *([] if named is None else [named])], NEIGHBOUR_REACH)
        taken: list[Part] = []
        if named is not None and judgement.direction is not None:
            found = neighbour(named, judgement.direction, nearby, chars_per_token=self.judge.config.chars_per_token)
            if found is not None:
                trace.took(f"{judgement.direction.value} step", [found])
                taken.append(Part(found, 1.0))
        return _Beside(taken, _asked_about(bases, nearby, {key_of(part.hit) for part in taken}))

    async def _around(self, hits: Sequence[UnitHit], reach: int) -> list[UnitHit]:
        return self.allowed.keep(await self.documents.around(hits, reach))

    async def _confirm(self, gathered: Gathered, beside: "_Beside") -> tuple[bool, list[Part]]:
        """Ask whether what was gathered is the whole answer, and which neighbours are meant, in one round.

        Without an answer nothing more is looked for, and no neighbour is taken.
        """
        judge, trace = self.judge, self.judge.trace
        asked: list[tuple[Question, list[UnitHit]]] = []
        if wants_completeness(gathered, trace.scopes):
            hits = [one.candidate.hit for one in gathered.chosen]
            asked.append((IsComplete(judge.question, tuple(judge.shown(hit) for hit in hits)), hits))
        for known, hit in beside.unsure:
            distance = hit.ordinal - known.ordinal
            step = IsStepAskedFor(judge.question, judge.shown(known), judge.shown(hit), distance)
            asked.append((step, [hit]))
        if not asked:
            return True, []
        [answers] = await judge.session.ask("complete", [[question for question, _ in asked]])
        confirmed: list[Part] = []
        for (question, hits), answer in zip(asked, answers, strict=True):
            trace.asked(question, answer, hits)
            said = probability(answer)
            if isinstance(question, IsComplete):
                trace.complete = said
            elif said is not None and said >= YES:
                trace.took("confirmed step", hits)
                confirmed.append(Part(hits[0], said))
        return trace.complete is None or trace.complete >= YES, confirmed

    async def _further(self, pool: Sequence[Candidate]) -> list[Part]:
        """Judge the next candidates of the profiles that may lack a part, and take what states one."""
        wanted = [one for one in pool if may_be_incomplete(one.gathered_by, self.judge.trace.scopes)]
        if not wanted:
            return []
        more: Sequence[Kept] = (await self.judge.judge(wanted)).kept
        return [Part(one.candidate.hit, one.score) for one in more]


@dataclass(frozen=True, slots=True)
class _Beside:
    """Neighbours of steps: what is taken, and pairs of a known passage and one beside it to be asked about."""

    taken: Sequence[Part] = ()
    unsure: Sequence[tuple[UnitHit, UnitHit]] = ()


def _asked_about(
    bases: Sequence[UnitHit], nearby: Sequence[UnitHit], known: set[UnitKey]
) -> list[tuple[UnitHit, UnitHit]]:
    """Each neighbour once, beside the best passage that it stands near; without the best ones themselves."""
    seen = known | {key_of(base) for base in bases}
    pairs: list[tuple[UnitHit, UnitHit]] = []
    for base in bases:
        for hit in steps_beside(base, nearby):
            if key_of(hit) not in seen:
                seen.add(key_of(hit))
                pairs.append((base, hit))
    return pairs
