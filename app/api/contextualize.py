"""Retrieval notes for chunks (chunking design, "Contextualize")."""

import asyncio
import json

from fastapi import Response, status
from starlette.responses import JSONResponse

from app.api.dependencies import AllServices
from app.api.idempotency import IdempotencyKeyHeader, bound
from app.api.responses import Responses, body_problems
from app.api.routing import strict_router
from app.api.schemas.contextualize import ContextualizeAnswer, ContextualizeJobAnswer, ContextualizeRequest
from app.documents.contextualizing import MAX_WHILE_WAITING, NoteTask
from app.wiring import Services

router = strict_router("Chunking")

#: The answer to a task that is too large to wait for.
ACCEPTED: Responses = {
    202: {
        "model": ContextualizeJobAnswer,
        "description": "Accepted: the job that writes the notes; its result is at `/v1/jobs/{id}/result`.",
        "headers": {
            "Location": {"description": "Where the job is.", "schema": {"type": "string"}},
            "Retry-After": {"description": "Seconds after which to look again.", "schema": {"type": "integer"}},
            "Idempotency-Replayed": {
                "description": "true when an earlier request made the job.",
                "schema": {"type": "string"},
            },
        },
    }
}


@router.post(
    "/contextualize",
    operation_id="contextualizeChunks",
    response_model=ContextualizeAnswer,
    response_description=f"The chunks with their notes, when there were at most {MAX_WHILE_WAITING}.",
    responses={**ACCEPTED, **body_problems(409)},
)
async def contextualize_chunks(
    wanted: ContextualizeRequest, services: AllServices, idempotency_key: IdempotencyKeyHeader = None
) -> Response:
    """Ask a chat model for a note per chunk that says what the chunk takes for granted, and build its text again.

    This is paid work: one call per chunk. Up to 8 chunks are answered at once; more become a job. A chunk that gets no
    note is listed under `failures`, and the others go on.
    """
    task = await asyncio.to_thread(wanted.to_task)
    await asyncio.to_thread(services.contextualize.check, task)
    if len(task.chunks) <= MAX_WHILE_WAITING:
        noted = await services.contextualize.run(task)
        return JSONResponse(noted.as_json())
    return await accepted_response(task, services, idempotency_key)


async def accepted_response(task: NoteTask, services: Services, idempotency_key: str | None) -> Response:
    """Make a task a job, and return the answer that names it with what it will take.

    Raises:
        IdempotencyConflict: it is known with another task.
    """
    key = await asyncio.to_thread(lambda: bound(idempotency_key, "contextualize", json.loads(task.as_payload())))
    estimate = await asyncio.to_thread(services.contextualize.estimate, task)
    accepted = await services.accept_notes.run(task, key)
    headers = {"Location": f"/v1/jobs/{accepted.job.id}", "Retry-After": "1"}
    if accepted.replayed:
        headers["Idempotency-Replayed"] = "true"
    return JSONResponse(
        ContextualizeJobAnswer.of(accepted.job, estimate).model_dump(mode="json"),
        status_code=status.HTTP_202_ACCEPTED,
        headers=headers,
    )
