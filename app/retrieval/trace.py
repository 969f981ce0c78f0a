"""What happened to a question on its way to a context, as plain JSON (retrieval design, "Beyond the seed")."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum

from app.documents.decision import Answer, Choice, ChoiceQuestion, Question, Score, YesNo
from app.documents.document import UnitHit
from app.documents.values import JsonObject, JsonValue
from app.retrieval.candidates import CANDIDATES, RULES, Candidate, profile_of
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import Scopes


class Outcome(StrEnum):
    """What became of a candidate."""

    CHOSEN = "chosen"
    #: Kept, and not among those that the scope takes.
    KEPT = "kept"
    #: Near the threshold, in a budget that had room.
    NEAR = "near"
    #: Of a conversation, said around what answers, in a budget that had room.
    AROUND = "around"
    BELOW_THRESHOLD = "below_threshold"
    UNANSWERED = "unanswered"
    NOT_JUDGED = "not_judged"


_WHY = {
    Outcome.CHOSEN: "It states the answer, and the scope takes it.",
    Outcome.KEPT: "It states the answer; beyond what the scope takes it fills a budget that has room.",
    Outcome.NEAR: "Its score is below the threshold, though not far: it fills room that the budget had left.",
    Outcome.AROUND: "It was said around what answers: it fills room that the budget had left.",
    Outcome.BELOW_THRESHOLD: "Its score is below the threshold: it does not state the answer.",
    Outcome.UNANSWERED: "The decision model did not answer about it.",
    Outcome.NOT_JUDGED: "It stands behind the pool that was judged.",
}
_WITH_ANOTHER = "It belongs to what a chosen passage takes: its section, a step beside it, or a link."
_UNJUDGED = "It stands first in the order of the search."


@dataclass(slots=True, kw_only=True)
class Trace:
    """Collects what happened; `as_json` tells it."""

    #: Units that were left out because they try to instruct an AI.
    suspect: AbstractSet[UnitKey]
    #: More than one collection was searched: units are named with theirs.
    several_collections: bool = False
    nearest: str = "off"
    candidates: Sequence[Candidate] = ()
    #: Of judged candidates: the probability that they state the answer, None where nobody said.
    scores: dict[UnitKey, float | None] = field(default_factory=dict)
    kept: set[UnitKey] = field(default_factory=set)
    chosen: set[UnitKey] = field(default_factory=set)
    #: In the context although not kept, see `gathering.Parts`.
    near: set[UnitKey] = field(default_factory=set)
    around: set[UnitKey] = field(default_factory=set)
    #: How much a full answer takes, by gathering profile, the leading one first.
    scopes: Scopes = field(default_factory=dict)
    #: Whose words the question asks for, by the full name.
    speaker: str | None = None
    #: Units that are in the context because of where they stand.
    added: list[JsonObject] = field(default_factory=list)
    #: Probability that what was gathered is complete, where that was asked and answered.
    complete: float | None = None
    rounds: int = 0
    links: list[JsonObject] = field(default_factory=list)
    dropped: Sequence[JsonObject] = ()
    questions: list[JsonObject] = field(default_factory=list)

    def asked(self, question: Question, answer: Answer | None, about: Iterable[UnitHit] = ()) -> None:
        """Note a question and the units that it is about, in the order in which it speaks of them."""
        told: dict[str, JsonValue] = {"question": type(question).__name__, "asks": question.asks}
        if isinstance(question, ChoiceQuestion):
            told["labels"] = list(question.labels())
        units: list[JsonValue] = [self._named(hit) for hit in about]
        if units:
            told["units"] = units
        self.questions.append({**told, **_answered(answer)})

    def took(self, because: str, hits: Iterable[UnitHit]) -> None:
        """Note units that were taken because of where they stand."""
        self.added += [{**self._named(hit), "because": because} for hit in hits]

    def followed(self, type_: str, source: UnitHit, target: UnitHit) -> None:
        """Note a link that was followed, from either end."""
        ends: dict[str, JsonValue] = {"from": source.unit.id, "to": target.unit.id}
        self.links.append({"type": type_, **self._placed(source.collection, source.document), **ends})

    def as_json(self, *, explain: bool, degraded: Sequence[str]) -> JsonObject:
        """The trace of an answer. Short unless `explain`: then it holds every candidate and every question."""
        told = [
            candidate
            for place, candidate in enumerate(self.candidates)
            if explain or place < CANDIDATES or candidate.key in self.scores
        ]
        trace: dict[str, JsonValue] = {
            "nearest": self.nearest,
            "candidates": [self._candidate(candidate, explain=explain) for candidate in told],
            "pool": self._pool(),
            "scope": next(iter(self.scopes.values()), None),
            "scopes": {profile.value: scope for profile, scope in self.scopes.items()},
            "speaker": self.speaker,
            "complete": self.complete,
            "added": list(self.added),
            "links": self.links,
            "dropped": list(self.dropped),
            "suspect": len(self.suspect),
            "degraded": list(degraded),
        }
        if explain:
            trace["questions"] = self.questions
            trace["suspect_units"] = [
                {**self._placed(collection, document), "unit": unit}
                for collection, document, unit in sorted(self.suspect)
            ]
        return trace

    def _named(self, hit: UnitHit) -> dict[str, JsonValue]:
        return {**self._placed(hit.collection, hit.document), "unit": hit.unit.id}

    def _placed(self, collection: str, document: str) -> dict[str, JsonValue]:
        placed: dict[str, JsonValue] = {"document": document}
        return {"collection": collection, **placed} if self.several_collections else placed

    def _candidate(self, candidate: Candidate, *, explain: bool) -> JsonObject:
        score = self.scores.get(candidate.key)
        return {
            **self._named(candidate.hit),
            "lexical_rank": candidate.lexical_rank,
            "nearest_rank": candidate.nearest_rank,
            "fused": round(candidate.score, 5),
            "score": None if score is None else round(score, 4),
            "outcome": self._outcome(candidate.key),
            **({"why": self._why(candidate.key)} if explain else {}),
        }

    def _outcome(self, key: UnitKey) -> Outcome:
        if key in self.chosen:
            return Outcome.CHOSEN
        if key in self.kept:
            return Outcome.KEPT
        if key in self.near:
            return Outcome.NEAR
        if key in self.around:
            return Outcome.AROUND
        if key not in self.scores:
            return Outcome.NOT_JUDGED
        return Outcome.UNANSWERED if self.scores[key] is None else Outcome.BELOW_THRESHOLD

    def _why(self, key: UnitKey) -> str:
        outcome = self._outcome(key)
        if outcome is Outcome.CHOSEN and key not in self.kept:
            return _WITH_ANOTHER if self.kept else _UNJUDGED
        return _WHY[outcome]

    def _pool(self) -> JsonObject:
        judged = [candidate for candidate in self.candidates if candidate.key in self.scores]
        profiles = sorted({profile_of(candidate.hit) for candidate in judged})
        return {
            "judged": len(judged),
            "rounds": self.rounds,
            "profiles": {profile: RULES[profile].pool for profile in profiles},
        }


def _answered(answer: Answer | None) -> Mapping[str, JsonValue]:
    match answer:
        case None:
            return {"answer": None}
        case YesNo(probability):
            return {"answer": round(probability, 4)}
        case Choice(label, confidence, _) | Score(label, confidence, _):
            return {"answer": label, "confidence": round(confidence, 4)}
