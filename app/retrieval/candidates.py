"""Which units are worth judging, and in what order (retrieval design, "Retrieval", steps 1 and 3)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.documents.document import UnitHit
from app.documents.profile import Profile
from app.retrieval.fusion import UnitKey
from app.retrieval.questions import Scope

#: Candidates of a question to a whole collection, and of one that is limited to documents.
CANDIDATES, CANDIDATES_WITHIN_DOCUMENTS = 20, 200
#: So many candidates of a document come ahead of all documents' further ones.
FIRST_OF_EACH_DOCUMENT = 3
#: So many leading candidates say by their profiles who gathers.
PROFILE_VOTERS = 5


@dataclass(frozen=True, slots=True)
class Rules:
    """How one profile judges and gathers (retrieval design, "Profiles" and "Retrieval", step 4)."""

    #: Candidates judged at a time.
    pool: int
    #: What a full answer may take; with fewer than two nobody is asked.
    scopes: tuple[Scope, ...] = (Scope.ONE_PASSAGE, Scope.SEVERAL_PLACES)
    #: "several places" takes the first so many.
    several_places: int = 6
    #: Set: of those only passages of at least this score, or the first three when there are none.
    several_places_score: float | None = None
    #: Ask whether what was gathered from several places is complete.
    asks_completeness: bool = False


RULES = {
    Profile.GUIDANCE: Rules(pool=9, asks_completeness=True),
    Profile.NORMATIVE: Rules(
        pool=9,
        scopes=(Scope.ONE_PASSAGE, Scope.WHOLE_SECTION, Scope.SEVERAL_PLACES),
        asks_completeness=True,
    ),
    Profile.NARRATIVE: Rules(pool=18, several_places=8, several_places_score=0.5),
    Profile.PROCEDURAL: Rules(
        pool=12,
        scopes=(Scope.ONE_PASSAGE, Scope.ALL_STEPS, Scope.NEXT_OR_PREVIOUS_STEP, Scope.SEVERAL_PLACES),
    ),
    Profile.REFERENCE: Rules(pool=9, scopes=(Scope.ONE_ENTRY, Scope.NAMED_ENTRIES, Scope.ENTRIES_WITH_PROPERTY)),
    Profile.CONVERSATIONAL: Rules(
        pool=9,
        scopes=(
            Scope.ONE_MESSAGE,
            Scope.EXCHANGE,
            Scope.ONE_PERSON,
            Scope.OUTCOME,
            Scope.CORRECTION,
            Scope.OVERVIEW,
        ),
    ),
    Profile.MARKUP: Rules(pool=9, scopes=()),
}

_PROFILES = {profile.value: profile for profile in Profile}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A unit that a search found."""

    hit: UnitHit
    #: Fused score, and the ranks that gave it.
    score: float
    lexical_rank: int | None
    nearest_rank: int | None
    #: Who gathers it; set when pools are made.
    gathered_by: Profile = Profile.GUIDANCE

    @property
    def key(self) -> UnitKey:
        """Collection, document id and unit id."""
        return key_of(self.hit)


def key_of(hit: UnitHit) -> UnitKey:
    """Collection, document id and unit id of a hit."""
    return hit.collection, hit.document, hit.unit.id


def spread_over_documents(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Put each document's first three candidates ahead of the rest, keeping their order otherwise."""
    seen: Counter[tuple[str, str]] = Counter()
    first: list[Candidate] = []
    rest: list[Candidate] = []
    for candidate in candidates:
        document = candidate.hit.collection, candidate.hit.document
        seen[document] += 1
        (first if seen[document] <= FIRST_OF_EACH_DOCUMENT else rest).append(candidate)
    return first + rest


def pools(candidates: Sequence[Candidate], *, nearest_reserved: int) -> list[list[Candidate]]:
    """Divide candidates into the pools that are judged one after the other, each in the order of `candidates`.

    The profiles of the first five gather, each from its own candidates, so many at a time as its pool holds; a
    candidate of another profile goes to the first of them rather than being passed over. `nearest_reserved` places of
    the smallest profile's first pool go to the nearest vector hits.
    """
    leading = list(dict.fromkeys(profile_of(candidate.hit) for candidate in candidates[:PROFILE_VOTERS]))
    queues: dict[Profile, list[Candidate]] = {profile: [] for profile in leading}
    for candidate in candidates:
        own = profile_of(candidate.hit)
        gatherer = own if own in queues else leading[0]
        queues[gatherer].append(replace(candidate, gathered_by=gatherer))
    if nearest_reserved and queues:
        smallest = min(leading, key=lambda profile: RULES[profile].pool)
        queues[smallest] = _with_nearest(queues[smallest], RULES[smallest].pool, nearest_reserved)
    place = {candidate.key: number for number, candidate in enumerate(candidates)}
    return [sorted(pool, key=lambda one: place[one.key]) for pool in _rounds(queues)]


def profile_of(hit: UnitHit) -> Profile:
    """The profile that ingestion gave the unit; guidance when it gave none that this build knows."""
    name = hit.unit.meta.get("profile")
    return _PROFILES.get(name, Profile.GUIDANCE) if isinstance(name, str) else Profile.GUIDANCE


def _rounds(queues: dict[Profile, list[Candidate]]) -> list[list[Candidate]]:
    rounds: list[list[Candidate]] = []
    for profile, queue in queues.items():
        size = RULES[profile].pool
        for number, start in enumerate(range(0, len(queue), size)):
            if number == len(rounds):
                rounds.append([])
            rounds[number] += queue[start : start + size]
    return rounds


def _with_nearest(queue: list[Candidate], pool: int, reserved: int) -> list[Candidate]:
    """Move the nearest candidates into the first `pool` places, from behind only as many as lack a place there."""
    nearest = sorted((one for one in queue if one.nearest_rank is not None), key=lambda one: one.nearest_rank or 0)
    wanted = {one.key for one in nearest[: min(reserved, pool)]}
    ordinary = [one for one in queue if one.key not in wanted]
    places = max(pool - len(wanted), 0)
    return [*ordinary[:places], *(one for one in queue if one.key in wanted), *ordinary[places:]]
