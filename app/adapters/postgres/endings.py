"""How a job ends that makes a version of a document: what is locked, what stands in its way, what is written last.

The document's row is locked first, then the job's: everybody who takes both takes them in this order. The row of an
export comes before those of its parts.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.adapters.postgres.job_rows import drop_payload, fetch_job, to_job
from app.documents.growth import Origin, Piece
from app.documents.job import Claim, Job, JobResult, JobStatus
from app.errors import JobCancelled, LeaseLost

_LOCK_DOCUMENT = text("""
    SELECT d.* FROM documents d JOIN jobs j ON j.collection_id = d.collection_id AND j.document_key = d.key
    WHERE j.id = :job FOR NO KEY UPDATE OF d
""")
_LOCK_JOB = text("SELECT status, worker, attempt, cancel_requested FROM jobs WHERE id = :job FOR NO KEY UPDATE")
_FINISH = text("""
    UPDATE jobs SET status = :status, superseded = :superseded, units = :units, decisions = CAST(:decisions AS json),
        degraded = CAST(:degraded AS json), warnings = CAST(:warnings AS json),
        documents = CAST(:documents AS json), unchanged_documents = :unchanged_documents,
        worker = NULL, lease_until = NULL, finished_at = now()
    WHERE id = :job
""")


@dataclass(frozen=True, slots=True)
class Ending:
    """How the job ends, and with how many units when the document is now live."""

    status: JobStatus
    superseded: bool = False
    units: int | None = None


async def lock_document(connection: AsyncConnection, claim: Claim) -> RowMapping:
    """Lock the row of a job's document, and return it.

    Raises:
        LeaseLost: the job is gone.
    """
    document = (await connection.execute(_LOCK_DOCUMENT, {"job": claim.job.id})).mappings().one_or_none()
    if document is None:
        raise lost(claim)
    return document


async def lock_job(connection: AsyncConnection, claim: Claim, document: RowMapping) -> None:
    """Lock the row of a job whose document is locked.

    Raises:
        LeaseLost: the job is not this worker's.
        JobCancelled: it was asked to stop, while its document was not removed.
    """
    job = (await connection.execute(_LOCK_JOB, {"job": claim.job.id})).mappings().one_or_none()
    lease = (JobStatus.RUNNING, claim.worker, claim.job.attempt)
    if job is None or (job["status"], job["worker"], job["attempt"]) != lease:
        raise lost(claim)
    if job["cancel_requested"] and claim.version > document["removed_version"]:
        raise JobCancelled(f"Job {claim.job.id} was cancelled.")


def lost(claim: Claim) -> LeaseLost:
    """Return the error of a worker whose job is another's."""
    return LeaseLost(f"Job {claim.job.id} is no longer run by {claim.worker}.")


def overtaken(claim: Claim, document: RowMapping) -> Ending | None:
    """Return how a job ends that changes nothing, as its document was removed or has a later version; else None."""
    if claim.version <= document["removed_version"]:
        return Ending(JobStatus.CANCELLED)
    if claim.version < max(document["live_version"] or 0, document["split_version"] or 0):
        return Ending(JobStatus.SUCCEEDED, superseded=True)
    return None


async def finish(connection: AsyncConnection, claim: Claim, ending: Ending, result: JobResult) -> Job:
    """End a job whose row is locked, and return it."""
    values = {
        "job": claim.job.id,
        "status": ending.status.value,
        "superseded": ending.superseded,
        "units": ending.units,
        "decisions": json.dumps(asdict(result.decisions)),
        "degraded": json.dumps(result.degraded),
        "warnings": json.dumps(result.warnings),
        "documents": json.dumps(result.documents),
        "unchanged_documents": result.unchanged_documents,
    }
    await connection.execute(_FINISH, values)
    await drop_payload(connection, claim.job.id)
    finished = await fetch_job(connection, claim.job.id)
    assert finished is not None  # noqa: S101 - the row is locked
    return to_job(finished)


def origin_column(origin: Origin) -> str:
    """Return how a document came to be, as its column holds it."""
    return json.dumps(asdict(origin))


def to_origin(value: dict[str, Any] | None) -> Origin:
    """Return how a document came to be from its column; empty for one that was stored before there was such a thing."""
    if value is None:
        return Origin()
    return Origin(**{**value, "pieces": tuple(Piece(**piece) for piece in value["pieces"])})
