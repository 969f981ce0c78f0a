"""Accepting a document, and announcing again what got stranded."""

from collections.abc import AsyncIterable, AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from app.documents.job import Accepted, IdempotencyKey, JobKind, JobStatus, Upload
from app.errors import DatabaseUnavailable, IdempotencyConflict, QueueUnavailable
from app.operations.accept_document import AcceptDocument
from app.operations.announce_stranded import AnnounceStranded
from app.ports.job_store import JobStore
from tests.fakes.one_job import OneJob, an_upload

pytestmark = pytest.mark.anyio

STRANDED = [(JobKind.INGEST, "job_1", 0), (JobKind.CONTEXTUALIZE, "job_2", 2)]


@dataclass
class Jobs:
    """Answers as told, and remembers which jobs it was told are announced."""

    answer: Accepted | Exception | None = None
    waiting: Sequence[tuple[JobKind, str, int]] = ()
    away_after_commit: bool = False
    announced: list[str] = field(default_factory=list)
    patience: float | None = None

    async def accept(
        self, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
    ) -> Accepted:
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        return self.answer

    async def mark_announced(self, job_id: str) -> None:
        if self.away_after_commit:
            raise DatabaseUnavailable("Away.")
        self.announced.append(job_id)

    async def stranded(
        self, *, limit: int = 100, announced_before_seconds: float = 15.0
    ) -> Sequence[tuple[JobKind, str, int]]:
        self.patience = announced_before_seconds
        return self.waiting

    def as_store(self) -> JobStore:
        return cast(JobStore, self)


@dataclass
class Queue:
    """Remembers announcements; is away after the first `works_for`."""

    works_for: int = 100
    announcements: list[tuple[JobKind, str, int]] = field(default_factory=list)

    async def announce(self, kind: JobKind, job_id: str, attempt: int) -> None:
        if len(self.announcements) >= self.works_for:
            raise QueueUnavailable("Away.")
        self.announcements.append((kind, job_id, attempt))

    async def ping(self) -> None:
        """Nobody asks."""


async def nothing() -> AsyncIterator[bytes]:
    yield b""


def accepted(status: JobStatus = JobStatus.QUEUED, *, replayed: bool = False) -> Accepted:
    return Accepted(job=OneJob(attempt=0).job(status), replayed=replayed)


async def test_an_accepted_job_is_announced_after_it_was_recorded() -> None:
    jobs, queue = Jobs(answer=accepted()), Queue()

    answer = await AcceptDocument(jobs.as_store(), queue).run(an_upload(), nothing(), None)

    assert answer == accepted()
    assert queue.announcements == [(JobKind.INGEST, "job_1", 0)]
    assert jobs.announced == ["job_1"]


async def test_a_queue_that_is_away_is_none_of_the_callers_business() -> None:
    jobs, queue = Jobs(answer=accepted()), Queue(works_for=0)

    assert await AcceptDocument(jobs.as_store(), queue).run(an_upload(), nothing(), None) == accepted()
    assert jobs.announced == []  # so the sweeper announces it at once


async def test_a_database_that_goes_away_after_the_commit_does_not_undo_the_answer() -> None:
    jobs = Jobs(answer=accepted(), away_after_commit=True)

    assert await AcceptDocument(jobs.as_store(), Queue()).run(an_upload(), nothing(), None) == accepted()


@pytest.mark.parametrize(
    "answer", [accepted(JobStatus.SUCCEEDED), accepted(replayed=True), accepted(JobStatus.FAILED, replayed=True)]
)
async def test_what_is_done_or_was_announced_before_is_not_announced(answer: Accepted) -> None:
    queue = Queue()

    await AcceptDocument(Jobs(answer=answer).as_store(), queue).run(an_upload(), nothing(), None)

    assert queue.announcements == []


async def test_what_was_not_recorded_is_not_announced() -> None:
    queue = Queue()

    with pytest.raises(IdempotencyConflict):
        await AcceptDocument(Jobs(answer=IdempotencyConflict("Other body.")).as_store(), queue).run(
            an_upload(), nothing(), IdempotencyKey(key="k", body_hash="h")
        )
    assert queue.announcements == []


async def test_stranded_jobs_are_announced_with_their_kind_and_attempt() -> None:
    jobs, queue = Jobs(waiting=STRANDED), Queue()

    assert await AnnounceStranded(jobs.as_store(), queue).run(patience_seconds=3.0) == 2
    assert queue.announcements == STRANDED
    assert jobs.announced == ["job_1", "job_2"]
    assert jobs.patience == 3.0


async def test_jobs_that_could_not_be_announced_stay_stranded() -> None:
    jobs, queue = Jobs(waiting=STRANDED), Queue(works_for=1)

    with pytest.raises(QueueUnavailable):
        await AnnounceStranded(jobs.as_store(), queue).run()
    assert jobs.announced == ["job_1"]
