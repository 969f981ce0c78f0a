"""Jobs: looking, waiting, fetching results, cancelling (service design, "Jobs over HTTP"; ruling 31)."""

import re
from typing import Annotated

from fastapi import Path, Query, Request, Response

from app.api.dependencies import Jobs
from app.api.responses import problems
from app.api.routing import strict_router
from app.api.schemas.common import MAX_PAGE, MAX_WAIT, CollectionName, DocumentId
from app.api.schemas.contextualize import ContextualizeAnswer
from app.api.schemas.jobs import JobAnswer, JobPage
from app.api.waiting import wait_for
from app.documents.document import Page
from app.documents.job import Job, JobKind, JobStatus
from app.errors import JobNotFound, NoResult, NotReady

router = strict_router("Jobs")

JobId = Annotated[str, Path(description="Id of a job.", examples=["job_01jb5y3v0q"])]

_JOB_ID = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_RETRY_AFTER = {"description": "Seconds after which to look again, while unfinished.", "schema": {"type": "integer"}}


@router.get(
    "/jobs",
    operation_id="listJobs",
    response_description="A page of jobs.",
    responses=problems(),
)
async def list_jobs(
    jobs: Jobs,
    collection: Annotated[CollectionName | None, Query(description="Only this collection's.")] = None,
    document: Annotated[DocumentId | None, Query(description="Only this document's.")] = None,
    status: Annotated[JobStatus | None, Query(description="Only those in this state.")] = None,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the page before.", max_length=3000)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> JobPage:
    """List jobs, newest first."""
    found, next_cursor = await jobs.jobs(Page(cursor, limit), collection=collection, document=document, status=status)
    return JobPage.from_domain(found, next_cursor)


@router.get(
    "/jobs/{id}",
    operation_id="getJob",
    response_description="The job.",
    responses={200: {"headers": {"Retry-After": _RETRY_AFTER}}, **problems(404)},
)
async def get_job(
    id: JobId,  # noqa: A002 - the name in the path
    request: Request,
    response: Response,
    jobs: Jobs,
    wait: Annotated[int, Query(ge=0, le=MAX_WAIT, description="Seconds to wait for the job to finish.")] = 0,
) -> JobAnswer:
    """Look at a job; with `wait`, once it has finished or the time is over."""
    job = await wait_for(await jobs.job(_known_form(id)), jobs, wait, request)
    if not job.status.finished:
        response.headers["Retry-After"] = "1"
    return JobAnswer.from_domain(job)


@router.get(
    "/jobs/{id}/result",
    operation_id="getJobResult",
    response_model=ContextualizeAnswer,
    response_description="What a contextualizing job brought.",
    responses=problems(404, 409),
)
async def get_job_result(id: JobId, jobs: Jobs) -> Response:  # noqa: A002 - the name in the path
    """Fetch what a job brought that is about no stored document; as often as wanted while the job is kept."""
    job = await jobs.job(_known_form(id))
    if job.kind is not JobKind.CONTEXTUALIZE:
        raise NoResult(f"Job {job.id} is about a stored document: what it brought is document {job.document!r}.")
    if job.status is not JobStatus.SUCCEEDED:
        raise NotReady(_not_ready(job))
    result = await jobs.result(job.id)
    if result is None:
        raise JobNotFound(f"There is no job {job.id!r} any more.")
    return Response(result, media_type="application/json")


@router.post(
    "/jobs/{id}/cancel",
    operation_id="cancelJob",
    response_description="The job: cancelled, or asked to stop.",
    responses=problems(404, 409),
)
async def cancel_job(id: JobId, jobs: Jobs) -> JobAnswer:  # noqa: A002 - the name in the path
    """Cancel a queued job at once; a running one stops at its next step."""
    return JobAnswer.from_domain(await jobs.cancel(_known_form(id)))


def _not_ready(job: Job) -> str:
    if job.status.finished:
        return f"Job {job.id} ended without a result: it {'failed' if job.error else 'was cancelled'}."
    return f"Job {job.id} is not finished: {job.status.value}, {job.done} of {job.total} done. Wait for it to succeed."


def _known_form(job_id: str) -> str:
    """Return an id that a job could have; anything else is not worth asking the database."""
    if not _JOB_ID.fullmatch(job_id):
        raise JobNotFound("There is no such job.")
    return job_id
