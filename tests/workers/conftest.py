"""What the worker tests share: settings by environment, a worker in this process, a worker as a process of its own."""

import asyncio
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app import wiring
from app.adapters.arq_queue import ArqQueue, connect
from app.adapters.postgres.document_store import PostgresDocumentStore
from app.adapters.postgres.job_store import PostgresJobStore
from app.documents.document import Page
from app.documents.job import Accepted, IdempotencyKey, Job, JobStatus, Upload
from app.operations.accept_document import INGESTION_VERSION, AcceptDocument
from app.settings import Settings
from app.wiring import WorkerServices
from workers.main import JobRunner
from workers.upkeep import keep_up

#: Seconds that a test waits for something before it fails.
PATIENCE = 40.0


@dataclass
class Door:
    """Accepts documents as the API does, and looks after their jobs."""

    jobs: PostgresJobStore
    documents: PostgresDocumentStore
    operation: AcceptDocument

    async def accept(
        self,
        text: str | bytes,
        document: str = "manual",
        *,
        key: IdempotencyKey | None = None,
        profile: str | None = None,
    ) -> Accepted:
        data = text.encode() if isinstance(text, str) else text
        upload = Upload(
            collection="default",
            document=document,
            format="markdown",
            profile=profile,
            content_hash=hashlib.sha256(data).hexdigest(),
            size=len(data),
            ingestion_version=INGESTION_VERSION,
        )
        return await self.operation.run(upload, _stream(data), key)

    async def until(self, job_id: str, condition: Callable[[Job], bool]) -> Job:
        """Wait until a job is as wanted; fail when it takes too long."""
        async with asyncio.timeout(PATIENCE):
            while not condition(job := await self.jobs.job(job_id)):
                await asyncio.sleep(0.05)
        return job

    async def finished(self, job_id: str) -> Job:
        return await self.until(job_id, lambda job: job.status.finished)

    async def running(self, job_id: str) -> Job:
        return await self.until(job_id, lambda job: job.status is JobStatus.RUNNING)

    async def unit_texts(self, document: str = "manual") -> list[str]:
        units, _ = await self.documents.units("default", document, Page(cursor=None, limit=100))
        return [hit.unit.text for hit in units]


async def _stream(data: bytes) -> AsyncIterator[bytes]:
    yield data


@dataclass
class WorkerProcess:
    """`python -m workers`, as it runs in production."""

    process: subprocess.Popen[bytes]
    log_file: Path
    environment: dict[str, str] = field(default_factory=dict)

    def log(self) -> str:
        return self.log_file.read_text()

    async def started(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while "worker_started" not in self.log():
                assert self.process.poll() is None, self.log()
                await asyncio.sleep(0.05)

    async def end(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return await asyncio.to_thread(self.process.wait, PATIENCE)


@pytest.fixture
def settings(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Settings]:
    """Put settings into the environment, where worker processes find them too, and return them."""
    monkeypatch.chdir(tmp_path)
    defaults = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "DECISION_MODEL": "none",
        "LEASE_SECONDS": "2",
        "READER_PROCESSES": "1",
        "LOG_FORMAT": "json",
    }

    def build(**changes: str) -> Settings:
        for name, value in {**defaults, **changes}.items():
            monkeypatch.setenv(name, value)
        return Settings()

    return build


@pytest.fixture
async def door(engine: AsyncEngine, redis_url: str) -> AsyncIterator[Door]:
    """Where documents come in."""
    async with a_door(engine, redis_url) as door:
        yield door


@asynccontextmanager
async def a_door(engine: AsyncEngine, redis_url: str) -> AsyncIterator[Door]:
    client = connect(redis_url)
    jobs = PostgresJobStore(engine, max_tries=3)
    yield Door(jobs, PostgresDocumentStore(engine), AcceptDocument(jobs, ArqQueue(client)))
    await client.aclose(close_connection_pool=True)


@pytest.fixture
def start_worker(tmp_path: Path) -> Iterator[Callable[[], WorkerProcess]]:
    """Start worker processes; those that still run at the end are killed."""
    started: list[WorkerProcess] = []

    def start() -> WorkerProcess:
        log_file = tmp_path / f"worker-{len(started)}.log"
        with log_file.open("wb") as log:
            process = subprocess.Popen([sys.executable, "-m", "workers"], stderr=log, env=os.environ.copy())
        started.append(WorkerProcess(process, log_file))
        return started[-1]

    yield start
    for worker in started:
        with contextlib.suppress(ProcessLookupError):
            worker.process.kill()
        worker.process.wait()


@asynccontextmanager
async def running_worker(
    settings: Settings, change: Callable[[WorkerServices], WorkerServices] = lambda services: services
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Run a worker in this process; yields what stops it as SIGTERM would."""
    stop = asyncio.Event()
    async with wiring.open_worker(settings) as services:
        changed = change(services)
        upkeep = asyncio.create_task(keep_up(changed, "in-process"))
        running = asyncio.create_task(JobRunner(changed, "in-process").run_until(stop))

        async def end() -> None:
            stop.set()
            await running

        try:
            yield end
        finally:
            await end()
            upkeep.cancel()
            await asyncio.gather(upkeep, return_exceptions=True)
