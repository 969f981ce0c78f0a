"""Choosing, from what was kept, what a full answer takes (retrieval design, "Retrieval", steps 4 and 5)."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from app.documents.document import UnitHit
from app.documents.profile import Profile
from app.retrieval.candidates import RULES, Candidate, Rules, key_of
from app.retrieval.fusion import UnitKey
from app.retrieval.questions import Scope

#: What "one passage" takes: the passage and two that may hold it too.
ONE_PASSAGE = 3
#: "the next or previous step" looks around so many of the best.
BEST_BESIDE_STEPS = 2
#: A linked unit is worth this share of the unit that needs it, when room is short.
LINKED_SHARE = 0.5

#: What each gathering profile was told that a full answer takes; None where nobody said.
Scopes: TypeAlias = Mapping[Profile, Scope | None]


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
    #: The unit that it comes along with, where links of a conversation brought it.
    brought_by: UnitKey | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """What answers the question, and what else was kept: both best first."""

    chosen: tuple[Kept, ...]
    others: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """What may go into a context, each list best first, no unit in two of them."""

    chosen: Sequence[Part]
    #: Kept beyond what the scope takes: they fill a budget that has room.
    others: Sequence[Part] = ()
    #: Judged to be near the threshold: they fill what room is left after these.
    near: Sequence[Part] = ()
    #: Not judged: what was said around the messages that a search found, for a budget that still has room.
    around: Sequence[Part] = ()

    def without(self, known: AbstractSet[UnitKey]) -> "Parts":
        """The chosen ones, and of the rest what is none of the units `known`."""
        rest = (self.others, self.near, self.around)
        return Parts(self.chosen, *([part for part in each if key_of(part.hit) not in known] for each in rest))


def gather(kept: Sequence[Kept], scopes: Scopes) -> Gathered:
    """Take from `kept`, best first, what its scope asks of each gathering profile; nobody's scope is one passage.

    Of a whole section and of all the steps it is the best passage, whose surroundings are still to be fetched.
    """
    by_profile: dict[Profile, list[Kept]] = {}
    for one in kept:
        by_profile.setdefault(one.candidate.gathered_by, []).append(one)
    chosen = {
        one.candidate.key
        for profile, own in by_profile.items()
        for one in _take(own, scopes.get(profile), RULES[profile])
    }
    return Gathered(
        chosen=tuple(one for one in kept if one.candidate.key in chosen),
        others=tuple(one for one in kept if one.candidate.key not in chosen),
    )


def wants_completeness(gathered: Gathered, scopes: Scopes) -> bool:
    """True when it is worth asking whether what was gathered is complete."""
    return any(may_be_incomplete(one.candidate.gathered_by, scopes) for one in gathered.chosen)


def may_be_incomplete(profile: Profile, scopes: Scopes) -> bool:
    """True when a profile takes more candidates, should what was gathered be incomplete."""
    return RULES[profile].asks_completeness and scopes.get(profile) is Scope.SEVERAL_PLACES


def with_added(parts: Sequence[Part], added: Iterable[Part]) -> list[Part]:
    """`parts` and, after them, what of `added` is not among them, each unit once at its highest worth."""
    known = {key_of(part.hit) for part in parts}
    more: dict[UnitKey, Part] = {}
    for part in added:
        key = key_of(part.hit)
        if key not in known and (key not in more or more[key].worth < part.worth):
            more[key] = part
    return [*parts, *more.values()]


def _take(own: list[Kept], scope: Scope | None, rules: Rules) -> list[Kept]:
    match scope:
        case Scope.SEVERAL_PLACES:
            return _several(own, rules)
        case Scope.OVERVIEW:
            return own[: rules.several_places]
        case Scope.WHOLE_SECTION | Scope.ALL_STEPS:
            return own[:1]
        case Scope.NEXT_OR_PREVIOUS_STEP:
            return own[:BEST_BESIDE_STEPS]
        case _:
            return own[:ONE_PASSAGE]


def _several(own: list[Kept], rules: Rules) -> list[Kept]:
    if rules.several_places_score is None:
        return own[: rules.several_places]
    sure = [one for one in own if one.score >= rules.several_places_score]
    return sure[: rules.several_places] or own[:ONE_PASSAGE]
