"""What new blocks add to a stored document (conversations design, section d)."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.conversations import appending
from app.conversations.appending import Behind, Lead
from app.documents.block import Block, ParsedDocument
from app.documents.document import Document
from app.documents.growth import Addition, Growing, Piece
from app.documents.job import Upload
from app.documents.unit_ids import highest_used
from app.documents.values import JsonValue
from app.operations.decision_session import DecisionSession
from app.operations.structure_prose import Steps, structured, without_asides


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBlocks:
    """Blocks that come behind a stored document."""

    parsed: ParsedDocument
    #: What is known of the whole log then, see `Origin`.
    pieces: tuple[Piece, ...]
    #: Index of the first one in the document; None is the next after the last that is known.
    first: int | None = None
    #: Of a copy of the whole log: what its reader counted.
    counts: Mapping[str, JsonValue] | None = None


async def addition(
    upload: Upload, growing: Growing, new: NewBlocks, session: DecisionSession, steps: Steps, *, max_questions: int
) -> Addition:
    """Cut, profile and link new blocks, and return what they add to the document that they come behind.

    Only they are asked about. Profile, title and everything that is stored stay as they are.
    """
    stored = growing.stored.document
    behind, headings, parsed = await asyncio.to_thread(_behind, growing, new.parsed)
    as_stored = replace(
        upload,
        title=stored.title,
        profile=None,
        config={**growing.origin.config, **upload.config},
    )
    made = await structured(as_stored, parsed, session, steps, max_questions=max_questions, behind=behind)
    return await asyncio.to_thread(_added, growing, new, made, headings)


def _behind(growing: Growing, new: ParsedDocument) -> tuple[Behind, int, ParsedDocument]:
    """Return what new blocks come behind, and the blocks behind so many headings that the document ends under."""
    stored = growing.stored.document
    parts, ids = appending.stored_parts(stored.units)
    parsed = without_asides(replace(new, blocks=appending.without_spans(new.blocks), source=None, body_start=0))
    length = appending.lead_length(parsed.blocks)
    path = appending.tail_path(stored.units)
    headings: tuple[Block, ...] = ()
    lead = None
    if path is not None and appending.goes_on(parsed.blocks[:length]):
        headings = appending.headings_of(stored, path)
        lead = Lead(path, len(headings), len(headings) + length)
    behind = Behind(parts=parts, ids=ids, highest=growing.highest, lead=lead)
    return behind, len(headings), replace(parsed, blocks=(*headings, *parsed.blocks))


def _added(growing: Growing, new: NewBlocks, made: Document, headings: int) -> Addition:
    stored = growing.stored.document
    first = appending.next_block(stored) if new.first is None else new.first
    units, data = appending.placed_behind(made, stored, first - headings, first)
    if new.counts is not None:
        told = data.get("conversation")
        data["conversation"] = {**(told if isinstance(told, Mapping) else {}), **new.counts}
    return Addition(
        base=growing.stored.version,
        units=units,
        links=made.links,
        data=data,
        highest=highest_used(units, growing.highest),
        pieces=new.pieces,
        language=stored.language,
    )
