"""Appending to documents (service design, "Endpoints"; conversations design, section d)."""

from fastapi import Request, Response, status

from app.api.accepted_job import ACCEPTED_JOB, PreferHeader, accepted_response
from app.api.dependencies import AcceptAppendOperation, Jobs, Limits
from app.api.document_bodies import receive_document
from app.api.idempotency import IdempotencyKeyHeader, bound
from app.api.responses import body_problems, request_body
from app.api.routing import strict_router
from app.api.schemas.append import AppendForm, AppendRequest
from app.api.schemas.jobs import JobAnswer
from app.api.uploads import to_appended

router = strict_router("Ingestion")


@router.post(
    "/append",
    operation_id="appendToDocument",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobAnswer,
    response_description="Accepted: the job that appends.",
    responses={**ACCEPTED_JOB, **body_problems(404, 409)},
    openapi_extra=request_body(AppendRequest, AppendForm),
)
async def append_to_document(
    request: Request,
    accept: AcceptAppendOperation,
    jobs: Jobs,
    limits: Limits,
    prefer: PreferHeader = None,
    idempotency_key: IdempotencyKeyHeader = None,
) -> Response:
    """Add text, blocks or a file to the end of a stored document, as JSON or as a multipart form.

    The answer is a job that makes the document's next version. Appends to one document are done one after the other, in
    the order in which they were accepted. Only what is new is structured and asked about; messages that follow a
    conversation go on with it. Data files can't be appended to, nor a document while it is being replaced.
    """
    async with receive_document(request, AppendRequest, AppendForm, max_bytes=limits.max_body_bytes) as received:
        [document] = received.documents
        upload = await to_appended(received.fields, document.declared, document.content, received.warnings)
        sent = received.fields.model_dump(mode="json", exclude={"text", "blocks", "file"})
        key = bound(idempotency_key, "append", sent, upload.content_hash)
        accepted = await accept.run(upload, document.content.blocks(), key)
    return await accepted_response(accepted, prefer, jobs, request)
