"""Links from a passage to the one before it that its reader needs (retrieval design, "Links of prose")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.documents.chunk import Chunk
from app.documents.decision import Answer
from app.documents.profile import Profile
from app.linking.asking import answered_yes, in_batches
from app.linking.questions import NeedsPrevious

SHOWN_CHARS = 300
BATCH_SIZE = 30

#: Reference sections become entries, which are looked up one by one and need no neighbour.
WITHOUT_NEEDS = frozenset({Profile.REFERENCE})


@dataclass(frozen=True, slots=True)
class Pair:
    """Two consecutive passages of a document; `later` is the index of the second."""

    later: int
    question: NeedsPrevious


def pairs(chunks: Sequence[Chunk], profiles: Sequence[Profile]) -> list[Pair]:
    """Return every pair of consecutive passages whose later one is of a profile that has `needs` links."""
    return [
        Pair(
            later=position,
            question=NeedsPrevious(
                previous=chunks[position - 1].content[-SHOWN_CHARS:], passage=chunks[position].content[:SHOWN_CHARS]
            ),
        )
        for position in range(1, len(chunks))
        if profiles[position] not in WITHOUT_NEEDS
    ]


def batches(asked: Sequence[Pair]) -> list[Sequence[NeedsPrevious]]:
    """Return the pairs' questions in batches of at most `BATCH_SIZE`."""
    return in_batches([pair.question for pair in asked], BATCH_SIZE)


def needed(asked: Sequence[Pair], answers: Sequence[Sequence[Answer | None]]) -> Iterator[tuple[int, int]]:
    """Yield (later, earlier) chunk positions for every yes; an unanswered pair has no link."""
    for pair, yes in zip(asked, answered_yes(answers), strict=True):
        if yes:
            yield pair.later, pair.later - 1
