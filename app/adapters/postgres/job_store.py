"""Jobs, their payloads and leases in PostgreSQL, which is the truth about them (service design, "Ingestion jobs")."""

import json
from collections.abc import AsyncIterable, AsyncIterator, Sequence

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres import cursors
from app.adapters.postgres.acceptance import accept, accept_append, accept_work
from app.adapters.postgres.engine import transaction
from app.adapters.postgres.job_rows import SELECT_JOB, drop_payload, fetch_job, to_job, to_upload
from app.documents.document import Page
from app.documents.job import Accepted, Claim, IdempotencyKey, Job, JobKind, JobStage, JobStatus, Lease, Upload
from app.documents.problem import problem_object
from app.documents.values import JsonObject
from app.errors import JobCancelled, JobFinished, JobNotFound, LeaseLost

_JOBS = text(
    SELECT_JOB
    + """
    WHERE (CAST(:collection AS text) IS NULL OR c.name = :collection)
        AND (CAST(:document AS text) IS NULL OR d.id = :document)
        AND (CAST(:status AS text) IS NULL OR j.status = :status)
        AND (CAST(:before AS bigint) IS NULL OR j.seq < :before)
    ORDER BY j.seq DESC LIMIT :limit
"""
)
_CANCEL = text("""
    UPDATE jobs SET
        cancel_requested = true,
        status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END,
        finished_at = CASE WHEN status = 'queued' THEN now() END
    WHERE id = :job AND status IN ('queued', 'running')
    RETURNING status
""")
#: Appends wait for what was accepted for their document before, unless that will change nothing any more.
_IN_TURN = """
    (jobs.kind <> 'append' OR NOT EXISTS (
        SELECT 1 FROM jobs earlier
        WHERE earlier.collection_id = jobs.collection_id AND earlier.document_key = jobs.document_key
            AND earlier.seq < jobs.seq AND earlier.status IN ('queued', 'running') AND NOT earlier.cancel_requested
    ))
"""
_CLAIMABLE = text(f"""
    SELECT attempt, cancel_requested FROM jobs
    WHERE id = :job AND kind = :kind AND (status = 'queued' OR status = 'running' AND lease_until < now())
        AND {_IN_TURN}
    FOR NO KEY UPDATE SKIP LOCKED
""")  # noqa: S608 - a constant
_NEXT_APPEND = text("""
    SELECT next.id FROM jobs
    JOIN jobs next ON next.collection_id = jobs.collection_id AND next.document_key = jobs.document_key
    WHERE jobs.id = :job AND next.kind = 'append' AND next.status = 'queued' ORDER BY next.seq LIMIT 1
""")
_CLAIM = text("""
    UPDATE jobs SET status = 'running', attempt = attempt + 1, worker = :worker,
        lease_until = now() + make_interval(secs => :lease), started_at = coalesce(started_at, now()),
        stage = NULL, done = 0, total = 0
    WHERE id = :job
""")
_END = text("""
    UPDATE jobs SET status = :status, error = CAST(:error AS json), worker = NULL, lease_until = NULL,
        finished_at = now()
    WHERE id = :job
""")
#: Progress of an earlier stage does not stand for a later one.
_HEARTBEAT = text("""
    UPDATE jobs SET lease_until = now() + make_interval(secs => :lease),
        done = coalesce(:done, CASE WHEN stage = coalesce(:stage, stage) THEN done ELSE 0 END),
        total = coalesce(:total, CASE WHEN stage = coalesce(:stage, stage) THEN total ELSE 0 END),
        stage = coalesce(:stage, stage)
    WHERE id = :job AND status = 'running' AND worker = :worker AND attempt = :attempt
    RETURNING cancel_requested
""")
_LOCK_HELD = text("""
    SELECT cancel_requested FROM jobs
    WHERE id = :job AND status = 'running' AND worker = :worker AND attempt = :attempt
    FOR NO KEY UPDATE
""")
_KEEP_RESULT = text("INSERT INTO job_results (job_id, data) VALUES (:job, :data)")
_RESULT = text("SELECT data FROM job_results WHERE job_id = :job")
_RELEASE = text("""
    UPDATE jobs SET status = 'queued', worker = NULL, lease_until = NULL, announced_at = NULL,
        attempt = attempt - :uncounted, stage = NULL, done = 0, total = 0
    WHERE id = :job
""")
#: The jobs that another sweeper is failing at this moment are left to it.
_WORN_OUT = text("""
    SELECT id, cancel_requested FROM jobs
    WHERE status = 'running' AND lease_until < now() AND (attempt >= :max_tries OR cancel_requested)
    ORDER BY seq LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED
""")
_STRANDED = text(f"""
    SELECT id, kind, attempt FROM jobs
    WHERE (status = 'queued' OR status = 'running' AND lease_until < now())
        AND (announced_at IS NULL OR announced_at < now() - make_interval(secs => :patience))
        AND {_IN_TURN}
    ORDER BY seq LIMIT :limit
""")  # noqa: S608 - a constant
_ANNOUNCED = text("UPDATE jobs SET announced_at = now() WHERE id = :job")
_PAYLOAD_ROWS = text("SELECT count(*) FROM uploads WHERE job_id = :job")
_PAYLOAD = text("SELECT data FROM uploads WHERE job_id = :job AND seq = :seq")
_BEAT = text("""
    INSERT INTO worker_beats (worker, beat_at) VALUES (:worker, now())
    ON CONFLICT (worker) DO UPDATE SET beat_at = excluded.beat_at
""")
_NEWEST_BEAT = text("SELECT extract(epoch FROM now() - max(beat_at)) FROM worker_beats")
#: Payloads, results and idempotency keys go with their jobs.
_EXPIRE = text("DELETE FROM jobs WHERE finished_at < now() - make_interval(days => :days)")
_EXPIRE_BEATS = text("DELETE FROM worker_beats WHERE beat_at < now() - make_interval(days => :days)")


