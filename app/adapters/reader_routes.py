"""Where a document is read: in a thread of this process, or in a child process (ruling 22)."""

import asyncio

from app.documents.markup import Parsed
from app.ports.reader_runner import ReaderRunner, Source
from app.readers import registry

#: Their readers are our own and linear: no file can harm the process that reads it.
_HARMLESS = frozenset({"markdown", "text", "blocks", "pdf", "vtt", "srt"})


class NearestReader:
    """Reads harmless formats in a thread, and all others where a hostile file can harm nobody. See `ReaderRunner`.

    Args:
        confined: Reads in child processes.
    """

    def __init__(self, confined: ReaderRunner) -> None:
        self._confined = confined

    async def read(self, source: Source) -> Parsed:
        """Read a document."""
        if source.format in _HARMLESS:
            return await asyncio.to_thread(registry.read, source)
        return await self._confined.read(source)
