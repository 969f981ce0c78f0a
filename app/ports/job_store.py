"""The port to accepted jobs. Postgres is the truth; the queue only wakes workers (service design, "Ingestion jobs")."""

from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import Protocol

from app.documents.document import Page
from app.documents.job import Accepted, Claim, IdempotencyKey, Job, JobKind, JobStage, JobStatus, Lease, Upload
from app.documents.values import JsonObject


class JobStore(Protocol):
    """Keeps jobs, their payloads and the leases that workers hold on them."""

    async def accept(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Record a job, its payload and the document version it will make, in one transaction.

        The collection is made when it does not exist. When the newest accepted version of the document has the same
        content, format, profile, config and ingestion version and did not fail or get cancelled, and `force` is off,
        the job is recorded as succeeded with `unchanged`, without a payload. An idempotency key that is already known
        with the same body returns its job as a replay.

        Raises:
            IdempotencyConflict: the key is known with another body.
        """
        ...

    async def accept_append(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Record a job that appends to a live document, its payload and the version it will make, in one transaction.

        Appends to one document run one after the other, in the order in which they were accepted.

        Raises:
            IdempotencyConflict: the key is known with another body.
            DocumentNotFound: there is no such document.
            DocumentBusy: an ingestion that will replace it is accepted and not finished.
            CannotAppend: it is a data file.
        """
        ...

    async def accept_work(
        self, kind: JobKind, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Record a job about no stored document, and its payload, in one transaction. Keys count as in `accept`.

        Raises:
            IdempotencyConflict: the key is known with another body.
        """
        ...

    async def job(self, job_id: str) -> Job:
        """Return a job.

        Raises:
            JobNotFound: there is no such job, or its retention is over.
        """
        ...

    async def jobs(
        self, page: Page, *, collection: str | None, document: str | None, status: JobStatus | None
    ) -> tuple[Sequence[Job], str | None]:
        """Return a page of jobs, newest first, and the next cursor or None.

        Raises:
            InvalidRequest: the cursor is not one that this method returned.
        """
        ...

    async def cancel(self, job_id: str) -> Job:
        """Cancel a queued job at once; flag a running one so that its worker stops at the next check.

        Raises:
            JobNotFound: there is no such job.
            JobFinished: it has already finished.
        """
        ...

    async def claim(
        self, job_id: str, worker: str, *, lease_seconds: float, kind: JobKind = JobKind.INGEST
    ) -> Claim | None:
        """Lease a queued job of a document, or a running one whose lease is over, to this worker.

        None when it can't be had, as an append while an earlier one of its document is unfinished. Counts an attempt. A
        job out of attempts is failed instead.
        """
        ...

    async def next_append(self, job_id: str) -> str | None:
        """Return the first append that waits for the document of this job, or None."""
        ...

    async def lease(self, kind: JobKind, job_id: str, worker: str, *, lease_seconds: float) -> Lease | None:
        """Do for a job of no document what `claim` does for one of a document."""
        ...

    def payload(self, lease: Lease) -> AsyncIterator[bytes]:
        """Stream the payload of a leased job."""
        ...

    async def heartbeat(
        self,
        lease: Lease,
        *,
        lease_seconds: float,
        stage: JobStage | None = None,
        done: int | None = None,
        total: int | None = None,
    ) -> None:
        """Renew the lease and record progress.

        Raises:
            LeaseLost: another worker has the job, or it is finished.
            JobCancelled: the job was asked to stop.
        """
        ...

    async def finish(self, lease: Lease, status: JobStatus, *, error: JsonObject | None = None) -> None:
        """End a leased job as failed or cancelled. A failed one keeps its payload. No-op without the lease."""
        ...

    async def succeed(self, lease: Lease, result: bytes) -> None:
        """End a leased job with its result, a JSON text, which is kept as long as the job.

        Raises:
            LeaseLost: another worker has the job, or it is finished.
            JobCancelled: the job was asked to stop.
        """
        ...

    async def result(self, job_id: str) -> bytes | None:
        """Return the JSON text that a job ended with, or None."""
        ...

    async def release(self, lease: Lease, *, count_attempt: bool = True) -> None:
        """Hand a leased job back to the queue, as at shutdown or when a dependency is away."""
        ...

    async def stranded(
        self, *, limit: int = 100, announced_before_seconds: float = 15.0
    ) -> Sequence[tuple[JobKind, str, int]]:
        """Return (kind, job, attempt) of jobs to announce: queued and not announced lately, or past their lease.

        Appends that wait for earlier ones are left out. Jobs out of attempts are failed on the way. Safe with any
        number of callers at once.
        """
        ...

    async def mark_announced(self, job_id: str) -> None:
        """Note that the queue was told of this job, so that the sweeper waits before it repeats it."""
        ...

    async def beat(self, worker: str) -> None:
        """Record that this worker is alive."""
        ...

    async def newest_beat_age(self) -> float | None:
        """Seconds since any worker was last known alive, or None."""
        ...

    async def expire(self, *, retention_days: int) -> int:
        """Drop finished jobs past their retention with all that hangs on them; return how many jobs went."""
        ...
