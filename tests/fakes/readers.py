"""Readers for tests: the real ones without a child process, and one that says what it was told to."""

from app.documents.markup import Parsed
from app.ports.reader_runner import Source
from app.readers import registry


class InProcessReader:
    """Reads here. See `ReaderRunner`."""

    async def read(self, source: Source) -> Parsed:
        """Read a document."""
        return registry.read(source)


class StaticReader:
    """Returns or raises the same for every source, and remembers the last. See `ReaderRunner`."""

    def __init__(self, outcome: Parsed | Exception) -> None:
        self._outcome = outcome
        self.read_from: Source | None = None

    async def read(self, source: Source) -> Parsed:
        """Return the document."""
        self.read_from = source
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome
