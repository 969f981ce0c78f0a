"""The port to the queue that wakes workers."""

from typing import Protocol

from app.documents.job import JobKind


class JobQueue(Protocol):
    """Announces jobs. What it forgets, the sweeper announces again."""

    async def announce(self, kind: JobKind, job_id: str, attempt: int) -> None:
        """Wake a worker for this attempt of a job of this kind. Repeating it is harmless.

        Raises:
            QueueUnavailable: the queue does not answer.
        """
        ...

    async def ping(self) -> None:
        """Check that the queue answers.

        Raises:
            QueueUnavailable: it does not.
        """
        ...
