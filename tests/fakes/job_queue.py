"""A queue that remembers what it was told, once each, until somebody takes it."""

from app.errors import QueueUnavailable


class MemoryJobQueue:
    """See the port `JobQueue`."""

    def __init__(self) -> None:
        self.announced: list[tuple[str, int]] = []
        self.is_down = False

    async def announce(self, job_id: str, attempt: int) -> None:
        await self.ping()
        if (job_id, attempt) not in self.announced:
            self.announced.append((job_id, attempt))

    async def ping(self) -> None:
        if self.is_down:
            raise QueueUnavailable("The queue does not answer.")
