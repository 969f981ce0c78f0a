"""What appending to a document goes by (conversations design, section d).

New blocks come behind what is stored. They go on with its conversation when they follow it without a heading and mostly
name who speaks; numbers and indexes go on in any case.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.conversations.parts import TurnPart
from app.conversations.turns import named
from app.documents.block import Block, BlockType
from app.documents.document import Document, Unit, UnitKind
from app.documents.values import JsonValue

_SPOKEN = frozenset({UnitKind.MESSAGE, UnitKind.OUTPUT})
#: A turn's name that is its place in the log, with or without one of its calls.
_PLACE_NAME = re.compile(r"(0|[1-9][0-9]{0,17})(?=#|\Z)")
#: A number under this name is a place and no count.
_PLACE = "first"


@dataclass(frozen=True, slots=True)
class Lead:
    """New blocks that go on with the stored conversation: so many, up to the first heading, under the tail's path."""

    path: tuple[str, ...]
    #: Indexes of the first one, and of the first behind them.
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """What is stored of a document, for what comes behind it."""

    #: Everything that was said, and the ids of its units.
    parts: tuple[TurnPart, ...] = ()
    ids: tuple[str, ...] = ()
    #: The highest number ever used in unit ids, per counter.
    highest: Mapping[str, int] = field(default_factory=dict)
    lead: Lead | None = None


#: What a new document comes behind.
NOTHING = Behind()


def stored_parts(units: Iterable[Unit]) -> tuple[tuple[TurnPart, ...], tuple[str, ...]]:
    """Return the turns of a stored document as parts that new ones may point at, with the ids of their units."""
    spoken = [unit for unit in units if unit.kind in _SPOKEN]
    parts: list[TurnPart] = []
    for position, unit in enumerate(spoken):
        # Parts of a turn stand together and name it alike, if only by an id that its first part had once.
        same = position > 0 and unit.meta.get("turn") == spoken[position - 1].meta.get("turn") is not None
        parts.append(_part(unit, parts[-1].turn if same else position))
    return tuple(parts), tuple(unit.id for unit in spoken)


def tail_path(units: Sequence[Unit]) -> tuple[str, ...] | None:
    """Return the headings of the conversation that a document ends in, or None when it ends in something else."""
    return units[-1].path if units and units[-1].kind in _SPOKEN else None


def lead_length(blocks: Sequence[Block]) -> int:
    """Return how many blocks stand before the first heading."""
    return next((index for index, block in enumerate(blocks) if block.type is BlockType.HEADING), len(blocks))


def goes_on(lead: Sequence[Block]) -> bool:
    """Whether blocks go on with a conversation: those that name who speaks hold at least half of the text."""
    said = sum(len(block.text.strip()) for block in lead if named(block.meta, "speaker") is not None)
    return said > 0 and 2 * said >= sum(len(block.text.strip()) for block in lead)


def headings_of(document: Document, path: Sequence[str]) -> tuple[Block, ...]:
    """Return the headings that a document's end stands under, so that a deeper one which follows stands under them too.

    Their levels are those of the outline, from its end; one that is not there is put below the one before it.
    """
    outline = document.data.get("outline")
    entries = [entry for entry in outline if isinstance(entry, Mapping)] if isinstance(outline, Sequence) else []
    levels: list[int] = []
    for title in reversed(path):
        while entries and entries[-1].get("title") != title:
            entries.pop()
        level = entries.pop().get("level") if entries else None
        levels.append(level if isinstance(level, int) else 0)
    found: list[Block] = []
    for title, level in zip(path, reversed(levels), strict=True):
        above = found[-1].level or 0 if found else 0
        found.append(Block(type=BlockType.HEADING, text=title, level=max(level, above + 1)))
    return tuple(found)


def next_block(document: Document) -> int:
    """Return the index after the highest one that the document's units and outline know."""
    known = [-1]
    for unit in document.units:
        known += [index for index in _listed(unit.meta.get("blocks")) if isinstance(index, int)]
    for entry in _listed(document.data.get("outline")):
        at = entry.get("block") if isinstance(entry, Mapping) else None
        known += [at] if isinstance(at, int) else []
    return max(known) + 1


def fitted(blocks: Sequence[Block], stored: Sequence[TurnPart]) -> tuple[Block, ...]:
    """Return new blocks of a log without what is stored already, and with what only the stored part tells.

    A turn whose name and words are stored is a line that was sent again. A result is given the name of the tool that
    its call, told by its id, names.
    """
    words: dict[str, str] = {}
    tools: dict[str, str] = {}
    for part in stored:
        if part.source_turn is not None:
            words[part.source_turn] = words.get(part.source_turn, "") + _squeezed(part.body)
        if not part.output and part.tool is not None:
            tools |= dict.fromkeys(_calls(part.call, part.source_turn), part.tool)
    return tuple(_with_tool(block, tools) for block in blocks if not _is_stored(block, words))


