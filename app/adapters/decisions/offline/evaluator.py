"""What every evaluator of the offline engine is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from app.adapters.decisions.offline.texts import Vocabulary
from app.documents.decision import Answer, Choice, Question, YesNo

#: Digits of a probability. More would show in which company a question was asked: sums of many numbers differ in their
#: last digits by how many are added at a time.
_DIGITS = 4

Asked_contra = TypeVar("Asked_contra", bound=Question, contravariant=True)


class Evaluator(Protocol[Asked_contra]):
    """Answers all questions of one class in a batch. Its answers depend on nothing but each question itself."""

    def texts(self, question: Asked_contra) -> Iterable[str]:
        """The texts of a question that evidence is looked for in."""
        ...

    def answer(self, vocabulary: Vocabulary, questions: Sequence[Asked_contra]) -> Sequence[Answer | None]:
        """Answer the questions in order; `vocabulary` holds the texts of them all."""
        ...


def yes_no(share: float) -> YesNo:
    """Answer yes with a probability."""
    return YesNo(round(float(share), _DIGITS))


def choice(shares: Mapping[str, float]) -> Choice | None:
    """Choose the label with the largest share, the first one of equals; None when there are no labels."""
    if not shares:
        return None
    rounded = {label: round(float(share), _DIGITS) for label, share in shares.items()}
    label = max(rounded, key=lambda each: rounded[each])
    return Choice(label=label, confidence=rounded[label], probabilities=rounded)
