"""What the link types that are asked about have in common: batches of yes or no."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from app.documents.decision import Answer, YesNo, YesNoQuestion

THRESHOLD = 0.5

Asked = TypeVar("Asked", bound=YesNoQuestion)


def in_batches(questions: Sequence[Asked], size: int) -> list[Sequence[Asked]]:
    """Return the questions in order, at most `size` to a batch."""
    return [questions[start : start + size] for start in range(0, len(questions), size)]


def answered_yes(answers: Sequence[Sequence[Answer | None]]) -> Iterator[bool]:
    """Yield, for every question of every batch, whether the answer is a yes; no answer is none."""
    for batch in answers:
        for answer in batch:
            yield isinstance(answer, YesNo) and answer.probability >= THRESHOLD
