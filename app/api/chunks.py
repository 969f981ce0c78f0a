"""Chunking a document without storing it (chunking design; rulings 22, 23 and 36)."""

import asyncio

from fastapi import Request

from app.api.dependencies import ChunkOperation, Limits
from app.api.document_bodies import receive
from app.api.responses import body_problems, request_body
from app.api.routing import strict_router
from app.api.schemas.chunks import ChunkAnswer, ChunkEntry, ChunkForm, ChunkRequest, OutlineEntry
from app.api.schemas.common import Decisions
from app.api.schemas.config import effective
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks

router = strict_router("Chunking")


@router.post(
    "/chunk",
    operation_id="chunkDocument",
    response_model=ChunkAnswer,
    response_description="The chunks.",
    responses=body_problems(),
    openapi_extra=request_body(ChunkRequest, ChunkForm),
)
async def chunk_document(request: Request, chunk: ChunkOperation, limits: Limits) -> ChunkAnswer:
    """Cut a document into passages, as JSON or as a multipart form with one file; nothing is stored."""
    async with receive(request, ChunkRequest, ChunkForm, max_bytes=limits.max_body_bytes) as received:
        fields, warnings = received.fields, received.warnings
        source = Source(
            data=await received.content.read(),
            format=await received.content.format(received.declared),
            filename=received.content.filename,
        )
    # These formats have no parser that a hostile file could harm (ruling 22): a thread is enough.
    parsed = await asyncio.to_thread(read_blocks, source)
    config = fields.to_domain()
    answer = await chunk.run(parsed, config, use_jev=fields.use_jev)
    return ChunkAnswer(
        chunks=[ChunkEntry.from_domain(one) for one in answer.chunking.chunks],
        outline=[OutlineEntry.from_domain(heading) for heading in answer.chunking.outline],
        used_jev=answer.chunking.used_jev,
        decisions=Decisions.from_domain(answer.decisions),
        degraded=list(answer.degraded),
        warnings=[*warnings, *answer.warnings],
        options={
            "strategy": fields.strategy,
            "format": source.format,
            "use_jev": fields.use_jev,
            **effective(config),
        },
    )
