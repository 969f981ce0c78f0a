"""Asking which passages state the answer, and reading what comes back (retrieval design, "Retrieval", step 3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.config import Config
from app.documents.decision import Answer, Choice, Question, YesNo
from app.retrieval.questions import Answers, AnswerScope, BestPassage, Scope

#: A yes to anything but `Answers`, whose threshold is configured.
YES = 0.5
#: Which passage is best is one question that shows them all: with more characters than this it isn't asked.
BEST_CHARS = 60_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a decision model said about passages, by their position."""

    #: Probability that the passage states the answer, or None when that question stayed unanswered.
    scores: tuple[float | None, ...]
    #: Position of the passage that answers best, or None.
    best: int | None = None
    #: How much a full answer takes, or None when nobody said.
    scope: Scope | None = None

    @property
    def answered(self) -> bool:
        """True when at least one passage was judged."""
        return any(score is not None for score in self.scores)


def questions_on_passages(
    question: str, passages: Sequence[str], *, ask_best: bool, ask_scope: bool
) -> tuple[Question, ...]:
    """The questions of one judging request: one per passage, then which is best of several, then the scope."""
    asked: list[Question] = [Answers(question, passage) for passage in passages]
    if ask_best and len(passages) > 1 and sum(map(len, passages)) <= BEST_CHARS:
        asked.append(BestPassage(question, tuple(passages)))
    if ask_scope:
        asked.append(AnswerScope(question, tuple(Scope)))
    return tuple(asked)


def read_judgement(asked: Sequence[Question], answers: Sequence[Answer | None]) -> Judgement:
    """Read the answers to `questions_on_passages`. An answer of the wrong kind counts as none."""
    scores: list[float | None] = []
    best: int | None = None
    scope: Scope | None = None
    for question, answer in zip(asked, answers, strict=True):
        match question, answer:
            case Answers(), _:
                scores.append(probability(answer))
            case BestPassage() as choice, Choice(label=label) if label in choice.labels():
                best = int(label)
            case AnswerScope() as choice, Choice(label=label) if label in choice.labels():
                scope = Scope(label)
            case _:
                continue
    return Judgement(tuple(scores), best, scope)


def probability(answer: Answer | None) -> float | None:
    """The probability of yes, or None when there is no such answer."""
    return answer.probability if isinstance(answer, YesNo) else None


def kept_positions(judgement: Judgement, config: Config) -> list[int]:
    """Positions of the passages that state the answer, best first; ties keep their order.

    Kept are scores of at least `rank_threshold`. With `cross_check` the passage picked as best goes first when it is
    kept; with `cross_check_rescue` it is kept even when no score reached the threshold.
    """
    scores = {position: score for position, score in enumerate(judgement.scores) if score is not None}
    kept = [position for position, score in scores.items() if score >= config.rank_threshold]
    kept.sort(key=lambda position: -scores[position])
    best = judgement.best
    if not config.cross_check or best not in scores:
        return kept
    if best in kept:
        kept.remove(best)
        return [best, *kept]
    return [best] if not kept and config.cross_check_rescue else kept
