"""Rows of jobs as values, shared by the two stores that change jobs."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.documents.job import DecisionUse, Job, JobKind, JobStage, JobStatus, Upload

#: Everything that `to_job` needs; a queued job's place in the queue is counted.
SELECT_JOB = """
    SELECT j.*, c.name AS collection, d.id AS document,
           CASE WHEN j.status = 'queued' THEN (
               SELECT count(*) FROM jobs earlier
               WHERE earlier.status IN ('queued', 'running') AND earlier.seq < j.seq
           ) END AS queue_position
    FROM jobs j
    LEFT JOIN collections c ON c.id = j.collection_id
    LEFT JOIN documents d ON d.collection_id = j.collection_id AND d.key = j.document_key
"""
_JOB = text(SELECT_JOB + "WHERE j.id = :job")
_DROP_PAYLOAD = text("DELETE FROM uploads WHERE job_id = :job")
_DROP_NOTES = text("DELETE FROM notes WHERE job_id = :job")


async def fetch_job(connection: AsyncConnection, job_id: str) -> RowMapping | None:
    """Return a job's row for `to_job`, or None."""
    return (await connection.execute(_JOB, {"job": job_id})).mappings().one_or_none()


async def drop_payload(connection: AsyncConnection, job_id: str) -> None:
    """Delete what a job was going to read, and what it kept on the way."""
    await connection.execute(_DROP_PAYLOAD, {"job": job_id})
    await connection.execute(_DROP_NOTES, {"job": job_id})


def to_job(row: RowMapping) -> Job:
    """Return the job of a row that `SELECT_JOB` selected."""
    return Job(
        id=row["id"],
        kind=JobKind(row["kind"]),
        status=JobStatus(row["status"]),
        collection=row["collection"],
        document=row["document"],
        documents=tuple(row["documents"]),
        unchanged_documents=row["unchanged_documents"],
        version=row["version"],
        stage=None if row["stage"] is None else JobStage(row["stage"]),
        done=row["done"],
        total=row["total"],
        attempt=row["attempt"],
        queue_position=row["queue_position"],
        cancel_requested=row["cancel_requested"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        error=row["error"],
        unchanged=row["unchanged"],
        superseded=row["superseded"],
        units=row["units"],
        decisions=DecisionUse(**row["decisions"]),
        degraded=tuple(row["degraded"]),
        warnings=tuple(row["warnings"]),
    )


def to_upload(value: dict[str, Any]) -> Upload:
    """Return an upload from its column."""
    return Upload(**{**value, "warnings": tuple(value["warnings"])})


def from_upload(upload: Upload) -> dict[str, Any]:
    """Return an upload as its column holds it."""
    return asdict(upload)
