"""Accept chunks that are to get notes as a job, then wake a worker (chunking design, "Contextualize")."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from app.documents.contextualizing import NoteTask
from app.documents.job import Accepted, IdempotencyKey, JobKind
from app.operations.announce_accepted import announce_accepted
from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore


@dataclass(frozen=True, slots=True)
class AcceptNotes:
    """Turns a task into a job."""

    jobs: JobStore
    queue: JobQueue

    async def run(self, task: NoteTask, idempotency_key: IdempotencyKey | None) -> Accepted:
        """Store the task and return its job; once this returns, the job is never lost.

        Raises:
            IdempotencyConflict: the key is known with another body.
            DatabaseUnavailable: nothing was recorded.
        """
        payload = await asyncio.to_thread(task.as_payload)
        accepted = await self.jobs.accept_work(JobKind.CONTEXTUALIZE, _stream(payload), idempotency_key)
        await announce_accepted(accepted, self.jobs, self.queue)
        return accepted


async def _stream(payload: bytes) -> AsyncIterator[bytes]:
    yield payload
