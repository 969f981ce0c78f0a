"""Parts of turns to units (conversations design, c.1)."""

from collections.abc import Collection, Sequence

from app.conversations.parts import TurnPart
from app.documents.block import Block
from app.documents.document import Unit, UnitKind
from app.documents.profile import Profile
from app.documents.values import JsonValue

#: What their ids begin with.
_PREFIXES = {UnitKind.MESSAGE: "m", UnitKind.OUTPUT: "a"}


def conversation_units(
    parts: Sequence[TurnPart], outcomes: Collection[int], blocks: Sequence[Block], *, first: int = 1
) -> list[Unit]:
    """Return a unit per part: `m1`, `a2`, `m3`, numbered by one counter.

    Args:
        parts: Of all turns.
        outcomes: Positions of the parts that record an outcome.
        blocks: The document's.
        first: The number to begin with.
    """
    ids = [f"{_PREFIXES[_kind(part)]}{number}" for number, part in enumerate(parts, start=first)]
    return [
        Unit(
            id=ids[position],
            kind=_kind(part),
            text=part.text,
            path=part.path,
            meta=_meta(part, ids[part.turn], outcome=position in outcomes),
            **_span(part, blocks),
        )
        for position, part in enumerate(parts)
    ]


def _kind(part: TurnPart) -> UnitKind:
    return UnitKind.OUTPUT if part.output else UnitKind.MESSAGE


def _meta(part: TurnPart, turn: str, *, outcome: bool) -> dict[str, JsonValue]:
    """Return the meta that the design lists: what has no value is left out, but for who spoke and when."""
    meta: dict[str, JsonValue] = {"speaker": part.speaker, "time": part.time, "turn": turn}
    carried = {
        "source_turn": part.source_turn,
        "speaker_full": part.speaker_full,
        "tool": part.tool,
        "call": part.call,
        "kind": part.kind,
    }
    flags = {"attachment": part.output, "outcome": outcome, "error": part.error}
    meta |= {"blocks": list(part.blocks), "profile": Profile.CONVERSATIONAL.value}
    meta |= {key: value for key, value in carried.items() if value is not None}
    return meta | {key: True for key, value in flags.items() if value}


def _span(part: TurnPart, blocks: Sequence[Block]) -> dict[str, int]:
    """Return where the blocks of a part stand in the source, if all of them do there."""
    starts = [blocks[index].start for index in part.blocks]
    ends = [blocks[index].end for index in part.blocks]
    known = [start for start in starts if start is not None], [end for end in ends if end is not None]
    if len(known[0]) < len(starts) or len(known[1]) < len(ends):
        return {}
    return {"start": min(known[0]), "end": max(known[1])}