class PostgresJobStore:
    """Keeps jobs. See the port `JobStore`.

    Args:
        engine: the pool.
        max_tries: attempts that a job has.
    """

    def __init__(self, engine: AsyncEngine, max_tries: int) -> None:
        self._engine = engine
        self._max_tries = max_tries

    async def accept(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Record a job, its payload and the document version it will make, in one transaction."""
        return await accept(self._engine, upload, payload, idempotency_key)

    async def accept_append(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Record a job that appends to a live document, its payload and the version it will make."""
        return await accept_append(self._engine, upload, payload, idempotency_key)

    async def accept_work(
        self, kind: JobKind, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        """Record a job about no stored document, and its payload, in one transaction."""
        return await accept_work(self._engine, kind, payload, idempotency_key)

    async def job(self, job_id: str) -> Job:
        """Return a job."""
        async with transaction(self._engine) as connection:
            return await _job(connection, job_id)

    async def jobs(
        self, page: Page, *, collection: str | None, document: str | None, status: JobStatus | None
    ) -> tuple[Sequence[Job], str | None]:
        """Return a page of jobs, newest first, and the next cursor or None."""
        filters = {
            "collection": collection,
            "document": document,
            "status": None if status is None else status.value,
            "before": None if page.cursor is None else cursors.number_key(page.cursor),
            "limit": page.limit + 1,
        }
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(_JOBS, filters)).mappings().all()
        shown = rows[: page.limit]
        return [to_job(row) for row in shown], cursors.encode(shown[-1]["seq"]) if len(rows) > page.limit else None

    async def cancel(self, job_id: str) -> Job:
        """Cancel a queued job at once; flag a running one so that its worker stops at the next check."""
        async with transaction(self._engine) as connection:
            status = (await connection.execute(_CANCEL, {"job": job_id})).scalar_one_or_none()
            job = await _job(connection, job_id)
            if status is None:
                raise JobFinished(f"Job {job_id} has already {job.status.value}.")
            if job.status is JobStatus.CANCELLED:
                await drop_payload(connection, job_id)
            return job

    async def claim(
        self, job_id: str, worker: str, *, lease_seconds: float, kind: JobKind = JobKind.INGEST
    ) -> Claim | None:
        """Lease a queued job of a document, or a running one whose lease is over; None when it can't be had."""
        row = await self._leased(kind, job_id, worker, lease_seconds)
        return None if row is None else Claim(job=to_job(row), upload=to_upload(row["upload"]), worker=worker)

    async def next_append(self, job_id: str) -> str | None:
        """Return the first append that waits for the document of this job, or None."""
        async with transaction(self._engine) as connection:
            waiting: str | None = (await connection.execute(_NEXT_APPEND, {"job": job_id})).scalar_one_or_none()
        return waiting

    async def lease(self, kind: JobKind, job_id: str, worker: str, *, lease_seconds: float) -> Lease | None:
        """Do for a job of no document what `claim` does for one of a document."""
        row = await self._leased(kind, job_id, worker, lease_seconds)
        return None if row is None else Lease(job=to_job(row), worker=worker)

    async def _leased(self, kind: JobKind, job_id: str, worker: str, lease_seconds: float) -> RowMapping | None:
        async with transaction(self._engine) as connection:
            row = (await connection.execute(_CLAIMABLE, {"job": job_id, "kind": kind.value})).one_or_none()
            if row is None:
                return None
            if row.cancel_requested or row.attempt >= self._max_tries:
                await self._end_worn_out(connection, job_id, cancelled=row.cancel_requested)
                return None
            await connection.execute(_CLAIM, {"job": job_id, "worker": worker, "lease": lease_seconds})
            return await fetch_job(connection, job_id)

    async def payload(self, lease: Lease) -> AsyncIterator[bytes]:
        """Stream the payload of a leased job.

        Raises:
            LeaseLost: the payload went while it was read, as another worker finished the job.
        """
        of_job = {"job": lease.job.id}
        async with transaction(self._engine) as connection:
            count = (await connection.execute(_PAYLOAD_ROWS, of_job)).scalar_one()
        for number in range(count):
            async with transaction(self._engine) as connection:
                data = (await connection.execute(_PAYLOAD, {**of_job, "seq": number})).scalar_one_or_none()
            if data is None:
                raise LeaseLost(f"Job {lease.job.id} was finished by another worker.")
            yield data

    async def heartbeat(
        self,
        lease: Lease,
        *,
        lease_seconds: float,
        stage: JobStage | None = None,
        done: int | None = None,
        total: int | None = None,
    ) -> None:
        """Renew the lease and record progress."""
        values = {
            **_held(lease),
            "lease": lease_seconds,
            "stage": None if stage is None else stage.value,
            "done": done,
            "total": total,
        }
        async with transaction(self._engine) as connection:
            cancelled = (await connection.execute(_HEARTBEAT, values)).scalar_one_or_none()
        if cancelled is None:
            raise LeaseLost(f"Job {lease.job.id} is no longer run by {lease.worker}.")
        if cancelled:
            raise JobCancelled(f"Job {lease.job.id} was cancelled.")

    async def finish(self, lease: Lease, status: JobStatus, *, error: JsonObject | None = None) -> None:
        """End a leased job as failed or cancelled. A failed one keeps its payload. No-op without the lease."""
        async with transaction(self._engine) as connection:
            if (await connection.execute(_LOCK_HELD, _held(lease))).one_or_none() is not None:
                await _end(connection, lease.job.id, status, error)

    async def succeed(self, lease: Lease, result: bytes) -> None:
        """End a leased job with its result, a JSON text, which is kept as long as the job."""
        async with transaction(self._engine) as connection:
            held = (await connection.execute(_LOCK_HELD, _held(lease))).one_or_none()
            if held is None:
                raise LeaseLost(f"Job {lease.job.id} is no longer run by {lease.worker}.")
            if held.cancel_requested:
                raise JobCancelled(f"Job {lease.job.id} was cancelled.")
            await connection.execute(_KEEP_RESULT, {"job": lease.job.id, "data": result})
            await _end(connection, lease.job.id, JobStatus.SUCCEEDED)

    async def result(self, job_id: str) -> bytes | None:
        """Return the JSON text that a job ended with, or None."""
        async with transaction(self._engine) as connection:
            data = (await connection.execute(_RESULT, {"job": job_id})).scalar_one_or_none()
        return None if data is None else bytes(data)

    async def release(self, lease: Lease, *, count_attempt: bool = True) -> None:
        """Hand a leased job back to the queue; one that was asked to stop ends cancelled instead."""
        async with transaction(self._engine) as connection:
            held = (await connection.execute(_LOCK_HELD, _held(lease))).one_or_none()
            if held is None:
                return
            if held.cancel_requested:
                await _end(connection, lease.job.id, JobStatus.CANCELLED)
                return
            await connection.execute(_RELEASE, {"job": lease.job.id, "uncounted": 0 if count_attempt else 1})

    async def stranded(
        self, *, limit: int = 100, announced_before_seconds: float = 15.0
    ) -> Sequence[tuple[JobKind, str, int]]:
        """Return (kind, job, attempt) of jobs to announce: queued and not announced lately, or past their lease."""
        async with transaction(self._engine) as connection:
            worn_out = await connection.execute(_WORN_OUT, {"max_tries": self._max_tries, "limit": limit})
            for row in worn_out.all():
                await self._end_worn_out(connection, row.id, cancelled=row.cancel_requested)
            rows = await connection.execute(_STRANDED, {"limit": limit, "patience": announced_before_seconds})
            return [(JobKind(row.kind), row.id, row.attempt) for row in rows]

    async def mark_announced(self, job_id: str) -> None:
        """Note that the queue was told of this job, so that the sweeper waits before it repeats it."""
        async with transaction(self._engine) as connection:
            await connection.execute(_ANNOUNCED, {"job": job_id})

    async def beat(self, worker: str) -> None:
        """Record that this worker is alive."""
        async with transaction(self._engine) as connection:
            await connection.execute(_BEAT, {"worker": worker})

    async def newest_beat_age(self) -> float | None:
        """Seconds since any worker was last known alive, or None."""
        async with transaction(self._engine) as connection:
            age = (await connection.execute(_NEWEST_BEAT)).scalar_one()
        return None if age is None else float(age)

    async def expire(self, *, retention_days: int) -> int:
        """Drop finished jobs past their retention with all that hangs on them; return how many jobs went."""
        async with transaction(self._engine) as connection:
            expired = await connection.execute(_EXPIRE, {"days": retention_days})
            await connection.execute(_EXPIRE_BEATS, {"days": retention_days})
            return expired.rowcount

    async def _end_worn_out(self, connection: AsyncConnection, job_id: str, *, cancelled: bool) -> None:
        """End a job that nobody holds and nobody will run again."""
        if cancelled:
            await _end(connection, job_id, JobStatus.CANCELLED)
            return
        detail = (
            f"The job was given up after {self._max_tries} attempts: each time its worker died or stopped answering."
        )
        error = problem_object("attempts-exhausted", "The job was given up", 500, detail)
        await _end(connection, job_id, JobStatus.FAILED, error)


async def _job(connection: AsyncConnection, job_id: str) -> Job:
    row = await fetch_job(connection, job_id)
    if row is None:
        raise JobNotFound(f"There is no job {job_id!r}.")
    return to_job(row)


async def _end(connection: AsyncConnection, job_id: str, status: JobStatus, error: JsonObject | None = None) -> None:
    """End a job whose row is locked. What failed can be run again, so its payload stays."""
    values = {"job": job_id, "status": status.value, "error": None if error is None else json.dumps(error)}
    await connection.execute(_END, values)
    if status is not JobStatus.FAILED:
        await drop_payload(connection, job_id)


def _held(lease: Lease) -> dict[str, object]:
    """What tells this lease from a later one of the same job."""
    return {"job": lease.job.id, "worker": lease.worker, "attempt": lease.job.attempt}
