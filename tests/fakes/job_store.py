"""Jobs in memory; held to the same suite as the real store."""

import time
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.documents.document import Page
from app.documents.job import Accepted, Claim, IdempotencyKey, Job, JobKind, JobStage, JobStatus, Lease, Upload
from app.documents.problem import problem_object
from app.documents.profile import Profile
from app.documents.values import JsonObject
from app.errors import (
    CannotAppend,
    DocumentBusy,
    DocumentNotFound,
    IdempotencyConflict,
    JobCancelled,
    JobFinished,
    JobNotFound,
    LeaseLost,
)
from tests.fakes.memory import Memory, MemoryDocument, MemoryJob, page_of


class MemoryJobStore:
    """See the port `JobStore`."""

    def __init__(self, memory: Memory, max_tries: int = 3) -> None:
        self._memory = memory
        self._max_tries = max_tries

    async def accept(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        parts = [part async for part in payload]
        return await self._accepted(idempotency_key, lambda: self._recorded(upload, parts))

    async def accept_append(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        parts = [part async for part in payload]
        return await self._accepted(idempotency_key, lambda: self._appending(upload, parts))

    def _appending(self, upload: Upload, parts: list[bytes]) -> Job:
        row = self._memory.documents.get((upload.collection, upload.document))
        names = {upload.document, None if row is None else row.parent}
        for entry in self._memory.jobs.values():
            if entry.job.kind is JobKind.INGEST and entry.job.document in names and _will_commit(entry):
                raise DocumentBusy("It is being replaced.")
        if row is None or row.document is None:
            raise DocumentNotFound(f"There is no document {upload.document!r}.")
        if row.document.profile is Profile.MARKUP:
            raise CannotAppend("It is a data file.")
        row.accepted_version, row.accepted_upload, row.fingerprint = row.accepted_version + 1, None, None
        job = Job(
            id=f"job_{uuid.uuid4().hex}",
            kind=JobKind.APPEND,
            status=JobStatus.QUEUED,
            collection=upload.collection,
            document=upload.document,
            version=row.accepted_version,
            created_at=_now(),
            warnings=upload.warnings,
        )
        row.accepted_job = job.id
        self._memory.jobs[job.id] = MemoryJob(job, next(self._memory.numbers), upload, parts)
        return job

    async def accept_work(
        self, kind: JobKind, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        parts = [part async for part in payload]

        def record() -> Job:
            job = Job(id=f"job_{uuid.uuid4().hex}", kind=kind, status=JobStatus.QUEUED, created_at=_now())
            self._memory.jobs[job.id] = MemoryJob(job, next(self._memory.numbers), None, parts)
            return job

        return await self._accepted(idempotency_key, record)

    async def _accepted(self, idempotency_key: IdempotencyKey | None, record: Callable[[], Job]) -> Accepted:
        if idempotency_key is not None:
            place = (idempotency_key.scope, idempotency_key.key)
            if place in self._memory.keys:
                body_hash, job_id = self._memory.keys[place]
                if body_hash != idempotency_key.body_hash:
                    raise IdempotencyConflict("The key was used with another body.")
                return Accepted(job=await self.job(job_id), replayed=True)
        job = record()
        if idempotency_key is not None:
            self._memory.keys[idempotency_key.scope, idempotency_key.key] = (idempotency_key.body_hash, job.id)
        return Accepted(job=await self.job(job.id))

    def _recorded(self, upload: Upload, parts: list[bytes]) -> Job:
        document = self._memory.documents.setdefault(
            (upload.collection, upload.document),
            MemoryDocument(upload.collection, next(self._memory.numbers), upload.document),
        )
        parts_of_upload = (upload.content_hash, upload.read_as, upload.profile, upload.config, upload.ingestion_version)
        unchanged = not upload.force and document.accepted_upload == parts_of_upload and self._is_good(document)
        version = document.accepted_version + (0 if unchanged else 1)
        entry = self._memory.jobs.get(document.accepted_job or "") if unchanged else None
        documents = entry.job.documents if entry else ()
        units = len(document.document.units) if document.document else entry.job.units if entry else None
        job = Job(
            id=f"job_{uuid.uuid4().hex}",
            kind=JobKind.INGEST,
            status=JobStatus.SUCCEEDED if unchanged else JobStatus.QUEUED,
            collection=upload.collection,
            document=upload.document,
            version=version,
            created_at=_now(),
            finished_at=_now() if unchanged else None,
            unchanged=unchanged,
            units=units if unchanged else None,
            documents=documents,
            unchanged_documents=len(documents),
            warnings=upload.warnings,
        )
        if not unchanged:
            document.accepted_version, document.accepted_job = version, job.id
            document.accepted_upload = parts_of_upload
        self._memory.jobs[job.id] = MemoryJob(job, next(self._memory.numbers), upload, [] if unchanged else parts)
        return job

    def _is_good(self, document: MemoryDocument) -> bool:
        if document.live_version == document.accepted_version:
            return True
        accepted = self._memory.jobs.get(document.accepted_job or "")
        bad = {JobStatus.FAILED, JobStatus.CANCELLED}
        return accepted is not None and accepted.job.status not in bad and not accepted.job.cancel_requested

    async def job(self, job_id: str) -> Job:
        return self._shown(self._entry(job_id))

    def _entry(self, job_id: str) -> MemoryJob:
        if job_id not in self._memory.jobs:
            raise JobNotFound(f"There is no job {job_id!r}.")
        return self._memory.jobs[job_id]

    def _shown(self, entry: MemoryJob) -> Job:
        if entry.job.status is not JobStatus.QUEUED:
            return entry.job
        earlier = [each for each in self._memory.jobs.values() if each.seq < entry.seq and not each.job.status.finished]
        return replace(entry.job, queue_position=len(earlier))

    async def jobs(
        self, page: Page, *, collection: str | None, document: str | None, status: JobStatus | None
    ) -> tuple[Sequence[Job], str | None]:
        found = [
            entry
            for entry in sorted(self._memory.jobs.values(), key=lambda entry: -entry.seq)
            if collection in {None, entry.job.collection}
            and document in {None, entry.job.document}
            and status in {None, entry.job.status}
        ]
        shown, cursor = page_of(found, page, lambda entry: entry.seq)
        return [self._shown(entry) for entry in shown], cursor

    async def cancel(self, job_id: str) -> Job:
        entry = self._entry(job_id)
        if entry.job.status.finished:
            raise JobFinished(f"Job {job_id} has already {entry.job.status.value}.")
        entry.job = replace(entry.job, cancel_requested=True)
        if entry.job.status is JobStatus.QUEUED:
            end(entry, JobStatus.CANCELLED)
        return self._shown(entry)

    async def claim(
        self, job_id: str, worker: str, *, lease_seconds: float, kind: JobKind = JobKind.INGEST
    ) -> Claim | None:
        lease = await self.lease(kind, job_id, worker, lease_seconds=lease_seconds)
        upload = None if lease is None else self._memory.jobs[job_id].upload
        return None if lease is None or upload is None else Claim(job=lease.job, worker=worker, upload=upload)

    def _waits(self, entry: MemoryJob) -> bool:
        """Whether a job is an append that earlier jobs of its document go before."""
        return entry.job.kind is JobKind.APPEND and any(
            each.seq < entry.seq and each.job.document == entry.job.document and _will_commit(each)
            for each in self._memory.jobs.values()
            if each.job.collection == entry.job.collection
        )

    async def next_append(self, job_id: str) -> str | None:
        job = self._memory.jobs[job_id].job
        waiting = [
            entry
            for entry in self._memory.jobs.values()
            if (entry.job.kind, entry.job.status) == (JobKind.APPEND, JobStatus.QUEUED)
            and (entry.job.collection, entry.job.document) == (job.collection, job.document)
        ]
        return min(waiting, key=lambda entry: entry.seq).job.id if waiting else None

    async def lease(self, kind: JobKind, job_id: str, worker: str, *, lease_seconds: float) -> Lease | None:
        entry = self._memory.jobs.get(job_id)
        if entry is None or entry.job.kind is not kind or self._waits(entry):
            return None
        if not (entry.job.status is JobStatus.QUEUED or _is_abandoned(entry)):
            return None
        if entry.job.cancel_requested or entry.job.attempt >= self._max_tries:
            self._end_worn_out(entry)
            return None
        entry.worker, entry.lease_until = worker, time.monotonic() + lease_seconds
        entry.job = replace(
            entry.job,
            status=JobStatus.RUNNING,
            attempt=entry.job.attempt + 1,
            started_at=entry.job.started_at or _now(),
            stage=None,
            done=0,
            total=0,
        )
        return Lease(job=entry.job, worker=worker)

    async def payload(self, lease: Lease) -> AsyncIterator[bytes]:
        for part in list(self._memory.jobs[lease.job.id].payload):
            yield part

    async def heartbeat(
        self,
        lease: Lease,
        *,
        lease_seconds: float,
        stage: JobStage | None = None,
        done: int | None = None,
        total: int | None = None,
    ) -> None:
        entry = held(self._memory, lease)
        if entry is None:
            raise LeaseLost("Another worker has the job.")
        entry.lease_until = time.monotonic() + lease_seconds
        same = stage in {None, entry.job.stage}
        entry.job = replace(
            entry.job,
            stage=stage or entry.job.stage,
            done=done if done is not None else entry.job.done if same else 0,
            total=total if total is not None else entry.job.total if same else 0,
        )
        if entry.job.cancel_requested:
            raise JobCancelled("The job was cancelled.")

    async def finish(self, lease: Lease, status: JobStatus, *, error: JsonObject | None = None) -> None:
        entry = held(self._memory, lease)
        if entry is not None:
            end(entry, status, error)

    async def succeed(self, lease: Lease, result: bytes) -> None:
        entry = held(self._memory, lease)
        if entry is None:
            raise LeaseLost("Another worker has the job.")
        if entry.job.cancel_requested:
            raise JobCancelled("The job was cancelled.")
        entry.result = result
        end(entry, JobStatus.SUCCEEDED)

    async def result(self, job_id: str) -> bytes | None:
        entry = self._memory.jobs.get(job_id)
        return None if entry is None else entry.result

    async def release(self, lease: Lease, *, count_attempt: bool = True) -> None:
        entry = held(self._memory, lease)
        if entry is None:
            return
        if entry.job.cancel_requested:
            end(entry, JobStatus.CANCELLED)
            return
        entry.worker, entry.announced_at = None, None
        attempt = entry.job.attempt - (0 if count_attempt else 1)
        entry.job = replace(entry.job, status=JobStatus.QUEUED, attempt=attempt, stage=None, done=0, total=0)

    async def stranded(
        self, *, limit: int = 100, announced_before_seconds: float = 15.0
    ) -> Sequence[tuple[JobKind, str, int]]:
        for entry in self._memory.jobs.values():
            if _is_abandoned(entry) and (entry.job.attempt >= self._max_tries or entry.job.cancel_requested):
                self._end_worn_out(entry)
        before = time.monotonic() - announced_before_seconds
        return [
            (entry.job.kind, entry.job.id, entry.job.attempt)
            for entry in sorted(self._memory.jobs.values(), key=lambda entry: entry.seq)
            if (entry.job.status is JobStatus.QUEUED or _is_abandoned(entry))
            and not self._waits(entry)
            and (entry.announced_at is None or entry.announced_at < before)
        ][:limit]

    async def mark_announced(self, job_id: str) -> None:
        if job_id in self._memory.jobs:
            self._memory.jobs[job_id].announced_at = time.monotonic()

    async def beat(self, worker: str) -> None:
        self._memory.beats[worker] = time.monotonic()

    async def newest_beat_age(self) -> float | None:
        return time.monotonic() - max(self._memory.beats.values()) if self._memory.beats else None

    async def expire(self, *, retention_days: int) -> int:
        before = _now() - timedelta(days=retention_days)
        expired = {
            entry.job.id
            for entry in self._memory.jobs.values()
            if entry.job.finished_at is not None and entry.job.finished_at < before
        }
        for job_id in expired:
            del self._memory.jobs[job_id]
        self._memory.keys = {place: value for place, value in self._memory.keys.items() if value[1] not in expired}
        return len(expired)

    def _end_worn_out(self, entry: MemoryJob) -> None:
        if entry.job.cancel_requested:
            end(entry, JobStatus.CANCELLED)
        else:
            end(entry, JobStatus.FAILED, problem_object("attempts-exhausted", "The job was given up", 500, "Worn out."))


def held(memory: Memory, lease: Lease) -> MemoryJob | None:
    """The job of a lease while it is this worker's."""
    entry = memory.jobs.get(lease.job.id)
    ours = (JobStatus.RUNNING, lease.worker, lease.job.attempt)
    return entry if entry is not None and (entry.job.status, entry.worker, entry.job.attempt) == ours else None


def end(entry: MemoryJob, status: JobStatus, error: JsonObject | None = None) -> None:
    entry.job = replace(entry.job, status=status, error=error, finished_at=_now())
    entry.worker = None
    if status is not JobStatus.FAILED:
        entry.payload = []
        entry.notes = {}


def _will_commit(entry: MemoryJob) -> bool:
    return not entry.job.status.finished and not entry.job.cancel_requested


def _is_abandoned(entry: MemoryJob) -> bool:
    return entry.job.status is JobStatus.RUNNING and entry.lease_until < time.monotonic()


def _now() -> datetime:
    return datetime.now(UTC)
