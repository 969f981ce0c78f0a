"""Handing in documents (service design, "Shapes"; rulings 18 and 26)."""

from typing import Annotated

from fastapi import Header, Request, Response, status
from starlette.responses import JSONResponse

from app.api.dependencies import AcceptDocumentOperation, Jobs, Limits
from app.api.document_bodies import receive_document
from app.api.idempotency import IdempotencyKeyHeader, bound
from app.api.responses import body_problems, request_body
from app.api.routing import strict_router
from app.api.schemas.ingestion import IngestForm, IngestRequest
from app.api.schemas.jobs import JobAnswer
from app.api.uploads import to_upload
from app.api.waiting import preferred_wait, wait_for

router = strict_router("Ingestion")

_JOB_HEADERS = {
    "Location": {"description": "Where the job is.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {"description": "true when an earlier request made the job.", "schema": {"type": "string"}},
}


@router.post(
    "/ingest",
    operation_id="ingestDocument",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobAnswer,
    response_description="Accepted: the job that ingests the document.",
    responses={
        200: {
            "model": JobAnswer,
            "description": "The job, finished in the time that Prefer gave.",
            "headers": _JOB_HEADERS,
        },
        202: {
            "headers": {
                **_JOB_HEADERS,
                "Retry-After": {"description": "Seconds after which to look again.", "schema": {"type": "integer"}},
            }
        },
        **body_problems(409),
    },
    openapi_extra=request_body(IngestRequest, IngestForm),
)
async def ingest_document(
    request: Request,
    accept: AcceptDocumentOperation,
    jobs: Jobs,
    limits: Limits,
    prefer: Annotated[
        str | None,
        Header(description="`wait=N`: wait up to N seconds, at most 60, for the job to finish.", examples=["wait=30"]),
    ] = None,
    idempotency_key: IdempotencyKeyHeader = None,
) -> Response:
    """Take in a document, as JSON or as a multipart form with one file.

    A document of the same id and collection is replaced once the new one is ready. The answer is a job; the same
    content again, said about in the same way, is a finished job with `unchanged`.
    """
    async with receive_document(request, max_bytes=limits.max_body_bytes) as received:
        [document] = received.documents
        upload = await to_upload(received.fields, document.declared, document.content, received.warnings)
        sent = received.fields.model_dump(mode="json", exclude={"text", "blocks", "file"})
        key = bound(idempotency_key, "ingest", sent, upload.content_hash)
        accepted = await accept.run(upload, document.content.blocks(), key)
    wait = preferred_wait(prefer)
    job = accepted.job if wait is None else await wait_for(accepted.job, jobs, wait, request)
    finished_in_time = wait is not None and job.status.finished
    headers = {"Location": f"/v1/jobs/{job.id}"}
    if wait is not None:
        headers["Preference-Applied"] = f"wait={wait}"
    if accepted.replayed:
        headers["Idempotency-Replayed"] = "true"
    if not finished_in_time:
        headers["Retry-After"] = "1"
    return JSONResponse(
        JobAnswer.from_domain(job).model_dump(mode="json"),
        status_code=status.HTTP_200_OK if finished_in_time else status.HTTP_202_ACCEPTED,
        headers=headers,
    )
