"""Find what links the passages of a document: parsed references, and what is asked (retrieval design)."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.documents.chunk import Chunk
from app.documents.document import LinkType
from app.documents.profile import Profile
from app.linking import defined_by, needs, refers_to
from app.operations.decision_session import DecisionSession, Progress


@dataclass(frozen=True, slots=True)
class PassageLink:
    """A link between two passages by their positions in reading order."""

    type: LinkType
    source: int
    target: int


async def link_passages(
    chunks: Sequence[Chunk],
    profiles: Sequence[Profile],
    session: DecisionSession,
    on_progress: Progress,
    *,
    max_questions: int,
) -> list[PassageLink]:
    """Return the links of a document's passages, type by type.

    Each link type that is asked about is a stage of its own: without answers it has no links, and `session.degraded`
    names it (ruling 11).

    Args:
        chunks: The document's passages.
        profiles: Their profiles.
        session: Who is asked.
        on_progress: Told how far the asking is.
        max_questions: The session's limit, beyond which nothing is worth preparing.
    """
    return [
        *_links(LinkType.NEEDS, await _needs(chunks, profiles, session, on_progress)),
        *_links(LinkType.REFERS_TO, await asyncio.to_thread(refers_to.referred, chunks, profiles)),
        *_links(LinkType.DEFINED_BY, await _defined_by(chunks, profiles, session, on_progress, max_questions)),
    ]


def _links(type_: LinkType, pairs: Iterable[tuple[int, int]]) -> list[PassageLink]:
    return [PassageLink(type_, source, target) for source, target in pairs]


async def _needs(
    chunks: Sequence[Chunk], profiles: Sequence[Profile], session: DecisionSession, on_progress: Progress
) -> Iterable[tuple[int, int]]:
    asked = await asyncio.to_thread(needs.pairs, chunks, profiles)
    if not asked:
        return ()
    return needs.needed(asked, await session.ask(LinkType.NEEDS, needs.batches(asked), on_progress))


async def _defined_by(
    chunks: Sequence[Chunk],
    profiles: Sequence[Profile],
    session: DecisionSession,
    on_progress: Progress,
    max_questions: int,
) -> Iterable[tuple[int, int]]:
    asked = await asyncio.to_thread(defined_by.candidates, chunks, profiles)
    if not asked:
        return ()
    answers = await session.ask(LinkType.DEFINED_BY, defined_by.candidate_batches(asked), on_progress)
    definitions = defined_by.defining(asked, answers)
    if not definitions:
        return ()
    pairs = await asyncio.to_thread(defined_by.pairs, chunks, profiles, definitions, limit=max_questions)
    if not pairs:
        return ()
    return defined_by.defined(
        pairs, await session.ask(LinkType.DEFINED_BY, defined_by.pair_batches(pairs), on_progress)
    )
