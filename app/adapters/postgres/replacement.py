"""Makes a document the live version and finishes its job, in one transaction ("Ingestion jobs", step 4).

The document's row is locked first, then the job's: everybody who takes both takes them in this order.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.engine import transaction
from app.adapters.postgres.job_rows import drop_payload, fetch_job, to_job
from app.adapters.postgres.rows import from_detected
from app.adapters.postgres.segment import Place, drop, units_of, write
from app.documents.document import Document
from app.documents.job import Claim, Job, JobResult, JobStatus
from app.documents.unit_ids import Numbered, with_stable_ids
from app.errors import JobCancelled, LeaseLost
from app.terms.languages import folding_language
from app.terms.unit_terms import UnitTerms, count_terms

_LOCK_DOCUMENT = text("""
    SELECT d.* FROM documents d JOIN jobs j ON j.collection_id = d.collection_id AND j.document_key = d.key
    WHERE j.id = :job FOR NO KEY UPDATE OF d
""")
_LOCK_JOB = text("SELECT status, worker, attempt, cancel_requested FROM jobs WHERE id = :job FOR NO KEY UPDATE")
_SET_LIVE = text("""
    UPDATE documents SET
        live_version = :version, segment_id = :segment, title = :title, format = :format, profile = :profile,
        detected = CAST(:detected AS json), language = :language, encoding = :encoding,
        metadata = CAST(:metadata AS json), data = CAST(:data AS json), unit_count = :units,
        highest = CAST(:highest AS json), created_at = coalesce(created_at, now()), updated_at = now()
    WHERE collection_id = :collection AND key = :document
""")
_ADD_LANGUAGE = text("""
    UPDATE collections SET languages = array_append(languages, CAST(:folding AS text))
    WHERE id = :collection AND NOT CAST(:folding AS text) = ANY(languages)
""")
_FINISH = text("""
    UPDATE jobs SET status = :status, superseded = :superseded, units = :units, decisions = CAST(:decisions AS json),
        degraded = CAST(:degraded AS json), warnings = CAST(:warnings AS json),
        worker = NULL, lease_until = NULL, finished_at = now()
    WHERE id = :job
""")


@dataclass(frozen=True, slots=True)
class _Ending:
    """How the job ends, and with how many units when the document is now live."""

    status: JobStatus
    superseded: bool = False
    units: int | None = None


async def replace(engine: AsyncEngine, claim: Claim, document: Document, result: JobResult) -> Job:
    """Do what the port `DocumentStore.replace` says."""
    # Counting terms takes most of the time. It needs no lock, and must not hold up the event loop.
    terms = await asyncio.to_thread(count_terms, document.units, document.language)
    async with transaction(engine) as connection:
        row = await _locked(connection, claim)
        ending = await _end(connection, claim, row, document, terms)
        await _finish(connection, claim.job.id, ending, result)
        finished = await fetch_job(connection, claim.job.id)
    assert finished is not None  # noqa: S101 - the row is locked
    return to_job(finished)


async def _locked(connection: AsyncConnection, claim: Claim) -> RowMapping:
    """Lock the document and the job, and return the document's row.

    Raises:
        LeaseLost: the job is not this worker's.
        JobCancelled: it was asked to stop, while its document was not removed.
    """
    of_job = {"job": claim.job.id}
    document = (await connection.execute(_LOCK_DOCUMENT, of_job)).mappings().one_or_none()
    job = (await connection.execute(_LOCK_JOB, of_job)).mappings().one_or_none()
    lease = (JobStatus.RUNNING, claim.worker, claim.job.attempt)
    if document is None or job is None or (job["status"], job["worker"], job["attempt"]) != lease:
        raise LeaseLost(f"Job {claim.job.id} is no longer run by {claim.worker}.")
    if job["cancel_requested"] and claim.version > document["removed_version"]:
        raise JobCancelled(f"Job {claim.job.id} was cancelled.")
    return document


async def _end(
    connection: AsyncConnection, claim: Claim, row: RowMapping, document: Document, terms: Sequence[UnitTerms]
) -> _Ending:
    if claim.version <= row["removed_version"]:
        return _Ending(JobStatus.CANCELLED)
    if claim.version < (row["live_version"] or 0):
        return _Ending(JobStatus.SUCCEEDED, superseded=True)
    place = Place(row["collection_id"], row["key"])
    previous = await units_of(connection, place)
    numbered = with_stable_ids(document, previous, row["highest"])
    if row["segment_id"] is not None:
        await drop(connection, place, row["segment_id"])
    segment = await write(connection, place, numbered.document, terms)
    await connection.execute(_SET_LIVE, _columns(claim.version, place, segment, numbered))
    folding = folding_language(document.language)
    await connection.execute(_ADD_LANGUAGE, {"collection": place.collection, "folding": folding})
    return _Ending(JobStatus.SUCCEEDED, units=len(document.units))


async def _finish(connection: AsyncConnection, job_id: str, ending: _Ending, result: JobResult) -> None:
    values = {
        "job": job_id,
        "status": ending.status.value,
        "superseded": ending.superseded,
        "units": ending.units,
        "decisions": json.dumps(asdict(result.decisions)),
        "degraded": json.dumps(result.degraded),
        "warnings": json.dumps(result.warnings),
    }
    await connection.execute(_FINISH, values)
    await drop_payload(connection, job_id)


def _columns(version: int, place: Place, segment: int, numbered: Numbered) -> dict[str, Any]:
    document = numbered.document
    detected = from_detected(document.detected)
    return {
        "collection": place.collection,
        "document": place.document,
        "version": version,
        "segment": segment,
        "title": document.title,
        "format": document.format,
        "profile": document.profile.value,
        "detected": None if detected is None else json.dumps(detected),
        "language": document.language,
        "encoding": document.encoding,
        "metadata": json.dumps(dict(document.metadata)),
        "data": json.dumps(dict(document.data)),
        "units": len(document.units),
        "highest": json.dumps(dict(numbered.highest)),
    }
