"""The answer to accepted work on a document: its job, at once or when it has finished (service design, "Shapes")."""

from typing import Annotated

from fastapi import Header, Request, Response, status
from starlette.responses import JSONResponse

from app.api.responses import Responses
from app.api.schemas.jobs import JobAnswer
from app.api.waiting import preferred_wait, wait_for
from app.documents.job import Accepted
from app.ports.job_store import JobStore

PreferHeader = Annotated[
    str | None,
    Header(description="`wait=N`: wait up to N seconds, at most 60, for the job to finish.", examples=["wait=30"]),
]

_HEADERS = {
    "Location": {"description": "Where the job is.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {"description": "true when an earlier request made the job.", "schema": {"type": "string"}},
}
#: What routes that accept such work declare about their answers.
ACCEPTED_JOB: Responses = {
    200: {
        "model": JobAnswer,
        "description": "The job, finished in the time that Prefer gave.",
        "headers": _HEADERS,
    },
    202: {
        "headers": {
            **_HEADERS,
            "Retry-After": {"description": "Seconds after which to look again.", "schema": {"type": "integer"}},
        }
    },
}


async def accepted_response(accepted: Accepted, prefer: str | None, jobs: JobStore, request: Request) -> Response:
    """Return the answer that shows a job, once it has finished if `prefer` asks to wait for that."""
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
