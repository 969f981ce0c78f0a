"""See one attempt of a claimed job of a document to its end, whatever happens (service design, "Ingestion jobs")."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from app.documents.job import Claim, Job, JobStatus
from app.documents.problem import problem, problem_object
from app.errors import BadInput, DocumentNotFound, JobCancelled, LeaseLost, Unavailable
from app.operations.job_lease import JobLease
from app.ports.job_store import JobStore

#: Seconds that one attempt may take. Every step has a limit of its own; this one ends what hangs all the same.
ATTEMPT_SECONDS = 3600.0

#: Does the work of a job under its lease, and returns the job as it ended.
Work: TypeAlias = Callable[[JobLease], Coroutine[Any, Any, Job]]


async def see_through(jobs: JobStore, claim: Claim, lease: JobLease, work: Work, *, max_tries: int) -> JobStatus:
    """Run `work` under the lease of a claim, and return the status that the job ended with.

    What can't be accepted fails the job at once; a request to stop, or a document that was removed, ends it cancelled.

    Raises:
        LeaseLost: another worker has the job by now, and the rest is up to it.
        Unavailable: a dependency does not answer; the job went back to the queue without losing an attempt.
        CancelledError: this worker shuts down; the job went back likewise.
        Exception: something unforeseen; the job went back to the queue, or failed if this was its last attempt.
    """
    try:
        async with asyncio.timeout(ATTEMPT_SECONDS):
            job = await lease.hold(work(lease))
    except BadInput as error:
        await jobs.finish(claim, JobStatus.FAILED, error=problem(error))
        return JobStatus.FAILED
    except (JobCancelled, DocumentNotFound):
        await jobs.finish(claim, JobStatus.CANCELLED)
        return JobStatus.CANCELLED
    except LeaseLost:
        raise
    except (Unavailable, asyncio.CancelledError):
        await jobs.release(claim, count_attempt=False)
        raise
    except Exception:
        await _give_back(jobs, claim, max_tries)
        raise
    return job.status


async def _give_back(jobs: JobStore, claim: Claim, max_tries: int) -> None:
    """Return a job after an unforeseen failure, or end it when its attempts are used up."""
    if claim.job.attempt < max_tries:
        await jobs.release(claim)
        return
    detail = f"Ingestion failed unexpectedly {claim.job.attempt} times. The upload is kept; the logs say more."
    error = problem_object("ingestion-failed", "Ingestion failed", 500, detail)
    await jobs.finish(claim, JobStatus.FAILED, error=error)
