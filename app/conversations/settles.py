"""What an outcome settles (conversations design, c.2)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from app.conversations.parts import TurnPart
from app.conversations.questions import NONE, SettlesWhat
from app.conversations.showing import beginning, both_ends
from app.conversations.similar import Similar
from app.documents.decision import Answer, Choice

IN_A_REQUEST = 1
MOST_SIMILAR = 5
OUTCOME_CHARS = 400
EARLIER_CHARS = 400
#: Heading paths whose first part is offered, the latest ones: a request has to stay of a size.
MOST_PATHS = 95


@dataclass(frozen=True, slots=True)
class AskedSettles:
    """An outcome, what it may settle, and the question."""

    outcome: int
    earlier: tuple[int, ...]
    question: SettlesWhat


def asked_settles(parts: Sequence[TurnPart], outcomes: Sequence[int], similar: Similar) -> list[AskedSettles]:
    """Return what to ask: about every outcome that has earlier parts.

    It may settle what opened a heading path, its own before others, or what it is most similar to.
    """
    opening: dict[tuple[str, ...], int] = {}
    for position, part in enumerate(parts):
        if part.judged:
            opening.setdefault(part.path, position)
    openings = list(opening.values())
    nearest = similar.nearest(outcomes, MOST_SIMILAR)
    asked = []
    for outcome in outcomes:
        own = opening[parts[outcome].path]
        before = openings[: bisect_left(openings, outcome)][-MOST_PATHS:]
        earlier = tuple(dict.fromkeys([*([own] if own < outcome else []), *before, *nearest[outcome]]))
        if earlier:
            question = SettlesWhat(
                outcome=both_ends(parts[outcome], OUTCOME_CHARS),
                earlier=tuple(beginning(parts[each], EARLIER_CHARS) for each in earlier),
            )
            asked.append(AskedSettles(outcome, earlier, question))
    return asked


def settled(asked: Sequence[AskedSettles], answers: Sequence[Answer | None]) -> dict[int, int]:
    """Return the part that each outcome settles; one that settles none, or without an answer, is left out."""
    return {
        each.outcome: each.earlier[int(answer.label)]
        for each, answer in zip(asked, answers, strict=True)
        if isinstance(answer, Choice) and answer.label != NONE
    }
