"""Gathering from conversations: outcomes that the search missed, and what the scope takes (conversations design, e)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.documents.decision import Choice
from app.documents.document import UnitHit
from app.documents.profile import Profile
from app.operations.judge_passages import AboutUnits, Judged, PassageJudge
from app.ports.document_store import MOST_SPEAKERS, DocumentStore, Speaker
from app.retrieval.allowed import Allowed
from app.retrieval.candidates import Candidate, key_of
from app.retrieval.conversation_questions import AddsToAnswer, WhoseWords
from app.retrieval.conversation_threads import CHAIN, LINKS, Brought, Threads, distinct
from app.retrieval.conversation_units import closest, is_spoken, name_of_speaker, speaker_of
from app.retrieval.corrections import latest_corrections
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import LINKED_SHARE, Gathered, Part
from app.retrieval.judging import YES, probability
from app.retrieval.questions import Scope

#: Outcomes that join the pool.
JOINING_OUTCOMES = 2
#: Messages that are asked whether they add to the answer: of one person, and of what was found for an overview.
MORE_OF_ONE_PERSON, MORE_FOR_OVERVIEW = 12, 18
#: Characters of a message that is asked about so.
MORE_CHARS = 1_200


@dataclass(frozen=True, slots=True)
class Conversations:
    """What is known of the conversations that a pool comes from."""

    #: Their units in the pool.
    found: Sequence[UnitHit] = ()
    outcomes: Sequence[UnitHit] = ()
    #: Outcomes that the search missed, closest to the question.
    missed: Sequence[UnitHit] = ()
    #: Those of the pool first.
    speakers: tuple[Speaker, ...] = ()

    def joining(self, pool: Sequence[Candidate]) -> list[Candidate]:
        """The missed outcomes as candidates for the pool."""
        known = {one.key for one in pool}
        return [
            Candidate(hit=hit, score=0.0, lexical_rank=None, nearest_rank=None, gathered_by=Profile.CONVERSATIONAL)
            for hit in self.missed
            if key_of(hit) not in known
        ]


@dataclass(slots=True)
class ConversationGatherer:
    """Looks up and takes messages and outputs for one question, in one request beside that of the pool at most."""

    judge: PassageJudge
    documents: DocumentStore
    allowed: Allowed
    #: Of all pools, best first.
    candidates: Sequence[Candidate]
    _asked: WhoseWords | None = field(default=None, init=False)

    async def look_up(self, pool: Sequence[Candidate]) -> Conversations:
        """Look up the outcomes and the speakers of a pool's conversations, in two queries at once."""
        found = [one.hit for one in pool if one.gathered_by is Profile.CONVERSATIONAL and is_spoken(one.hit)]
        if not found:
            return Conversations()
        outcomes, speakers = await asyncio.gather(self.documents.outcome_parts(found), self.documents.speakers(found))
        outcomes = self.allowed.keep(outcomes)
        known = {one.key for one in pool}
        missed = closest(self.judge.question, [hit for hit in outcomes if key_of(hit) not in known], JOINING_OUTCOMES)
        return Conversations(found, outcomes, missed, _pool_first(found, speakers))

    def questions(self, conversations: Conversations) -> list[AboutUnits]:
        """What is asked about them beside the pool's own questions."""
        names = tuple(dict.fromkeys(one.full_name for one in conversations.speakers))
        self._asked = WhoseWords(self.judge.question, names) if names else None
        return [] if self._asked is None else [(self._asked, [])]

    async def take(self, conversations: Conversations, judged: Judged, gathered: Gathered) -> list[Part]:
        """Return what comes along with the chosen units of conversations, best first."""
        scope = self.judge.trace.scopes.get(Profile.CONVERSATIONAL)
        speaker = self._speaker(conversations, judged)
        chosen = [
            Part(one.candidate.hit, one.score)
            for one in gathered.chosen
            if one.candidate.gathered_by is Profile.CONVERSATIONAL and is_spoken(one.candidate.hit)
        ]
        if not chosen:
            return []
        brought = await self._brought(conversations, chosen, scope)
        known = {key_of(hit) for hit in (*(part.hit for part in chosen), *(part.hit for part in brought))}
        return [*brought, *await self._more(conversations, scope, speaker, known)]

    async def _brought(self, conversations: Conversations, chosen: Sequence[Part], scope: Scope | None) -> list[Part]:
        """What links bring along, in two queries."""
        question, config = self.judge.question, self.judge.config
        settled = closest(question, conversations.outcomes, 1) if scope is Scope.OUTCOME else []
        seeds = distinct([*(part.hit for part in chosen), *settled])
        parts = await self.documents.turns(seeds, CHAIN)
        links = await self.documents.linked(parts, LINKS, arriving=LINKS)
        threads = Threads(question, parts, links, chars_per_token=config.chars_per_token)
        brought = [one for part in chosen for one in threads.brought(part.hit, scope)]
        for outcome in settled:
            brought += [Brought(outcome, "outcome", outcome), *threads.settled_by(outcome)]
        worth = {key_of(part.hit): part.worth for part in chosen}
        least = min(worth.values())
        found = [one for one in brought if key_of(one.hit) not in worth and self.allowed.lets_pass(one.hit)]
        first: dict[UnitKey, Brought] = {}
        for one in found:
            first.setdefault(key_of(one.hit), one)
        for one in first.values():
            self.judge.trace.took(one.because, [one.hit])
        return [
            Part(one.hit, worth.get(key_of(one.by), least) * LINKED_SHARE, brought_by=key_of(one.by))
            for one in first.values()
        ]

    async def _more(
        self, conversations: Conversations, scope: Scope | None, speaker: Speaker | None, known: set[UnitKey]
    ) -> list[Part]:
        """Ask, of more messages of one person or of the search's, which add to the answer."""
        question = self.judge.question
        if scope is Scope.ONE_PERSON and speaker is not None:
            said = await self.documents.said_by(conversations.found, speaker.name)
            more = [hit for hit in self.allowed.keep(said) if key_of(hit) not in known]
            hits = closest(question, more, MORE_OF_ONE_PERSON)
        elif scope is Scope.OVERVIEW:
            own = [one.hit for one in self.candidates if one.gathered_by is Profile.CONVERSATIONAL]
            left = known | self.judge.trace.kept
            hits = [hit for hit in own if key_of(hit) not in left][:MORE_FOR_OVERVIEW]
        else:
            return []
        if not hits:
            return []
        asked = [AddsToAnswer(question, self.judge.shown(hit)[:MORE_CHARS]) for hit in hits]
        [answers] = await self.judge.session.ask("more", [asked])
        parts: list[Part] = []
        for hit, each, answer in zip(hits, asked, answers, strict=True):
            self.judge.trace.asked(each, answer, [hit])
            said_yes = probability(answer)
            if said_yes is not None and said_yes >= YES:
                parts.append(Part(hit, said_yes * LINKED_SHARE))
        self.judge.trace.took(scope.value, [part.hit for part in parts])
        return sorted(parts, key=lambda part: -part.worth)

    def _speaker(self, conversations: Conversations, judged: Judged) -> Speaker | None:
        """Whom the question is about; None when it is nobody, or nobody said."""
        if self._asked is None:
            return None
        answer = judged.beside[-1]
        if not isinstance(answer, Choice) or answer.label not in self._asked.labels():
            return None
        position = self._asked.speaker(answer.label)
        if position is None:
            return None
        full_name = self._asked.speakers[position]
        self.judge.trace.speaker = full_name
        return next(one for one in conversations.speakers if one.full_name == full_name)


async def corrections_of(hits: Sequence[UnitHit], documents: DocumentStore, allowed: Allowed) -> dict[UnitKey, UnitHit]:
    """Look up the latest correction of each unit of a conversation that was corrected, in one query."""
    spoken = distinct([hit for hit in hits if is_spoken(hit)])
    pairs = await documents.corrections(spoken) if spoken else ()
    return latest_corrections(pairs, allowed.lets_pass)


def _pool_first(found: Sequence[UnitHit], speakers: Sequence[Speaker]) -> tuple[Speaker, ...]:
    full = {one.name: one for one in speakers}
    of_pool = {
        name: full.get(name, Speaker(name, name_of_speaker(hit) or name))
        for hit in found
        if (name := speaker_of(hit)) is not None
    }
    return tuple((of_pool | full).values())[:MOST_SPEAKERS]
