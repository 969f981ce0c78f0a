"""Jobs as callers see them (service design, "Jobs over HTTP")."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue

from app.api.problems import Problem
from app.api.schemas.common import Answer, Decisions
from app.documents.job import Job, JobKind, JobStage, JobStatus

JOB_EXAMPLE: dict[str, JsonValue] = {
    "id": "job_01jb5y3v0q",
    "kind": "ingest",
    "status": "succeeded",
    "stage": "commit",
    "done": 1,
    "total": 1,
    "attempt": 1,
    "queue_position": None,
    "created_at": "2026-11-30T09:00:00Z",
    "started_at": "2026-11-30T09:00:00.120Z",
    "finished_at": "2026-11-30T09:00:01.480Z",
    "error": None,
    "document": "returns-policy",
    "documents": [],
    "unchanged_documents": 0,
    "collection": "default",
    "version": 1,
    "unchanged": False,
    "superseded": False,
    "cancel_requested": False,
    "units": 14,
    "decisions": {
        "model": "offline-1",
        "requests": 2,
        "questions": 31,
        "cached": 0,
        "unanswered": 0,
        "input_tokens": 0,
        "cost_usd": 0.0,
    },
    "degraded": [],
    "warnings": [],
}


class JobAnswer(Answer):
    """An accepted piece of work: what it is, how far it got, and what came of it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [JOB_EXAMPLE]},
    )

    id: str
    kind: JobKind
    status: JobStatus
    stage: JobStage | None
    done: int
    total: int
    attempt: int
    queue_position: Annotated[int | None, Field(description="Jobs accepted earlier and not finished, while queued.")]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: Annotated[Problem | None, Field(description="Why it failed, with the status an answer would have had.")]
    document: Annotated[
        str | None, Field(description="The document that is ingested or appended to; null for other kinds.")
    ]
    documents: Annotated[
        list[str], Field(description="Of an export of several conversations: the documents it became, in its order.")
    ]
    unchanged_documents: Annotated[int, Field(description="How many of them were there already, the same.")]
    collection: str | None
    version: Annotated[int | None, Field(description="The document version that this job makes.")]
    unchanged: Annotated[bool, Field(description="The same content was already there: nothing was read again.")]
    superseded: Annotated[bool, Field(description="A later version was there first: nothing was changed.")]
    cancel_requested: bool
    units: Annotated[int | None, Field(description="Units that the document has, once succeeded.")]
    decisions: Decisions
    degraded: Annotated[list[str], Field(description="Stages that went without the decision model.")]
    warnings: list[str]

    @classmethod
    def from_domain(cls, job: Job) -> "JobAnswer":
        """Show a job."""
        return cls(
            id=job.id,
            kind=job.kind,
            status=job.status,
            stage=job.stage,
            done=job.done,
            total=job.total,
            attempt=job.attempt,
            queue_position=job.queue_position,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
            error=None if job.error is None else Problem.model_validate(job.error),
            document=job.document,
            documents=list(job.documents),
            unchanged_documents=job.unchanged_documents,
            collection=job.collection,
            version=job.version,
            unchanged=job.unchanged,
            superseded=job.superseded,
            cancel_requested=job.cancel_requested,
            units=job.units,
            decisions=Decisions.from_domain(job.decisions),
            degraded=list(job.degraded),
            warnings=list(job.warnings),
        )


class JobPage(Answer):
    """Jobs, newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"jobs": [JOB_EXAMPLE], "next_cursor": None}]})

    jobs: list[JobAnswer]
    next_cursor: str | None

    @classmethod
    def from_domain(cls, jobs: Sequence[Job], next_cursor: str | None) -> "JobPage":
        """Show a page of jobs."""
        return cls(jobs=[JobAnswer.from_domain(job) for job in jobs], next_cursor=next_cursor)
