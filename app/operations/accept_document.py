"""Accept an upload: record it durably as a job, then wake a worker (service design, "Ingestion jobs")."""

from collections.abc import AsyncIterable
from dataclasses import dataclass

from app.documents.job import Accepted, IdempotencyKey, JobStatus, Upload
from app.errors import Unavailable
from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore

#: Name of this build's ingestion rules, put on every upload. Raise it when the same bytes would be read, cut, profiled
#: or linked differently than before: unchanged content is then ingested again (ruling 14).
INGESTION_VERSION = "1"


@dataclass(frozen=True, slots=True)
class AcceptDocument:
    """Turns an upload into a job."""

    jobs: JobStore
    queue: JobQueue

    async def run(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Store the upload and return its job; once this returns, the job is never lost.

        Raises:
            IdempotencyConflict: the key is known with another body.
            DatabaseUnavailable: nothing was recorded.
        """
        accepted = await self.jobs.accept(upload, payload, idempotency_key)
        if not accepted.replayed and accepted.job.status is JobStatus.QUEUED:
            await self._announce(accepted.job.id, accepted.job.attempt)
        return accepted

    async def _announce(self, job_id: str, attempt: int) -> None:
        """Wake a worker, after the commit.

        The job is safe by now, so a failure here is none of the caller's: the sweeper announces every job that the
        queue was not told of, or that is not known to have been announced.
        """
        try:
            await self.queue.announce(job_id, attempt)
            await self.jobs.mark_announced(job_id)
        except Unavailable:
            return
