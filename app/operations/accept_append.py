"""Accept what is to be appended to a document: record it durably as a job, then wake a worker."""

from collections.abc import AsyncIterable
from dataclasses import dataclass

from app.documents.job import MAY_BE_CHAT, Accepted, IdempotencyKey, Upload
from app.errors import CannotAppend
from app.operations.announce_accepted import announce_accepted
from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore
from app.readers.registry import DATA_FORMATS


@dataclass(frozen=True, slots=True)
class AcceptAppend:
    """Turns what is to be appended into a job."""

    jobs: JobStore
    queue: JobQueue

    async def run(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Store what was sent and return its job; once this returns, the job is never lost.

        Raises:
            IdempotencyConflict: the key is known with another body.
            CannotAppend: it is data, or the document is.
            DocumentNotFound: there is no such document.
            DocumentBusy: the document is being replaced.
            DatabaseUnavailable: nothing was recorded.
        """
        if upload.format in DATA_FORMATS and (upload.declared or upload.format not in MAY_BE_CHAT):
            raise CannotAppend(f"{upload.format} is a data format: ingest it as a document of its own.")
        accepted = await self.jobs.accept_append(upload, payload, idempotency_key)
        await announce_accepted(accepted, self.jobs, self.queue)
        return accepted
