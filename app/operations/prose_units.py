"""The units of prose: passages, entries where a section is reference, and turns of conversations (retrieval design)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from app.documents.block import Block
from app.documents.chunk import Chunk, Chunking, breadcrumb
from app.documents.config import Config
from app.documents.document import Unit, UnitKind
from app.documents.profile import Profile
from app.documents.values import JsonValue
from app.profiling.entries import Entry, entries, reference_blocks
from app.profiling.profiles import Profiles
from app.profiling.suspect import suspicion


@dataclass(frozen=True, slots=True)
class ProseUnits:
    """The units of a document in reading order, each kind numbered by a counter of its own."""

    units: tuple[Unit, ...]
    #: Ids of the passages by chunk; a chunk whose text is in entries has none.
    passages: Mapping[int, str]


def prose_units(
    blocks: Sequence[Block],
    chunking: Chunking,
    profiles: Profiles,
    title: str,
    config: Config,
    turns: Sequence[tuple[int, Unit]] = (),
    highest: Mapping[str, int] = MappingProxyType({}),
) -> ProseUnits:
    """Return a passage per chunk, and in place of those of reference sections the entries of their blocks.

    Args:
        blocks: All of the document.
        chunking: Its passages; what is said in conversations is in none.
        profiles: What they are.
        title: The document's.
        config: Sizes.
        turns: The units of its conversations, each behind the index of its first block.
        highest: The highest numbers that its ids have already, by their first letter.
    """
    passage, entry = highest.get("p", 0) + 1, highest.get("e", 0) + 1
    reference = reference_blocks(blocks, chunking.chunks, profiles)
    found = entries(blocks, reference, title, max_tokens=config.max_tokens, chars_per_token=config.chars_per_token)
    kept = [
        (chunk, profile)
        for chunk, profile in zip(chunking.chunks, profiles.chunks, strict=True)
        if found is None or profile is not Profile.REFERENCE
    ]
    placed = [
        (chunk.blocks[0], _passage(number, chunk, profile, blocks))
        for number, (chunk, profile) in enumerate(kept, start=passage)
    ]
    placed += [(each.blocks[0], _entry(number, each, blocks)) for number, each in enumerate(found or (), start=entry)]
    placed += [(first, _turn(unit, blocks[first])) for first, unit in turns]
    return ProseUnits(
        units=tuple(unit for _, unit in sorted(placed, key=lambda one: one[0])),
        passages={chunk.index: f"p{number}" for number, (chunk, _) in enumerate(kept, start=passage)},
    )


def _passage(number: int, chunk: Chunk, profile: Profile, blocks: Sequence[Block]) -> Unit:
    meta: dict[str, JsonValue] = {"blocks": list(chunk.blocks), "profile": profile.value}
    return Unit(
        id=f"p{number}",
        kind=UnitKind.PASSAGE,
        text=chunk.text,
        path=chunk.path,
        meta=meta | _page(blocks[chunk.blocks[0]]) | suspicion(chunk.text),
        start=chunk.start,
        end=chunk.end,
    )


def _entry(number: int, entry: Entry, blocks: Sequence[Block]) -> Unit:
    """Make an entry's unit. Its span is that of its blocks: a row's is its table's."""
    held = [blocks[index] for index in entry.blocks]
    text = f"[{breadcrumb(entry.path)}]\n\n{entry.text}" if entry.path else entry.text
    meta: dict[str, JsonValue] = {"blocks": list(entry.blocks), "profile": Profile.REFERENCE.value}
    meta |= {"name": entry.name, "fields": entry.fields, "row": entry.group is not None}
    meta |= {"group": entry.group} if entry.group is not None else {}
    return Unit(
        id=f"e{number}",
        kind=UnitKind.ENTRY,
        text=text,
        path=entry.path,
        meta=meta | _page(held[0]) | suspicion(text),
        start=held[0].start,
        end=held[-1].end,
    )


def _turn(unit: Unit, block: Block) -> Unit:
    return replace(unit, meta=dict(unit.meta) | _page(block) | suspicion(unit.text))


def _page(block: Block) -> dict[str, int]:
    """Return the page or slide that a block starts on, where its format has them."""
    page = block.meta.get("page", block.meta.get("slide"))
    return {"page": page} if isinstance(page, int) else {}
