"""The queue that wakes workers: arq on Redis. It carries ids only; what it forgets, the sweeper announces again.

arq refuses an id whose entry it still holds, silently. An entry that waits is as good as a new one; an entry that a
worker started and never finished, because it was killed, holds its id for the whole job timeout. So an id is made of
job, attempt and a number, and a number whose entry has been started is passed over.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from arq.connections import ArqRedis
from arq.constants import in_progress_key_prefix
from redis.asyncio import BlockingConnectionPool
from redis.exceptions import RedisError

from app.documents.job import JobKind
from app.errors import QueueUnavailable

#: Seconds to connect, and to wait for an answer; a hung Redis must not hold up a request that is already accepted.
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0
#: Connections that a process keeps at most; callers over it wait for one.
MAX_CONNECTIONS = 16
#: Started entries of one attempt that are passed over: far more than attempts leave behind.
MAX_PASSED_OVER = 32

log = structlog.stdlib.get_logger(__name__)


def connect(redis_url: str) -> ArqRedis:
    """Return a lazily connecting client that speaks JSON where arq would pickle, and gives up on a silent server."""
    pool = BlockingConnectionPool.from_url(
        redis_url,
        max_connections=MAX_CONNECTIONS,
        timeout=ANSWER_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=ANSWER_SECONDS,
    )
    return ArqRedis(pool, job_serializer=serialize, job_deserializer=deserialize)


def serialize(entry: dict[str, Any]) -> bytes:
    """Encode a queue entry."""
    return json.dumps(entry).encode()


def deserialize(data: bytes) -> dict[str, Any]:
    """Decode a queue entry.

    Raises:
        ValueError: the bytes are not JSON.
        TypeError: they are not an object.
    """
    entry = json.loads(data)
    if not isinstance(entry, dict):
        raise TypeError("A queue entry is a JSON object.")
    return entry


@contextmanager
def translated() -> Iterator[None]:
    """Turn failures to reach Redis into `QueueUnavailable`, and log them, as those who announce carry on."""
    try:
        yield
    except (RedisError, OSError, TimeoutError) as error:
        log.warning("queue_unavailable", reason=f"{type(error).__name__}: {error}")
        raise QueueUnavailable("The job queue (Redis) does not answer.") from error


class ArqQueue:
    """Satisfies `app.ports.job_queue.JobQueue`."""

    def __init__(self, redis: ArqRedis) -> None:
        self._redis = redis

    async def announce(self, kind: JobKind, job_id: str, attempt: int) -> None:
        """Wake a worker for this attempt of a job; see `JobQueue.announce`."""
        with translated():
            for number in range(MAX_PASSED_OVER):
                entry = f"{job_id}:{attempt}:{number}"
                if await self._redis.enqueue_job(kind.value, job_id, _job_id=entry) is not None:
                    return
                if not await self._redis.exists(in_progress_key_prefix + entry):
                    return

    async def ping(self) -> None:
        """Check that Redis answers; see `JobQueue.ping`."""
        with translated():
            await self._redis.ping()
