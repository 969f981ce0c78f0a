"""Entries of reference documents that a question names or asks for by a property (retrieval design, step 6)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.documents.document import UnitHit
from app.documents.entry_property import Property
from app.documents.profile import Profile
from app.operations.judge_passages import AboutUnits, Judged, PassageJudge
from app.ports.document_store import DocumentStore
from app.retrieval.allowed import Allowed
from app.retrieval.candidates import Candidate, key_of
from app.retrieval.entries import MOST_WITH_PROPERTY, name_of, named_in, properties_in
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import LINKED_SHARE, Part
from app.retrieval.judging import YES, chosen_position, probability
from app.retrieval.questions import Scope
from app.retrieval.reference_questions import IsEntryAskedFor, PropertyAskedFor


@dataclass(frozen=True, slots=True)
class EntriesInQuestion:
    """Entries that the question names, and the properties that it may ask for, in documents that were found."""

    #: Reference units that were found: their documents are looked in.
    found: Sequence[UnitHit] = ()
    named: Sequence[UnitHit] = ()
    properties: tuple[Property, ...] = ()

    def joining(self, pool: Sequence[Candidate]) -> list[Candidate]:
        """The named entries that are not in the pool, as candidates for it."""
        known = {one.key for one in pool}
        return [
            Candidate(hit=hit, score=0.0, lexical_rank=None, nearest_rank=None, gathered_by=Profile.REFERENCE)
            for hit in self.named
            if key_of(hit) not in known
        ]


@dataclass(frozen=True, slots=True)
class EntriesTaken:
    """Entries on their way into the context, best first."""

    parts: Sequence[Part] = ()
    #: True when they are all that reference documents give, whatever else of these was kept.
    alone: bool = False


@dataclass(frozen=True, slots=True)
class EntryGatherer:
    """Looks up and takes entries for one question."""

    judge: PassageJudge
    documents: DocumentStore
    allowed: Allowed

    async def look_up(self, pool: Sequence[Candidate]) -> EntriesInQuestion:
        """Look what the question says of the entries of a pool's reference documents, in two queries at once."""
        found = [one.hit for one in pool if one.gathered_by is Profile.REFERENCE]
        if not found:
            return EntriesInQuestion()
        question = self.judge.question
        named, held = await asyncio.gather(
            self.documents.entries_named(found, question), self.documents.properties_held(found, question)
        )
        named = named_in(question, self.allowed.keep(named))
        return EntriesInQuestion(found, named, tuple(properties_in(question, held)))

    def questions(self, entries: EntriesInQuestion) -> list[AboutUnits]:
        """What is asked about them beside the pool's own questions."""
        question = self.judge.question
        asked: list[AboutUnits] = [
            (IsEntryAskedFor(question, name_of(hit), self.judge.shown(hit)), [hit]) for hit in entries.named
        ]
        if entries.properties:
            asked.append((PropertyAskedFor(question, entries.properties), []))
        return asked

    async def take(self, entries: EntriesInQuestion, judged: Judged) -> EntriesTaken:
        """Return the entries that the scope of reference takes beside, or in place of, the pool's own."""
        scope = self.judge.trace.scopes.get(Profile.REFERENCE)
        if scope is Scope.NAMED_ENTRIES:
            return EntriesTaken(self._confirmed(entries, judged))
        if scope is Scope.ENTRIES_WITH_PROPERTY and judged.kept:
            return await self._with_property(entries, judged)
        return EntriesTaken()

    def _confirmed(self, entries: EntriesInQuestion, judged: Judged) -> list[Part]:
        parts: list[Part] = []
        for hit, answer in zip(entries.named, judged.beside, strict=False):
            said = probability(answer)
            if said is not None and said >= YES:
                parts.append(Part(hit, said))
        self.judge.trace.took(Scope.NAMED_ENTRIES.value, [part.hit for part in parts])
        return parts

    async def _with_property(self, entries: EntriesInQuestion, judged: Judged) -> EntriesTaken:
        """Every entry with the property that was picked; the pool's own where none was."""
        if not entries.properties:
            return EntriesTaken()
        asked = PropertyAskedFor(self.judge.question, entries.properties)
        picked = chosen_position(asked, judged.beside[len(entries.named)])
        if picked is None:
            return EntriesTaken()
        wanted = entries.properties[picked]
        having = await self.documents.entries_with(entries.found, wanted, MOST_WITH_PROPERTY)
        hits = self.allowed.keep(having)
        self.judge.trace.took(f"{wanted.field}: {wanted.value}", hits)
        scores: Mapping[UnitKey, float | None] = self.judge.trace.scores
        least = judged.kept[0].score * LINKED_SHARE
        return EntriesTaken([Part(hit, max(scores.get(key_of(hit)) or 0.0, least)) for hit in hits], alone=bool(hits))
