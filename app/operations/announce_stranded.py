"""Announce jobs that nobody works on: the queue forgot them or their worker died (service design, "Ingestion jobs")."""

from dataclasses import dataclass

from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore

#: Seconds that an announcement is given before it is repeated.
PATIENCE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class AnnounceStranded:
    """Repeats announcements."""

    jobs: JobStore
    queue: JobQueue

    async def run(self, *, patience_seconds: float = PATIENCE_SECONDS) -> int:
        """Announce stranded jobs, oldest first, and return how many.

        Raises:
            Unavailable: the database or the queue does not answer; another call goes on where this one stopped.
        """
        stranded = await self.jobs.stranded(announced_before_seconds=patience_seconds)
        for kind, job_id, attempt in stranded:
            await self.queue.announce(kind, job_id, attempt)
            await self.jobs.mark_announced(job_id)
        return len(stranded)
