"""Put what was found out about prose together to a document (documents design)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.conversations.appending import NOTHING, Behind
from app.conversations.conversation_units import conversation_units
from app.documents.block import ParsedDocument
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.documents.document import Document, Link
from app.documents.job import Upload
from app.documents.values import JsonValue
from app.operations.link_conversation import ConversationLinks
from app.operations.link_passages import PassageLink
from app.operations.prose_units import prose_units
from app.operations.speech import Speech
from app.profiling.profiles import Profiles


@dataclass(frozen=True, slots=True)
class Prose:
    """A document of blocks, cut and profiled."""

    parsed: ParsedDocument
    title: str
    chunking: Chunking
    profiles: Profiles
    speech: Speech


def prose_document(
    upload: Upload,
    config: Config,
    prose: Prose,
    links: Sequence[PassageLink],
    conversation: ConversationLinks,
    behind: Behind = NOTHING,
) -> Document:
    """Return the document, or what is to be added to one.

    Args:
        upload: What was handed in.
        config: Sizes.
        prose: What became of it.
        links: Those between passages.
        conversation: Those between turns, by their places among all turns, and what else is known of these.
        behind: What is stored already.
    """
    parsed, parts, stored = prose.parsed, prose.speech.parts, len(behind.parts)
    outcomes = {position - stored for position in conversation.outcomes}
    turns = conversation_units(parts, outcomes, parsed.blocks, first=behind.highest.get("m", 0) + 1)
    placed = [(part.blocks[0], unit) for part, unit in zip(parts, turns, strict=True)]
    made = prose_units(parsed.blocks, prose.chunking, prose.profiles, prose.title, config, placed, behind.highest)
    ids = (*behind.ids, *(unit.id for unit in turns))
    return Document(
        id=upload.document,
        profile=prose.profiles.document,
        detected=prose.profiles.detected,
        units=made.units,
        links=(*_between_passages(links, made.passages), *_between_turns(conversation, ids)),
        data=_data(prose, conversation),
        title=prose.title,
        format=upload.format,
        language=parsed.language,
        encoding=parsed.encoding,
        metadata=upload.metadata,
    )


def _between_passages(links: Sequence[PassageLink], passages: Mapping[int, str]) -> Iterator[Link]:
    """Yield the links between passages; whatever became an entry has none."""
    for link in links:
        if link.source in passages and link.target in passages:
            yield Link(type=link.type, source=passages[link.source], target=passages[link.target])


def _between_turns(conversation: ConversationLinks, ids: Sequence[str]) -> Iterator[Link]:
    for type_, later, earlier in conversation.links:
        yield Link(type=type_, source=ids[later], target=ids[earlier])


def _data(prose: Prose, conversation: ConversationLinks) -> dict[str, JsonValue]:
    """Return what is kept beside the units: of a conversation what its reader and its links counted."""
    outline: list[JsonValue] = [
        {"block": heading.block, "title": heading.title, "level": heading.level} for heading in prose.chunking.outline
    ]
    sections = {title: profile.value for title, profile in prose.profiles.sections.items()}
    data = {**prose.parsed.data, "outline": outline, "sections": sections}
    if conversation.unasked:
        told = data.get("conversation")
        data["conversation"] = {
            **(told if isinstance(told, Mapping) else {}),
            "unasked": dict(conversation.unasked),
        }
    return data