def moved_on(blocks: Sequence[Block], stored_items: int, new_items: int) -> tuple[Block, ...]:
    """Return new blocks of a log whose turns are named by their places, named by their places in the whole log.

    Names are places when all of them are numbers below the count of new items; so are the calls in them, `3#call`.

    Args:
        blocks: As the reader names them, counting from 0.
        stored_items: How many items the stored part of the log had.
        new_items: How many the new lines have.
    """
    names = [name for block in blocks if (name := named(block.meta, "turn")) is not None]
    if not names or not all((place := _PLACE_NAME.match(name)) and int(place[1]) < new_items for name in names):
        return tuple(blocks)
    return tuple(replace(block, meta=_counted_on(block.meta, stored_items)) for block in blocks)


def without_spans(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return blocks without their places in a source, which is not the document's."""
    return tuple(replace(block, start=None, end=None) for block in blocks)


def placed_behind(
    made: Document, stored: Document, shift: int, first: int
) -> tuple[tuple[Unit, ...], dict[str, JsonValue]]:
    """Return new units with their block indexes in the whole document, and the data of the whole.

    Args:
        made: What the new blocks became.
        stored: The document that they come behind.
        shift: From a block's index in `made` to that in the whole.
        first: The index of the first new block in the whole; what comes before it is stored.
    """
    units = tuple(_shifted(unit, shift) for unit in made.units)
    outline: list[JsonValue] = [*_listed(stored.data.get("outline"))]
    for entry in _listed(made.data.get("outline")):
        at = entry.get("block") if isinstance(entry, Mapping) else None
        if isinstance(entry, Mapping) and isinstance(at, int) and at + shift >= first:
            outline.append({**entry, "block": at + shift})
    sections = dict(_members(stored.data.get("sections")))
    sections |= {title: each for title, each in _members(made.data.get("sections")).items() if title not in sections}
    data = {**made.data, **stored.data, "outline": outline, "sections": sections}
    told = summed(_members(stored.data.get("conversation")), _members(made.data.get("conversation")))
    if told:
        data["conversation"] = told
    return units, data


def summed(stored: Mapping[str, JsonValue], new: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return counts of a whole from those of its parts; of anything else what was stored stays."""
    whole = dict(stored)
    for key, value in new.items():
        known = whole.get(key)
        if known is None:
            whole[key] = value
        elif isinstance(known, Mapping) and isinstance(value, Mapping):
            whole[key] = summed(known, value)
        elif _is_count(key, known) and _is_count(key, value):
            whole[key] = known + value  # type: ignore[operator]  # both are numbers
    return whole


def _is_stored(block: Block, words: Mapping[str, str]) -> bool:
    turn = named(block.meta, "turn")
    return turn is not None and turn in words and _squeezed(block.text) in words[turn]


def _counted_on(meta: Mapping[str, JsonValue], by: int) -> dict[str, JsonValue]:
    counted = {}
    for key in ("turn", "reply_to"):
        name = named(meta, key)
        place = _PLACE_NAME.match(name) if name is not None else None
        if name is not None and place is not None:
            counted[key] = f"{int(place[1]) + by}{name[place.end() :]}"
    return {**meta, **counted}


def _is_count(key: str, value: JsonValue) -> bool:
    return key != _PLACE and isinstance(value, int) and not isinstance(value, bool)


def _part(unit: Unit, turn: int) -> TurnPart:
    meta, output = unit.meta, unit.kind is UnitKind.OUTPUT
    tool, call = named(meta, "tool"), named(meta, "call")
    return TurnPart(
        output=output,
        body=unit.text.partition("\n")[2],
        text=unit.text,
        path=unit.path,
        speaker=named(meta, "speaker"),
        speaker_full=named(meta, "speaker_full"),
        time=named(meta, "time"),
        turn=turn,
        source_turn=named(meta, "source_turn"),
        call=call,
        tool=tool,
        kind=named(meta, "kind"),
        error=meta.get("error") is True,
        blocks=tuple(index for index in _listed(meta.get("blocks")) if isinstance(index, int)),
        is_call=not output and (tool is not None or call is not None),
        stored=True,
    )


def _calls(call: str | None, turn: str | None) -> list[str]:
    """Return the ids that a call is known by."""
    _, mark, last = (turn or "").removesuffix("/result").rpartition("#")
    return [each for each in (call, last if mark else None) if each is not None]


def _with_tool(block: Block, tools: Mapping[str, str]) -> Block:
    if block.meta.get("attachment") is not True or named(block.meta, "tool") is not None:
        return block
    calls = _calls(named(block.meta, "call"), named(block.meta, "turn"))
    tool = next((tools[call] for call in calls if call in tools), None)
    return block if tool is None else replace(block, meta={**block.meta, "tool": tool})


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _shifted(unit: Unit, shift: int) -> Unit:
    blocks = [index + shift for index in _listed(unit.meta.get("blocks")) if isinstance(index, int)]
    return replace(unit, meta={**unit.meta, "blocks": blocks})


def _listed(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list | tuple) else ()


def _members(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}
