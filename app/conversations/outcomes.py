"""Which messages record an outcome (conversations design, c.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.conversations.parts import TurnPart
from app.conversations.questions import RecordsOutcome
from app.conversations.showing import both_ends
from app.documents.decision import Answer, YesNo

IN_A_REQUEST = 20
SHOWN_CHARS = 300
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class AskedOutcome:
    """A part, by its position, and the question."""

    position: int
    question: RecordsOutcome


def asked_outcomes(parts: Sequence[TurnPart]) -> list[AskedOutcome]:
    """Return what to ask: about every new part that is judged, because an outcome often closes a long speech."""
    return [
        AskedOutcome(position, RecordsOutcome(both_ends(part, SHOWN_CHARS)))
        for position, part in enumerate(parts)
        if part.judged and not part.stored
    ]


def recorded(asked: Sequence[AskedOutcome], answers: Sequence[Answer | None]) -> list[int]:
    """Return the parts that record an outcome, in order; one without an answer records none."""
    return [
        each.position
        for each, answer in zip(asked, answers, strict=True)
        if isinstance(answer, YesNo) and answer.probability >= THRESHOLD
    ]
