"""What a worker does beside its jobs: show that it is alive, announce stranded jobs, drop what expired.

These run in tasks of the process rather than as arq cron jobs: a cron job needs a free slot of a worker and a Redis
that works, and stranded jobs are most likely when there is neither.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from app.errors import Unavailable
from app.operations.announce_stranded import PATIENCE_SECONDS
from app.wiring import WorkerServices

BEAT_SECONDS = 10.0
SWEEP_SECONDS = 5.0
EXPIRY_SECONDS = 3600.0

log = structlog.stdlib.get_logger(__name__)


async def keep_up(services: WorkerServices, worker: str) -> None:
    """Do all upkeep of a worker process until cancelled."""
    async with asyncio.TaskGroup() as group:
        group.create_task(_every(BEAT_SECONDS, lambda: services.jobs.beat(worker)))
        group.create_task(_sweep(services))
        group.create_task(_every(EXPIRY_SECONDS, lambda: _expire(services)))


async def _sweep(services: WorkerServices) -> None:
    """Announce stranded jobs, at the start without waiting whether an announcement still works out."""
    await _attempt(lambda: _announce(services, 0.0))
    await _every(SWEEP_SECONDS, lambda: _announce(services, PATIENCE_SECONDS))


async def _announce(services: WorkerServices, patience_seconds: float) -> None:
    count = await services.announce_stranded.run(patience_seconds=patience_seconds)
    if count:
        log.info("stranded_jobs_announced", count=count)


async def _expire(services: WorkerServices) -> None:
    count = await services.jobs.expire(retention_days=services.retention_days)
    if count:
        log.info("expired_jobs_dropped", count=count)


async def _every(seconds: float, action: Callable[[], Awaitable[None]]) -> None:
    while True:
        await _attempt(action)
        await asyncio.sleep(seconds)


async def _attempt(action: Callable[[], Awaitable[None]]) -> None:
    """Run an action; a dependency that is away is tried again the next time, and so is what nobody foresaw."""
    try:
        await action()
    except Unavailable as error:
        log.warning("upkeep_postponed", reason=error.detail)
    except Exception:
        log.exception("upkeep_failed")
