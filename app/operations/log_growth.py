"""Longer copies of a log that is stored: only what is new in them is added (conversations design, section d)."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.conversations import appending, log_copies
from app.conversations.redaction import redacted
from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.growth import Growing
from app.documents.job import Upload
from app.documents.values import JsonValue
from app.operations.added_blocks import NewBlocks
from app.operations.structure_prose import config_of
from app.ports.reader_runner import ReaderRunner, Source

#: Its documents hold what tools printed, and that may be secrets (conversations design, f.12).
CHAT_FORMAT = "chat"


@dataclass(frozen=True, slots=True)
class Copy:
    """A file that begins with everything that was read of a stored log."""

    growing: Growing
    #: Bytes at its start that were read before.
    size: int


def copy_of(growing: Growing, data: bytes) -> Copy | None:
    """Return a file as a longer copy of a stored log, or None when it is none."""
    if growing.stored.document.format != CHAT_FORMAT:
        return None
    size = log_copies.known_size(data, growing.origin.pieces)
    return None if size is None else Copy(growing, size)


def same_but_longer(upload: Upload, growing: Growing) -> bool:
    """Whether an upload would be ingested as the stored document was, so that adding to that comes to the same."""
    stored, origin = growing.stored.document, growing.origin
    return (
        not upload.force
        and (upload.profile, upload.config, upload.ingestion_version)
        == (origin.profile, origin.config, origin.ingestion_version)
        and upload.metadata == stored.metadata
        and upload.title in {None, stored.title}
    )


async def new_in(copy: Copy, whole: ParsedDocument, source: Source, reader: ReaderRunner) -> NewBlocks | None:
    """Return what a longer copy has behind the stored log; None when it changes or withdraws something of that.

    Args:
        copy: The file.
        whole: What its reader made of all of it.
        source: The same as bytes.
        reader: Reads the stored part again, by the same rules.
    """
    stored = await reader.read(replace(source, data=source.data[: copy.size]))
    if not isinstance(stored, ParsedDocument):
        return None
    first = len(stored.blocks)
    same = await asyncio.to_thread(lambda: whole.blocks[:first] == stored.blocks)
    path = appending.tail_path(copy.growing.stored.document.units) or ()
    if not same or _open_headings(stored.blocks) != path:
        return None
    counts = whole.data.get("conversation")
    return NewBlocks(
        parsed=replace(whole, blocks=whole.blocks[first:], data={}),
        pieces=log_copies.pieces_of(source.data),
        first=first,
        counts=counts if isinstance(counts, Mapping) else {},
    )


def masked(parsed: ParsedDocument, upload: Upload) -> ParsedDocument:
    """Return a chat log with its secrets masked, unless its caller wants them kept."""
    return redacted(parsed) if config_of(upload).redact_secrets else parsed


def item_count(data: JsonValue) -> int:
    """Return how many items a log had, as its reader counted them."""
    told = data.get("conversation") if isinstance(data, Mapping) else None
    items = told.get("items") if isinstance(told, Mapping) else None
    return items if isinstance(items, int) else 0


def _open_headings(blocks: tuple[Block, ...]) -> tuple[str, ...]:
    """Return the headings that whatever follows stands under."""
    found: dict[int, str] = {}
    for block in blocks:
        if block.type is BlockType.HEADING:
            level = block.level or 1
            found = {depth: title for depth, title in found.items() if depth < level} | {level: block.text}
    return tuple(found.values())
