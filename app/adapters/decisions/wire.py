"""Questions and answers as the System One protocol writes them (decisions design, "The wire")."""

import math
from typing import Any

from app.documents.decision import Answer, Choice, WireQuestion, YesNo


def to_json(question: WireQuestion) -> dict[str, Any]:
    """Return a question as the request carries it."""
    return {"type": question.type, "instructions": question.instructions, "criteria": dict(question.criteria)}


def read_answer(question: WireQuestion, answer: object) -> Answer | None:
    """Return the answer to a question, in the question's own labels; None unless it is sound in every part."""
    if not isinstance(answer, dict) or answer.get("type") != question.type:
        return None
    match question.type:
        case "noul":
            probability = _probability(answer.get("noul"))
            return None if probability is None else YesNo(probability)
        case "choice":
            return _read_choice(question, answer)
        case _:
            return None


def _read_choice(question: WireQuestion, answer: dict[str, Any]) -> Choice | None:
    chosen, confidence = answer.get("choice"), _probability(answer.get("confidence"))
    shares = answer.get("probabilities")
    if (
        not isinstance(chosen, str)
        or chosen not in question.labels
        or confidence is None
        or not isinstance(shares, dict)
    ):
        return None
    probabilities = dict.fromkeys(question.labels.values(), 0.0)
    for label, share in shares.items():
        probability = _probability(share)
        if label not in question.labels or probability is None:
            return None
        probabilities[question.labels[label]] = probability
    return Choice(label=question.labels[chosen], confidence=confidence, probabilities=probabilities)


def _probability(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0.0 <= value <= 1.0 else None
