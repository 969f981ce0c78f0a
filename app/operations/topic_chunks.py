"""Cut a document by topic, asking about its seams; shared by ingestion and by `/v1/chunk`."""

import asyncio
from collections.abc import Awaitable, Callable

from app.chunking import topic
from app.chunking.seams import seam_scores
from app.documents.block import ParsedDocument
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.operations.decision_session import DecisionSession


async def chunk_by_topic(
    parsed: ParsedDocument,
    config: Config,
    session: DecisionSession | None,
    on_progress: Callable[[int, int], Awaitable[None]] | None = None,
) -> Chunking:
    """Return the chunks of a document. Without a session, or when a seam goes unanswered, headings and sizes decide."""
    plan = await asyncio.to_thread(topic.plan, parsed.blocks, parsed.source, config)
    questions = plan.questions() if session is not None else []
    scores = None
    if session is not None and questions:
        scores = seam_scores(await session.ask("seams", questions, on_progress))
    return await asyncio.to_thread(topic.chunks, plan, scores)
