"""Which step a question names, whether it asks for what follows or precedes, and which passage that is."""

from collections.abc import Iterable, Sequence

import numpy as np
import regex

from app.adapters.decisions.offline.answering import FEATURES, passage_features
from app.adapters.decisions.offline.evaluator import choice, yes_no
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic, number, softmax
from app.documents.decision import Answer
from app.retrieval.questions import Direction, IsStepAskedFor, NamedStep, StepDirection

_NEXT = r"after(?:wards?)?|next|following|follows?|subsequent(?:ly)?|once|then"
_PREVIOUS = r"before(?:hand)?|prior|previous(?:ly)?|preced(?:es?|ing)|first"
_ORDER = regex.compile(rf"(?i)\b(?:(?P<next>{_NEXT})|(?P<previous>{_PREVIOUS}))\b")
#: `After which step is it tested?` names what is tested and asks for what precedes it.
_TURNED = regex.compile(r"(?i)\b(?P<word>after|before) (?:which|what)\b")
_NUMBER = regex.compile(r"(?i)\bstep (?P<number>\d{1,3})\b")


class NamedStepEvaluator:
    """Which passage is the step that the question names?"""

    def texts(self, question: NamedStep) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, *question.passages)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[NamedStep]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        return [self._choose(vocabulary, question) for question in questions]

    def _choose(self, vocabulary: Vocabulary, question: NamedStep) -> Answer | None:
        rows = [passage_features(vocabulary, question.question, passage) for passage in question.passages]
        features = np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES))
        scores = linear("answers", FEATURES).score(features) * number("named_step", "sharpness")
        opens = np.array([_opens_with_number(question.question, passage) for passage in question.passages], dtype=bool)
        scores = scores + opens * np.float32(number("named_step", "numbered"))
        if direction_of(question.question) is None:
            scores = scores + np.float32(number("named_step", "unasked"))
        return choice(dict(zip(question.labels(), softmax([*scores.tolist(), 0.0]), strict=True)))


class StepDirectionEvaluator:
    """What follows, or what precedes? Half sure of what follows when no word says."""

    def texts(self, question: StepDirection) -> Iterable[str]:
        """See `Evaluator.texts`. Words of order are looked for in the question as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[StepDirection]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [choice(_shares(direction_of(question.question))) for question in questions]


class IsStepAskedForEvaluator:
    """Is this neighbour the step that is asked for? By its side, its distance, and how well the other one is named."""

    NAMES = ("side", "adjacent", "coverage")

    def texts(self, question: IsStepAskedFor) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.known)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[IsStepAskedFor]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [self._features(vocabulary, question) for question in questions]
        scores = linear("is_step_asked_for", self.NAMES).score(np.array(rows, dtype=np.float32))
        return [yes_no(share) for share in logistic(scores)]

    def _features(self, vocabulary: Vocabulary, question: IsStepAskedFor) -> list[float]:
        direction = direction_of(question.question)
        side = 0.0 if direction is None else 1.0 if (direction is Direction.NEXT) == (question.distance > 0) else -1.0
        coverage = passage_features(vocabulary, question.question, question.known)[FEATURES.index("coverage")]
        return [side, float(abs(question.distance) == 1), coverage]


def direction_of(question: str) -> Direction | None:
    """The direction that the question's first word of order names, or None when it has none."""
    turned = _TURNED.search(question)
    if turned is not None:
        return Direction.PREVIOUS if turned["word"].lower() == "after" else Direction.NEXT
    found = _ORDER.search(question)
    if found is None:
        return None
    return Direction.NEXT if found["next"] else Direction.PREVIOUS


def _shares(direction: Direction | None) -> dict[str, float]:
    if direction is None:
        return {Direction.NEXT.value: 0.5, Direction.PREVIOUS.value: 0.5}
    return {each.value: 0.9 if each is direction else 0.1 for each in Direction}


def _opens_with_number(question: str, passage: str) -> bool:
    """Whether the question numbers a step and the passage, or its last heading, opens with that number."""
    named = _NUMBER.search(question)
    if named is None:
        return False
    return regex.search(rf"(?i)(?:^|[\n>\[])\s*(?:step )?{named['number']}[.):\s\]]", passage) is not None
