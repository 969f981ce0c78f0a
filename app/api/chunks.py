"""Chunking documents without storing them (chunking design; rulings 22, 23, 31 and 36)."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from fastapi import Request, Response
from starlette.responses import JSONResponse, StreamingResponse

from app.api.contextualize import ACCEPTED, accepted_response
from app.api.dependencies import AllServices, Limits
from app.api.document_bodies import ReceivedDocument, receive_to_chunk
from app.api.idempotency import IdempotencyKeyHeader
from app.api.problems import Problem
from app.api.responses import body_problems, request_body
from app.api.routing import strict_router
from app.api.schemas.chunk_options import effective_budget, note_options
from app.api.schemas.chunks import (
    ChunkAnswer,
    ChunkEntry,
    ChunkForm,
    ChunkRequest,
    ChunkResult,
    DocumentFacts,
    OutlineEntry,
)
from app.api.schemas.common import Decisions
from app.api.schemas.config import effective
from app.api.schemas.contextualize import NoteWishes
from app.documents.budget import Embed
from app.documents.contextualizing import MAX_WHILE_WAITING, NoteTask
from app.documents.problem import problem
from app.errors import AppError, FieldError, InvalidRequest
from app.operations.chunk import ByBudget, ByTopic
from app.operations.chunk import ChunkAnswer as Cut
from app.ports.reader_runner import Source
from app.wiring import Services

router = strict_router("Chunking")

#: Documents of one call that are cut at once.
AT_ONCE = 4
#: Bytes of an answer that are written at once.
PART_BYTES = 256 * 1024


@router.post(
    "/chunk",
    operation_id="chunkDocument",
    response_model=ChunkAnswer,
    response_description="The chunks.",
    responses={**ACCEPTED, **body_problems(409)},
    openapi_extra=request_body(ChunkRequest, ChunkForm),
)
async def chunk_document(
    request: Request, services: AllServices, limits: Limits, idempotency_key: IdempotencyKeyHeader = None
) -> Response:
    """Cut documents into passages, as JSON or as a multipart form with files; nothing is stored.

    Several documents, in `documents` or as several files, are answered in order under `results`; one that can't be cut
    has its `error` there and leaves the others alone. With `contextualize`, one document's chunks get retrieval notes:
    at once when there are at most 8, else as a job whose result is the chunks with their notes.
    """
    async with receive_to_chunk(request, max_bytes=limits.max_body_bytes) as received:
        job = _Job(services, received.fields, received.warnings)
        batch = len(received.documents) > 1 or (
            isinstance(received.fields, ChunkRequest) and received.fields.documents is not None
        )
        if received.fields.contextualize is not None:
            _refuse_batch(batch)
            return await job.with_notes(received.documents[0], received.fields.contextualize, idempotency_key)
        if batch:
            answers = await job.run_all(received.documents)
            body = [b'{"results":[', *_with_commas(answers), b"]}"]
        else:
            body = await job.run(received.documents[0])
    return _response(body)


class _Job:
    """Cuts the documents of one call alike."""

    def __init__(self, services: Services, fields: ChunkRequest | ChunkForm, warnings: tuple[str, ...]) -> None:
        self._services = services
        self._fields = fields
        self._at_once = asyncio.Semaphore(AT_ONCE)
        if fields.strategy == "topic":
            config = fields.to_domain()
            self._how: ByTopic | ByBudget = ByTopic(config=config, use_jev=fields.use_jev)
            self._options = {"use_jev": fields.use_jev, **effective(config)}
            self._warnings = warnings
        else:
            options, clamped = fields.to_budget()
            self._how = ByBudget(options=options, chars_per_token=fields.chars_per_token)
            self._options = effective_budget(options)
            self._warnings = (*warnings, *clamped)

    async def run_all(self, documents: Sequence[ReceivedDocument]) -> list[list[bytes]]:
        """Cut a batch; each answer is JSON in pieces."""
        return await asyncio.gather(*(self._run_or_tell(document) for document in documents))

    async def run(self, document: ReceivedDocument) -> list[bytes]:
        """Cut one document; the answer is JSON in pieces."""
        document_format, cut = await self._cut(document)
        return await asyncio.to_thread(self._answer, document, document_format, cut)

    async def with_notes(self, document: ReceivedDocument, wishes: NoteWishes, idempotency_key: str | None) -> Response:
        """Cut one document, and have notes written for its chunks: now, or by a job when there are many."""
        budget = self._how.options if isinstance(self._how, ByBudget) else None
        options = note_options(wishes, self._fields, budget)
        await asyncio.to_thread(self._services.contextualize.check, NoteTask(document="", chunks=(), options=options))
        document_format, cut = await self._cut(document)
        entries = await asyncio.to_thread(self._as_json, document, document_format, cut)
        task = NoteTask(document=cut.text, chunks=tuple(entries), options=options)
        if len(entries) > MAX_WHILE_WAITING:
            return await accepted_response(task, self._services, idempotency_key)
        noted = await self._services.contextualize.run(task)
        rest = self._rest(document_format, cut).model_dump(mode="json", exclude_unset=True)
        return JSONResponse({**rest, **noted.as_json()})

    async def _cut(self, document: ReceivedDocument) -> tuple[str, Cut]:
        content = document.content
        source = Source(
            data=await content.read(), format=await content.format(document.declared), filename=content.filename
        )
        return source.format, await self._services.chunk.run(source, self._how)

    async def _run_or_tell(self, document: ReceivedDocument) -> list[bytes]:
        async with self._at_once:
            try:
                return await self.run(document)
            except AppError as error:
                told = ChunkResult(error=Problem.model_validate(problem(error)))
                return [told.model_dump_json(exclude_unset=True).encode()]

    def _answer(self, document: ReceivedDocument, document_format: str, cut: Cut) -> list[bytes]:
        """Write the answer chunk by chunk: as one piece a large one would hold up every other request."""
        tail = self._rest(document_format, cut).model_dump_json(exclude_unset=True).encode()
        entries = (
            [entry.model_dump_json(exclude_unset=True).encode()]
            for entry in self._entries(document, document_format, cut)
        )
        return [b'{"chunks":[', *_with_commas(entries), b"]," + tail[1:]]

    def _as_json(self, document: ReceivedDocument, document_format: str, cut: Cut) -> list[dict[str, Any]]:
        entries = self._entries(document, document_format, cut)
        return [entry.model_dump(mode="json", exclude_unset=True) for entry in entries]

    def _entries(self, document: ReceivedDocument, document_format: str, cut: Cut) -> Iterator[ChunkEntry]:
        own = document.fields
        facts = DocumentFacts(
            source=self._fields.source if own is None or own.source is None else own.source,
            metadata=self._fields.metadata if own is None or own.metadata is None else own.metadata,
            format=document_format,
            embed=self._how.options.embed if isinstance(self._how, ByBudget) else Embed.FULL,
            total=len(cut.chunking.chunks),
        )
        return (ChunkEntry.from_domain(chunk, facts) for chunk in cut.chunking.chunks)

    def _rest(self, document_format: str, cut: Cut) -> ChunkResult:
        """Return the answer without the chunks."""
        return ChunkResult(
            outline=[OutlineEntry.from_domain(heading) for heading in cut.chunking.outline],
            used_jev=cut.chunking.used_jev,
            decisions=Decisions.from_domain(cut.decisions),
            degraded=list(cut.degraded),
            warnings=[*self._warnings, *cut.warnings],
            options={"strategy": self._fields.strategy, "format": document_format, **self._options},
        )


def _refuse_batch(batch: bool) -> None:
    if batch:
        detail = "Notes are written for one document at a time."
        raise InvalidRequest(detail, errors=(FieldError("/contextualize", detail),))


def _with_commas(entries: Iterable[list[bytes]]) -> Iterator[bytes]:
    for number, entry in enumerate(entries):
        if number > 0:
            yield b","
        yield from entry


def _response(pieces: Sequence[bytes]) -> Response:
    """Return the answer; a large one goes out in parts, as writing it at once would hold up every other request."""
    size = sum(map(len, pieces))
    if size <= PART_BYTES:
        return Response(b"".join(pieces), media_type="application/json")
    return StreamingResponse(_parts(pieces), media_type="application/json", headers={"Content-Length": str(size)})


async def _parts(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    part: list[bytes] = []
    size = 0
    for piece in pieces:
        part.append(piece)
        size += len(piece)
        if size >= PART_BYTES:
            yield b"".join(part)
            part, size = [], 0
    yield b"".join(part)
