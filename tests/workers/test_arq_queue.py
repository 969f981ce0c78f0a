import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from arq.connections import ArqRedis
from arq.constants import default_queue_name, in_progress_key_prefix, job_key_prefix

from app.adapters.arq_queue import ArqQueue, connect, deserialize
from app.documents.job import JobKind
from app.errors import QueueUnavailable

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[ArqRedis]:
    client = connect(redis_url)
    yield client
    await client.aclose(close_connection_pool=True)


async def waiting(client: ArqRedis) -> list[str]:
    return [entry.decode() for entry in await client.zrange(default_queue_name, 0, -1)]


async def start(client: ArqRedis, entry: str) -> None:
    """Mark an entry as arq does when a worker starts it."""
    await client.set(in_progress_key_prefix + entry, b"1")


async def test_an_announcement_carries_the_job_id_and_nothing_else(client: ArqRedis) -> None:
    await ArqQueue(client).announce(JobKind.INGEST, "job_a", 0)

    entry = json.loads(await client.get(f"{job_key_prefix}job_a:0:0"))
    assert (entry["f"], entry["a"], entry["k"]) == ("ingest", ["job_a"], {})


async def test_repeating_an_announcement_that_waits_adds_nothing(client: ArqRedis) -> None:
    queue = ArqQueue(client)

    for _ in range(5):
        await queue.announce(JobKind.INGEST, "job_a", 0)

    assert await waiting(client) == ["job_a:0:0"]


async def test_an_entry_that_a_dead_worker_started_does_not_block_the_job(client: ArqRedis) -> None:
    queue = ArqQueue(client)
    await queue.announce(JobKind.INGEST, "job_a", 0)
    await start(client, "job_a:0:0")

    await queue.announce(JobKind.INGEST, "job_a", 0)
    await queue.announce(JobKind.INGEST, "job_a", 0)

    assert await waiting(client) == ["job_a:0:0", "job_a:0:1"]


async def test_a_new_attempt_is_a_new_entry(client: ArqRedis) -> None:
    queue = ArqQueue(client)

    await queue.announce(JobKind.INGEST, "job_a", 0)
    await queue.announce(JobKind.INGEST, "job_a", 1)

    assert await waiting(client) == ["job_a:0:0", "job_a:1:0"]


async def test_a_lost_announcement_can_be_repeated(client: ArqRedis) -> None:
    queue = ArqQueue(client)
    await queue.announce(JobKind.INGEST, "job_a", 0)
    await client.flushall()

    await queue.announce(JobKind.INGEST, "job_a", 0)

    assert await waiting(client) == ["job_a:0:0"]


async def test_an_absent_redis_is_reported_at_once(tmp_path: Path) -> None:
    client = connect(f"unix://{tmp_path}/nobody.sock")
    queue = ArqQueue(client)

    with pytest.raises(QueueUnavailable):
        await queue.announce(JobKind.INGEST, "job_a", 0)
    with pytest.raises(QueueUnavailable):
        await queue.ping()
    await client.aclose(close_connection_pool=True)


async def test_a_client_finds_redis_again(client: ArqRedis) -> None:
    queue = ArqQueue(client)
    await queue.ping()
    await client.connection_pool.disconnect()

    await queue.ping()


@pytest.mark.parametrize("data", [b"\x80\x04N.", b"[]", b"{"])
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        deserialize(data)
