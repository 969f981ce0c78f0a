"""Choosing, from what was kept, what a full answer takes (retrieval design, "Retrieval", steps 4 and 5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.documents.document import UnitHit
from app.documents.profile import Profile
from app.retrieval.candidates import RULES, Candidate, Rules, key_of
from app.retrieval.questions import Scope

#: What "one passage" takes: the passage and two that may hold it too.
ONE_PASSAGE = 3
#: A linked unit is worth this share of the unit that needs it, when room is short.
LINKED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Kept:
    """A candidate that states the answer, with the probability that it does."""

    candidate: Candidate
    score: float


@dataclass(frozen=True, slots=True)
class Part:
    """A unit on its way into the context, with its worth from 0 to 1 when room is short."""

    hit: UnitHit
    worth: float


@dataclass(frozen=True, slots=True)
class Gathered:
    """What answers the question, and what else was kept: both best first."""

    chosen: tuple[Kept, ...]
    others: tuple[Kept, ...]


def gather(kept: Sequence[Kept], scope: Scope | None) -> Gathered:
    """Take from `kept`, best first, what the scope asks of each gathering profile; nobody's scope is one passage."""
    by_profile: dict[Profile, list[Kept]] = {}
    for one in kept:
        by_profile.setdefault(one.candidate.gathered_by, []).append(one)
    chosen = {one.candidate.key for profile, own in by_profile.items() for one in _take(own, scope, RULES[profile])}
    return Gathered(
        chosen=tuple(one for one in kept if one.candidate.key in chosen),
        others=tuple(one for one in kept if one.candidate.key not in chosen),
    )


def wants_completeness(gathered: Gathered, scope: Scope | None) -> bool:
    """True when it is worth asking whether what was gathered is complete."""
    return scope is Scope.SEVERAL_PLACES and any(
        RULES[one.candidate.gathered_by].asks_completeness for one in gathered.chosen
    )


def with_links(chosen: Iterable[Kept], links: Iterable[tuple[UnitHit, UnitHit]]) -> list[Part]:
    """The chosen units and, after them, the units that they link to and that are not among them."""
    parts = {one.candidate.key: Part(one.candidate.hit, one.score) for one in chosen}
    targets: dict[tuple[str, str], Part] = {}
    for source, target in links:
        key = key_of(target)
        if key in parts:
            continue
        worth = parts[key_of(source)].worth * LINKED_SHARE
        if key not in targets or targets[key].worth < worth:
            targets[key] = Part(target, worth)
    return [*parts.values(), *targets.values()]


def _take(own: list[Kept], scope: Scope | None, rules: Rules) -> list[Kept]:
    if scope is not Scope.SEVERAL_PLACES:
        return own[:ONE_PASSAGE]
    if rules.several_places_score is None:
        return own[: rules.several_places]
    sure = [one for one in own if one.score >= rules.several_places_score]
    return sure[: rules.several_places] or own[:ONE_PASSAGE]
