"""Asking which passages state the answer, and reading what comes back (retrieval design, "Retrieval", step 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.documents.config import Config
from app.documents.decision import Answer, Choice, ChoiceQuestion, Question, YesNo
from app.documents.profile import Profile
from app.retrieval.candidates import RULES
from app.retrieval.questions import Answers, AnswerScope, BestPassage, Direction, NamedStep, Scope, StepDirection

#: A yes to anything but `Answers`, whose threshold is configured.
YES = 0.5
#: Which passage is best, or the named step, is one question that shows them all: with more characters than this it
#: isn't asked.
BEST_CHARS = 60_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a decision model said about passages, by their position."""

    #: Probability that the passage states the answer, or None when that question stayed unanswered.
    scores: tuple[float | None, ...]
    #: Position of the passage that answers best, or None.
    best: int | None = None
    #: How much a full answer takes, by the scopes that were on offer; without an entry nobody said.
    scopes: Mapping[tuple[Scope, ...], Scope] = field(default_factory=dict)
    #: Position of the step that the question names, and which neighbour of it is asked for; None when there is none.
    named_step: int | None = None
    direction: Direction | None = None

    @property
    def answered(self) -> bool:
        """True when at least one passage was judged."""
        return any(score is not None for score in self.scores)

    def scope(self, profile: Profile) -> Scope | None:
        """How much a full answer takes from passages of a profile, or None when nobody said."""
        return self.scopes.get(RULES[profile].scopes)


def questions_on_passages(
    question: str,
    passages: Sequence[str],
    *,
    ask_best: bool,
    ask_scope: bool,
    gatherers: Sequence[Profile] = (Profile.GUIDANCE,),
    asking: Sequence[type[Answers]] | None = None,
) -> tuple[Question, ...]:
    """The questions of one judging request: one per passage, then which is best of several, then the scope.

    The scope is asked once per set of scopes that the gathering profiles offer. Where one of them may answer with a
    neighbour of a step, the request also asks which passage is that step, and in which direction to go from it.
    `asking` is how each passage is asked about, where not all are asked about alike.
    """
    kinds = asking or [Answers] * len(passages)
    asked: list[Question] = [kind(question, passage) for kind, passage in zip(kinds, passages, strict=True)]
    comparable = sum(map(len, passages)) <= BEST_CHARS
    if ask_best and len(passages) > 1 and comparable:
        asked.append(BestPassage(question, tuple(passages)))
    if ask_scope:
        offered = dict.fromkeys(RULES[profile].scopes for profile in gatherers)
        asked += [AnswerScope(question, scopes) for scopes in offered if len(scopes) > 1]
        if comparable and any(Scope.NEXT_OR_PREVIOUS_STEP in scopes for scopes in offered):
            asked += [NamedStep(question, tuple(passages)), StepDirection(question)]
    return tuple(asked)


def read_judgement(asked: Sequence[Question], answers: Sequence[Answer | None]) -> Judgement:
    """Read the answers to `questions_on_passages`. An answer of the wrong kind counts as none."""
    scores: list[float | None] = []
    best: int | None = None
    scopes: dict[tuple[Scope, ...], Scope] = {}
    named_step: int | None = None
    direction: Direction | None = None
    for question, answer in zip(asked, answers, strict=True):
        match question:
            case Answers():
                scores.append(probability(answer))
            case BestPassage():
                best = chosen_position(question, answer)
            case AnswerScope(_, offered):
                label = _label(question, answer)
                scopes |= {} if label is None else {offered: Scope(label)}
            case NamedStep():
                named_step = chosen_position(question, answer)
            case StepDirection():
                label = _label(question, answer)
                direction = None if label is None else Direction(label)
            case _:
                continue
    return Judgement(tuple(scores), best, scopes, named_step, direction)


def _label(question: ChoiceQuestion, answer: Answer | None) -> str | None:
    return answer.label if isinstance(answer, Choice) and answer.label in question.labels() else None


def chosen_position(question: ChoiceQuestion, answer: Answer | None) -> int | None:
    """The position that was chosen, or None when it was none of them."""
    label = _label(question, answer)
    return None if label is None or label == NamedStep.NONE else int(label)


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
