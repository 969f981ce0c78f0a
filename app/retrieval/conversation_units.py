"""What a unit of a conversation says of itself (conversations design, c.1).

Everything is read from its meta and its own text; the header line in front of the text is for readers.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from app.documents.document import UnitHit, UnitKind
from app.retrieval.closeness import closeness
from app.retrieval.own_text import heading_end
from app.text.tokens import approximate_tokens

#: A turn of fewer tokens says little without the one that it answers.
SHORT_TURN_TOKENS = 60

#: Collection, document id, and id of the turn's first part.
TurnKey: TypeAlias = tuple[str, str, str]
#: Collection and document id.
DocumentKey: TypeAlias = tuple[str, str]


def is_spoken(hit: UnitHit) -> bool:
    """Whether a unit is part of a conversation: a message, or an output."""
    return hit.unit.kind in (UnitKind.MESSAGE, UnitKind.OUTPUT)


def is_message(hit: UnitHit) -> bool:
    """Whether it is what somebody said, or a tool call."""
    return hit.unit.kind is UnitKind.MESSAGE


def is_outcome(hit: UnitHit) -> bool:
    """Whether it records what was settled."""
    return hit.unit.meta.get("outcome") is True


def speaker_of(hit: UnitHit) -> str | None:
    """The speaker by the short name, which tells speakers of a document apart."""
    return _text(hit, "speaker")


def name_of_speaker(hit: UnitHit) -> str | None:
    """The speaker by the full name, where there is one."""
    return _text(hit, "speaker_full") or speaker_of(hit)


def body(hit: UnitHit) -> str:
    """The text without its header line."""
    return hit.unit.text[heading_end(hit.unit) :]


def turn_of(hit: UnitHit) -> TurnKey:
    """The turn that a unit belongs to; a unit that names none is one of its own."""
    return hit.collection, hit.document, _text(hit, "turn") or hit.unit.id


def document_of(hit: UnitHit) -> DocumentKey:
    """The document of a unit."""
    return hit.collection, hit.document


def is_short(turn: Iterable[UnitHit], chars_per_token: float) -> bool:
    """Whether a whole turn is short enough to need the one that it answers."""
    return sum(approximate_tokens(body(part), chars_per_token) for part in turn) < SHORT_TURN_TOKENS


def closest(question: str, hits: Sequence[UnitHit], most: int) -> list[UnitHit]:
    """The units whose words are closest to the question's, closest first; equals as they came.

    No vectors and no request: cosine of term counts (conversations design, e).
    """
    scores = {id(hit): closeness(question, body(hit)) for hit in hits}
    return sorted(hits, key=lambda hit: -scores[id(hit)])[:most]


def _text(hit: UnitHit, name: str) -> str | None:
    value = hit.unit.meta.get(name)
    return value if isinstance(value, str) and value else None
