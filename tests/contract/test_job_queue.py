"""What every `JobQueue` does."""

import socket
from collections.abc import AsyncIterator

import pytest

from app.adapters.arq_queue import ArqQueue, connect
from app.documents.job import JobKind
from app.errors import QueueUnavailable
from app.ports.job_queue import JobQueue
from tests.fakes.job_queue import MemoryJobQueue

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "arq"])
async def queue(request: pytest.FixtureRequest) -> AsyncIterator[JobQueue]:
    if request.param == "memory":
        yield MemoryJobQueue()
        return
    redis = connect(request.getfixturevalue("redis_url"))
    yield ArqQueue(redis)
    await redis.aclose(close_connection_pool=True)


@pytest.fixture(params=["memory", "arq"])
async def dead_queue(request: pytest.FixtureRequest) -> AsyncIterator[JobQueue]:
    if request.param == "memory":
        dead = MemoryJobQueue()
        dead.is_down = True
        yield dead
        return
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        redis = connect(f"redis://127.0.0.1:{unused.getsockname()[1]}/0")
    yield ArqQueue(redis)
    await redis.aclose(close_connection_pool=True)


async def test_announcing_again_is_harmless(queue: JobQueue) -> None:
    await queue.ping()
    for attempt in (0, 0, 1):
        await queue.announce(JobKind.INGEST, "job_1", attempt)


async def test_a_queue_that_does_not_answer_says_so(dead_queue: JobQueue) -> None:
    with pytest.raises(QueueUnavailable):
        await dead_queue.ping()
    with pytest.raises(QueueUnavailable):
        await dead_queue.announce(JobKind.INGEST, "job_1", 0)
