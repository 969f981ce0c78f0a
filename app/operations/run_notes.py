"""Run an accepted task of writing notes, one call per attempt (chunking design, "Contextualize")."""

import asyncio
import json
from dataclasses import dataclass

from app.documents.contextualizing import NotedChunk, NotedChunks, NoteTask, Outcome
from app.documents.job import JobKind, JobStage, JobStatus, Lease
from app.documents.problem import problem, problem_object
from app.errors import ChatModelNotConfigured, ChatModelUnavailable, JobCancelled, LeaseLost, NoteFailed, Unavailable
from app.operations.contextualize import Contextualize
from app.operations.job_lease import JobLease
from app.ports.clock import Clock
from app.ports.job_store import JobStore
from app.ports.note_store import NoteStore

#: Seconds that one attempt may take; the next one goes on with what it brought.
ATTEMPT_SECONDS = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNotes:
    """Runs contextualizing jobs. Every answer is kept as it comes: no attempt pays for it again."""

    jobs: JobStore
    notes: NoteStore
    contextualize: Contextualize
    clock: Clock
    max_tries: int
    lease_seconds: float

    async def run(self, job_id: str, worker: str) -> JobStatus | None:
        """Lease a job and run it; return the status it ended with, or None when there was nothing to lease.

        Raises:
            LeaseLost: another worker has the job by now, and the rest is up to it.
            Unavailable: the database does not answer, or the attempt's time is over; the job went back to the queue
                without losing an attempt.
            CancelledError: this worker shuts down; the job went back likewise.
            Exception: something unforeseen; the job went back to the queue, or failed if this was its last attempt.
        """
        lease = await self.jobs.lease(JobKind.CONTEXTUALIZE, job_id, worker, lease_seconds=self.lease_seconds)
        if lease is None:
            return None
        try:
            return await self._attempt(lease)
        except (ChatModelNotConfigured, ChatModelUnavailable, NoteFailed) as error:
            await self.jobs.finish(lease, JobStatus.FAILED, error=problem(error))
            return JobStatus.FAILED
        except JobCancelled:
            await self.jobs.finish(lease, JobStatus.CANCELLED)
            return JobStatus.CANCELLED
        except LeaseLost:
            raise
        except (Unavailable, asyncio.CancelledError):
            await self.jobs.release(lease, count_attempt=False)
            raise
        except Exception:
            await self._give_back(lease)
            raise

    async def _attempt(self, lease: Lease) -> JobStatus:
        holder = JobLease(self.jobs, lease, self.clock, lease_seconds=self.lease_seconds)
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                await holder.hold(self._write(lease, holder))
        except TimeoutError as error:
            raise Unavailable("The attempt's time is over; another one goes on from here.") from error
        return JobStatus.SUCCEEDED

    async def _write(self, lease: Lease, holder: JobLease) -> None:
        payload = b"".join([part async for part in self.jobs.payload(lease)])
        task = await asyncio.to_thread(NoteTask.from_payload, payload)
        kept = await self.notes.kept(lease)
        total = sum(task.wants(NotedChunk.of(chunk)) for chunk in task.chunks)
        await holder.enter(JobStage.NOTES, len(kept), total)

        # One after the other, so that progress never goes back.
        one_by_one = asyncio.Lock()

        async def keep(position: int, outcome: Outcome, done: int) -> None:
            async with one_by_one:
                await self.notes.keep(lease, position, outcome)
                await holder.enter(JobStage.NOTES, done, total)

        noted = await self.contextualize.run(task, kept=kept, on_outcome=keep)
        result = await asyncio.to_thread(_as_bytes, noted)
        await holder.enter(JobStage.COMMIT, total, total)
        await self.jobs.succeed(lease, result)

    async def _give_back(self, lease: Lease) -> None:
        """Return a job after an unforeseen failure, or end it when its attempts are used up."""
        if lease.job.attempt < self.max_tries:
            await self.jobs.release(lease)
            return
        detail = f"Writing notes failed unexpectedly {lease.job.attempt} times. What was written is kept."
        error = problem_object("contextualize-failed", "Writing notes failed", 500, detail)
        await self.jobs.finish(lease, JobStatus.FAILED, error=error)


def _as_bytes(noted: NotedChunks) -> bytes:
    return json.dumps(noted.as_json(), ensure_ascii=False).encode("utf-8", "replace")
