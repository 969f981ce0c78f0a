"""Where a document is read: in a thread of this process, or in a child process (ruling 22)."""

import asyncio

from app.documents.markup import Parsed
from app.ports.reader_runner import ReaderRunner, Source
from app.readers import registry

#: Their readers are our own and linear: no file can harm the process that reads it.
_HARMLESS = frozenset({"markdown", "text", "blocks", "pdf", "vtt", "srt"})
#: Bytes that a thread reads without holding up the others: parsers keep the interpreter to themselves for a while.
_SMALL = 500_000


class NearestReader:
    """Reads small documents of harmless formats in a thread, and all others in child processes. See `ReaderRunner`.

    Args:
        confined: Reads where a hostile file can harm nobody, and a large one holds nobody up.
    """

    def __init__(self, confined: ReaderRunner) -> None:
        self._confined = confined

    async def read(self, source: Source) -> Parsed:
        """Read a document."""
        if source.format in _HARMLESS and len(source.data) <= _SMALL:
            return await asyncio.to_thread(registry.read, source)
        return await self._confined.read(source)
