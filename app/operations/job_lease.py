"""Holding on to a claimed job while it runs (service design, "Ingestion jobs", steps 3 and 4)."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from app.documents.job import JobStage, Lease
from app.errors import DatabaseUnavailable, JobCancelled, LeaseLost
from app.ports.clock import Clock
from app.ports.job_store import JobStore

T = TypeVar("T")

#: Heartbeats within one lease, so that a missed one or two lose nothing.
BEATS_PER_LEASE = 3


class JobLease:
    """Keeps one job's lease alive, records its progress, and stops its work when the job is no longer ours."""

    def __init__(self, jobs: JobStore, lease: Lease, clock: Clock, *, lease_seconds: float) -> None:
        self._jobs = jobs
        self._lease = lease
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._renewed_at = clock.monotonic()
        self._committing = False

    async def hold(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` under the lease and return its result.

        Raises:
            LeaseLost: another worker has the job, or the database was away for a whole lease; `work` was stopped.
            JobCancelled: the job was asked to stop, and `work` was stopped.
        """
        working = asyncio.create_task(work)
        keeping = asyncio.create_task(self._keep())
        try:
            await asyncio.wait({working, keeping}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                keeping.result()
            return await working
        finally:
            working.cancel()
            keeping.cancel()
            await asyncio.gather(working, keeping, return_exceptions=True)

    async def enter(self, stage: JobStage, done: int = 0, total: int = 0) -> None:
        """Record what the job is busy with, renew the lease, and notice a request to stop.

        Raises:
            LeaseLost: another worker has the job.
            JobCancelled: the job was asked to stop.
        """
        # The transaction that commits checks the lease and the request to stop by itself: from here on a heartbeat that
        # meets a finished job may only mean that the commit was faster than its answer.
        self._committing = stage is JobStage.COMMIT
        await self._jobs.heartbeat(self._lease, lease_seconds=self._lease_seconds, stage=stage, done=done, total=total)
        self._renewed_at = self._clock.monotonic()

    def progress(self, stage: JobStage) -> Callable[[int, int], Awaitable[None]]:
        """Return a callback that records `done` of `total` for a stage; it raises as `enter` does."""

        async def record(done: int, total: int) -> None:
            await self.enter(stage, done, total)

        return record

    async def _keep(self) -> None:
        """Send heartbeats until the job is no longer ours; return when only the commit can tell."""
        while True:
            await self._clock.sleep(self._lease_seconds / BEATS_PER_LEASE)
            try:
                await self._jobs.heartbeat(self._lease, lease_seconds=self._lease_seconds)
                self._renewed_at = self._clock.monotonic()
            except DatabaseUnavailable as error:
                if self._clock.monotonic() - self._renewed_at > self._lease_seconds:
                    raise LeaseLost("The database was away for longer than the lease.") from error
            except (LeaseLost, JobCancelled):
                if self._committing:
                    return
                raise
