"""Outcomes in memory; held to the same suite as the real store."""

from collections.abc import Mapping

from app.documents.contextualizing import Outcome
from app.documents.job import Lease
from app.errors import LeaseLost
from tests.fakes.job_store import held
from tests.fakes.memory import Memory


class MemoryNoteStore:
    """See the port `NoteStore`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def keep(self, lease: Lease, position: int, outcome: Outcome) -> None:
        entry = held(self._memory, lease)
        if entry is None:
            raise LeaseLost("Another worker has the job.")
        entry.notes[position] = outcome

    async def kept(self, lease: Lease) -> Mapping[int, Outcome]:
        entry = self._memory.jobs.get(lease.job.id)
        return {} if entry is None else dict(entry.notes)
