"""Which parts correct earlier ones (conversations design, c.2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.conversations.parts import TurnPart
from app.conversations.questions import Corrects
from app.conversations.showing import both_ends
from app.conversations.similar import Similar
from app.conversations.sources import is_session
from app.documents.decision import Answer, YesNo

IN_A_REQUEST = 15
MOST_SIMILAR = 3
SHOWN_CHARS = 250
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two parts by their positions, of which the later one may correct the earlier."""

    later: int
    earlier: int


def pairs(
    parts: Sequence[TurnPart], replies: Mapping[int, int], settled: Mapping[int, int], similar: Similar
) -> list[Pair]:
    """Return every pair worth asking about, by the later part.

    Args:
        parts: The conversation.
        replies: The turn that each turn answers.
        settled: The part that each outcome settles: 45k agreed upon may share no word with the 40k that were proposed.
        similar: How similar the parts are.
    """
    asked = _asked(parts)
    nearest = similar.nearest(asked, MOST_SIMILAR)
    session = is_session(parts)
    found: list[Pair] = []
    for later in asked:
        earlier = [*_replied(parts, later, replies, session=session), *nearest[later]]
        if later in settled:
            earlier.insert(0, settled[later])
        found += [Pair(later, each) for each in dict.fromkeys(earlier)]
    return found


def pairs_at_most(parts: Sequence[TurnPart]) -> int:
    """Return how many pairs of similar parts there can be, which takes no comparing."""
    asked = set(_asked(parts))
    judged = (position for position, part in enumerate(parts) if part.judged)
    return sum(min(before, MOST_SIMILAR) for before, position in enumerate(judged) if position in asked)


def most_similar(found: Sequence[Pair], similar: Similar, count: int) -> list[Pair]:
    """Return so many of the pairs, the most similar ones, in their order."""
    if len(found) <= count:
        return list(found)
    return sorted(sorted(found, key=lambda pair: -similar.squared_cosine(pair.later, pair.earlier))[:count])


def questions(parts: Sequence[TurnPart], asked: Sequence[Pair]) -> list[Corrects]:
    """Return what to ask about pairs."""
    return [
        Corrects(later=both_ends(parts[pair.later], SHOWN_CHARS), earlier=both_ends(parts[pair.earlier], SHOWN_CHARS))
        for pair in asked
    ]


def corrected(asked: Sequence[Pair], answers: Sequence[Answer | None]) -> list[Pair]:
    """Return the pairs whose later part corrects the earlier; one without an answer is none."""
    return [
        pair
        for pair, answer in zip(asked, answers, strict=True)
        if isinstance(answer, YesNo) and answer.probability >= THRESHOLD
    ]


def _asked(parts: Sequence[TurnPart]) -> list[int]:
    return [
        position for position, part in enumerate(parts) if part.judged and part.speaker is not None and not part.stored
    ]


def _replied(parts: Sequence[TurnPart], later: int, replies: Mapping[int, int], *, session: bool) -> Iterator[int]:
    """Yield the part that a part's turn answers, when the two are worth asking about.

    In a log of one person with models nearly every reply of a model does what was asked for: it corrects nothing.
    """
    target = replies.get(parts[later].turn)
    if target is None or not parts[target].judged:
        return
    if not (session and parts[later].speaker == "assistant" and parts[target].speaker == "user"):
        yield target
