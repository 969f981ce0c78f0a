"""A queue that remembers what it was told, once each, until somebody takes it."""

from app.documents.job import JobKind
from app.errors import QueueUnavailable


class MemoryJobQueue:
    """See the port `JobQueue`."""

    def __init__(self) -> None:
        self.announced: list[tuple[JobKind, str, int]] = []
        self.is_down = False

    async def announce(self, kind: JobKind, job_id: str, attempt: int) -> None:
        await self.ping()
        if (kind, job_id, attempt) not in self.announced:
            self.announced.append((kind, job_id, attempt))

    async def ping(self) -> None:
        if self.is_down:
            raise QueueUnavailable("The queue does not answer.")
