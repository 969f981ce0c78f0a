"""What happened to a question on its way to a context, as plain JSON (retrieval design, "Beyond the seed")."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.documents.decision import Answer, Choice, Question, Score, YesNo
from app.documents.document import UnitHit
from app.documents.values import JsonObject, JsonValue
from app.retrieval.candidates import CANDIDATES, RULES, Candidate, key_of, profile_of
from app.retrieval.fusion import UnitKey
from app.retrieval.questions import Answers, BestPassage, IsComplete, Scope


class Outcome(StrEnum):
    """What became of a candidate."""

    CHOSEN = "chosen"
    #: Kept, and not among those that the scope takes.
    KEPT = "kept"
    BELOW_THRESHOLD = "below_threshold"
    UNANSWERED = "unanswered"
    NOT_JUDGED = "not_judged"


@dataclass(slots=True)
class Trace:
    """Collects what happened; `as_json` tells it."""

    nearest: str = "off"
    candidates: Sequence[Candidate] = ()
    #: Of judged candidates: the probability that they state the answer, None where nobody said.
    scores: dict[UnitKey, float | None] = field(default_factory=dict)
    kept: set[UnitKey] = field(default_factory=set)
    chosen: set[UnitKey] = field(default_factory=set)
    scope: Scope | None = None
    #: Probability that what was gathered is complete, where that was asked and answered.
    complete: float | None = None
    rounds: int = 0
    links: list[JsonObject] = field(default_factory=list)
    dropped: Sequence[JsonObject] = ()
    questions: list[JsonObject] = field(default_factory=list)

    def asked(
        self, candidates: Sequence[Candidate], questions: Sequence[Question], answers: Sequence[Answer | None]
    ) -> None:
        """Note questions about `candidates`, in whose order the questions speak of passages."""
        passages = iter(candidates)
        for question, answer in zip(questions, answers, strict=True):
            about = [next(passages)] if isinstance(question, Answers) else candidates
            self.questions.append(_asked(question, answer, about))

    def followed(self, type_: str, links: Iterable[tuple[UnitHit, UnitHit]]) -> None:
        """Note links that were followed."""
        self.links += [
            {"type": type_, "document": source.document, "from": source.unit.id, "to": target.unit.id}
            for source, target in links
        ]

    def as_json(self, *, explain: bool, degraded: Sequence[str]) -> JsonObject:
        """The trace of an answer. Short unless `explain`: then it holds every candidate and every question."""
        told = [
            candidate
            for place, candidate in enumerate(self.candidates)
            if explain or place < CANDIDATES or candidate.key in self.scores
        ]
        trace: dict[str, JsonValue] = {
            "nearest": self.nearest,
            "candidates": [self._candidate(candidate) for candidate in told],
            "pool": self._pool(),
            "scope": self.scope,
            "complete": self.complete,
            "links": self.links,
            "dropped": list(self.dropped),
            "degraded": list(degraded),
        }
        if explain:
            trace["questions"] = self.questions
        return trace

    def _candidate(self, candidate: Candidate) -> JsonObject:
        score = self.scores.get(candidate.key)
        return {
            "document": candidate.hit.document,
            "unit": candidate.hit.unit.id,
            "lexical_rank": candidate.lexical_rank,
            "nearest_rank": candidate.nearest_rank,
            "fused": round(candidate.score, 5),
            "score": None if score is None else round(score, 4),
            "outcome": self._outcome(candidate.key),
        }

    def _outcome(self, key: UnitKey) -> Outcome:
        if key in self.chosen:
            return Outcome.CHOSEN
        if key in self.kept:
            return Outcome.KEPT
        if key not in self.scores:
            return Outcome.NOT_JUDGED
        return Outcome.UNANSWERED if self.scores[key] is None else Outcome.BELOW_THRESHOLD

    def _pool(self) -> JsonObject:
        judged = [candidate for candidate in self.candidates if candidate.key in self.scores]
        profiles = sorted({profile_of(candidate.hit) for candidate in judged})
        return {
            "judged": len(judged),
            "rounds": self.rounds,
            "profiles": {profile: RULES[profile].pool for profile in profiles},
        }


def _asked(question: Question, answer: Answer | None, about: Sequence[Candidate]) -> JsonObject:
    told: dict[str, JsonValue] = {"question": type(question).__name__, "asks": question.asks}
    if isinstance(question, Answers | BestPassage | IsComplete):
        told["units"] = [_named(candidate.hit) for candidate in about]
    return {**told, **_answered(answer)}


def _answered(answer: Answer | None) -> Mapping[str, JsonValue]:
    match answer:
        case None:
            return {"answer": None}
        case YesNo(probability):
            return {"answer": round(probability, 4)}
        case Choice(label, confidence, _) | Score(label, confidence, _):
            return {"answer": label, "confidence": round(confidence, 4)}


def _named(hit: UnitHit) -> JsonObject:
    document, unit = key_of(hit)
    return {"document": document, "unit": unit}
