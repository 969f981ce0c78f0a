"""Following the links of what was gathered (retrieval design, "Retrieval", step 5).

What a passage needs comes along unasked; what it refers to, or is referred to by, only when the answer needs it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.documents.decision import Question
from app.documents.document import LinkType, UnitHit
from app.operations.judge_passages import PassageJudge
from app.ports.document_store import DocumentStore, Linked
from app.retrieval.allowed import Allowed
from app.retrieval.candidates import key_of
from app.retrieval.conversation_units import is_spoken
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import LINKED_SHARE, Part, with_added
from app.retrieval.judging import YES, chosen_position, probability
from app.retrieval.questions import DecidingDefinition, NeedsLinked, TurnsOnDefinition

#: Targets that are asked about at a time, of one type.
MOST_TARGETS = 25
#: References of data files are followed so far, each way.
REF_HOPS = 2

#: Followed without asking.
_TAKEN = (LinkType.NEEDS,)
#: Followed to targets of at least this probability.
_THRESHOLDS = {LinkType.REF: 0.4, LinkType.REFERS_TO: YES, LinkType.DEFINED_BY: YES}
_BOTH_WAYS = (LinkType.REF,)


@dataclass(frozen=True, slots=True)
class LinkFollower:
    """Adds linked units to the parts of one answer."""

    judge: PassageJudge
    documents: DocumentStore
    allowed: Allowed

    async def follow(self, parts: Sequence[Part]) -> list[Part]:
        """Return the parts and, after them, what they link to and the answer needs."""
        found, taken = await self._hop(parts, parts, (*_TAKEN, *_THRESHOLDS))
        for _ in range(1, REF_HOPS):
            further = [part for part in found if key_of(part.hit) in taken]
            if not further:
                break
            more, taken = await self._hop(found, further, _BOTH_WAYS)
            found = more
        return found

    async def _hop(
        self, known: Sequence[Part], parts: Sequence[Part], types: Sequence[LinkType]
    ) -> tuple[list[Part], set[UnitKey]]:
        """Follow links of `parts`; return `known` with what was added, and which of that came by a two-way link."""
        # What conversations link is followed where they are gathered.
        units = [part.hit for part in parts if not is_spoken(part.hit)]
        found = await self.documents.linked(units, types, arriving=_BOTH_WAYS) if units else ()
        links = [link for link in found if self.allowed.lets_pass(link.other)]
        followed = [link for link in links if link.type in _TAKEN]
        followed += await self._needed(_worth_asking(links, {key_of(part.hit) for part in known}))
        worth = {key_of(part.hit): part.worth for part in parts}
        for link in followed:
            source, target = (link.other, link.unit) if link.arrives else (link.unit, link.other)
            self.judge.trace.followed(link.type.value, source, target)
        added = [Part(link.other, worth[key_of(link.unit)] * LINKED_SHARE) for link in followed]
        return with_added(known, added), {key_of(link.other) for link in followed if link.type in _BOTH_WAYS}

    async def _needed(self, links: Sequence[Linked]) -> list[Linked]:
        """Ask, in one round, which links lead to what the answer needs."""
        if not links:
            return []
        asked: list[tuple[Question, list[UnitHit]]] = [(self._question(link), [link.other]) for link in links]
        definitions = [link for link in links if link.type is LinkType.DEFINED_BY]
        if len(definitions) > 1:
            shown = tuple(self.judge.shown(link.other) for link in definitions)
            asked.append((DecidingDefinition(self.judge.question, shown), [link.other for link in definitions]))
        [answers] = await self.judge.session.ask("links", [[question for question, _ in asked]])
        for (question, about), answer in zip(asked, answers, strict=True):
            self.judge.trace.asked(question, answer, about)
        needed = [
            link
            for link, answer in zip(links, answers[: len(links)], strict=True)
            if (probability(answer) or 0.0) >= _THRESHOLDS[link.type]
        ]
        last, _ = asked[-1]
        picked = chosen_position(last, answers[-1]) if isinstance(last, DecidingDefinition) else None
        if picked is not None and definitions[picked] not in needed:
            needed.append(definitions[picked])
        return needed

    def _question(self, link: Linked) -> Question:
        kind = TurnsOnDefinition if link.type is LinkType.DEFINED_BY else NeedsLinked
        return kind(self.judge.question, self.judge.shown(link.unit), self.judge.shown(link.other))


def _worth_asking(links: Iterable[Linked], known: set[UnitKey]) -> list[Linked]:
    """Of each type that is asked about, the first links to so many distinct units that are not known yet."""
    seen: dict[LinkType, set[UnitKey]] = {}
    asked: list[Linked] = []
    for link in links:
        key = key_of(link.other)
        of_type = seen.setdefault(link.type, set())
        if link.type in _THRESHOLDS and key not in known | of_type and len(of_type) < MOST_TARGETS:
            of_type.add(key)
            asked.append(link)
    return asked
