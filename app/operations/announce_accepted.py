"""Wake a worker for a job that was just accepted (service design, "Ingestion jobs", step 2)."""

from app.documents.job import Accepted, JobStatus
from app.errors import Unavailable
from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore


async def announce_accepted(accepted: Accepted, jobs: JobStore, queue: JobQueue) -> None:
    """Announce a new job that waits, after the commit.

    The job is safe by now, so a failure here is none of the caller's: the sweeper announces every job that the queue
    was not told of, or that is not known to have been announced.
    """
    job = accepted.job
    if accepted.replayed or job.status is not JobStatus.QUEUED:
        return
    try:
        await queue.announce(job.kind, job.id, job.attempt)
        await jobs.mark_announced(job.id)
    except Unavailable:
        return
