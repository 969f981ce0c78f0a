"""One accepted job and the document it makes, in memory: what `IngestDocument` needs of its two stores.

It is claimed once, records what happens to it, and can be told to fail. The stores' rules themselves are tested on
Postgres.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast

from app.documents.document import Document
from app.documents.growth import Growing
from app.documents.job import Claim, Job, JobKind, JobResult, JobStage, JobStatus, Upload
from app.documents.values import JsonObject
from app.errors import DocumentNotFound
from app.ports.document_store import DocumentStore
from app.ports.job_store import JobStore

#: Called at each heartbeat with the stage so far; may raise.
OnBeat = Callable[[JobStage | None], None]


def an_upload(**changes: object) -> Upload:
    upload = Upload(
        collection="default",
        document="manual",
        format="markdown",
        content_hash="0" * 64,
        size=1,
        ingestion_version="1",
    )
    return replace(upload, **changes)  # type: ignore[arg-type]  # names and types are those of Upload


@dataclass
class OneJob:
    """The stores of one job, and what was done to it."""

    upload: Upload = field(default_factory=an_upload)
    payload_parts: Sequence[bytes] = (b"# Pump\n\n", b"Press start.\n")
    attempt: int = 1
    on_beat: OnBeat = lambda _stage: None
    #: Set while the commit runs, to let a test act in the middle of it.
    during_commit: Callable[[], AsyncIterator[None]] | None = None

    beats: int = 0
    progress: list[tuple[JobStage, int, int]] = field(default_factory=list)
    document: Document | None = None
    result: JobResult | None = None
    finished: tuple[JobStatus, JsonObject | None] | None = None
    released: bool | None = None

    def as_jobs(self) -> JobStore:
        return cast(JobStore, self)

    def as_documents(self) -> DocumentStore:
        return cast(DocumentStore, self)

    def job(self, status: JobStatus = JobStatus.RUNNING) -> Job:
        return Job(
            id="job_1",
            kind=JobKind.INGEST,
            status=status,
            collection=self.upload.collection,
            document=self.upload.document,
            version=1,
            attempt=self.attempt,
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )

    async def claim(self, job_id: str, worker: str, *, lease_seconds: float) -> Claim | None:
        return Claim(job=self.job(), upload=self.upload, worker=worker) if job_id == "job_1" else None

    async def payload(self, claim: Claim) -> AsyncIterator[bytes]:
        for part in self.payload_parts:
            yield part

    async def heartbeat(
        self,
        claim: Claim,
        *,
        lease_seconds: float,
        stage: JobStage | None = None,
        done: int | None = None,
        total: int | None = None,
    ) -> None:
        self.beats += 1
        if stage is not None:
            self.progress.append((stage, done or 0, total or 0))
        self.on_beat(self.stage)

    @property
    def stage(self) -> JobStage | None:
        return self.progress[-1][0] if self.progress else None

    async def finish(self, claim: Claim, status: JobStatus, *, error: JsonObject | None = None) -> None:
        self.finished = (status, error)

    async def release(self, claim: Claim, *, count_attempt: bool = True) -> None:
        self.released = count_attempt

    async def growing(self, collection: str, document: str) -> Growing:
        raise DocumentNotFound("Nothing is stored.")

    async def replace(self, claim: Claim, document: Document, result: JobResult) -> Job:
        if self.during_commit is not None:
            async for _ in self.during_commit():
                pass
        self.document, self.result = document, result
        return self.job(JobStatus.SUCCEEDED)
