"""The port to what a contextualizing job has already paid for (chunking design, "Contextualize")."""

from collections.abc import Mapping
from typing import Protocol

from app.documents.contextualizing import Outcome
from app.documents.job import Lease


class NoteStore(Protocol):
    """Keeps outcomes while their job runs, so that a job that runs again doesn't pay for them twice."""

    async def keep(self, lease: Lease, position: int, outcome: Outcome) -> None:
        """Remember what came of the chunk at this position.

        Raises:
            LeaseLost: another worker has the job, or it is finished.
        """
        ...

    async def kept(self, lease: Lease) -> Mapping[int, Outcome]:
        """Return the outcomes that were kept for this job, by position."""
        ...
