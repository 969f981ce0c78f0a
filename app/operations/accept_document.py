"""Accept an upload: record it durably as a job, then wake a worker (service design, "Ingestion jobs")."""

from collections.abc import AsyncIterable
from dataclasses import dataclass

from app.documents.job import Accepted, IdempotencyKey, Upload
from app.operations.announce_accepted import announce_accepted
from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore

#: Name of this build's ingestion rules, put on every upload. Raise it when the same bytes would be read, cut, profiled
#: or linked differently than before: unchanged content is then ingested again (ruling 14).
INGESTION_VERSION = "3"


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
        await announce_accepted(accepted, self.jobs, self.queue)
        return accepted
