"""Handing in documents (service design, "Shapes"; rulings 18 and 26)."""

from fastapi import Request, Response, status

from app.api.accepted_job import ACCEPTED_JOB, PreferHeader, accepted_response
from app.api.dependencies import AcceptDocumentOperation, Jobs, Limits
from app.api.document_bodies import receive_document
from app.api.idempotency import IdempotencyKeyHeader, bound
from app.api.responses import body_problems, request_body
from app.api.routing import strict_router
from app.api.schemas.ingestion import IngestForm, IngestRequest
from app.api.schemas.jobs import JobAnswer
from app.api.uploads import to_upload

router = strict_router("Ingestion")


@router.post(
    "/ingest",
    operation_id="ingestDocument",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobAnswer,
    response_description="Accepted: the job that ingests the document.",
    responses={**ACCEPTED_JOB, **body_problems(409)},
    openapi_extra=request_body(IngestRequest, IngestForm),
)
async def ingest_document(
    request: Request,
    accept: AcceptDocumentOperation,
    jobs: Jobs,
    limits: Limits,
    prefer: PreferHeader = None,
    idempotency_key: IdempotencyKeyHeader = None,
) -> Response:
    """Take in a document, as JSON or as a multipart form with one file.

    A document of the same id and collection is replaced once the new one is ready. The answer is a job; the same
    content again, said about in the same way, is a finished job with `unchanged`. Of a longer copy of a chat log only
    what is new is structured. An export of several conversations becomes a document for each, `id/conversation`.
    """
    async with receive_document(request, IngestRequest, IngestForm, max_bytes=limits.max_body_bytes) as received:
        [document] = received.documents
        upload = await to_upload(received.fields, document.declared, document.content, received.warnings)
        sent = received.fields.model_dump(mode="json", exclude={"text", "blocks", "file"})
        key = bound(idempotency_key, "ingest", sent, upload.content_hash)
        accepted = await accept.run(upload, document.content.blocks(), key)
    return await accepted_response(accepted, prefer, jobs, request)
