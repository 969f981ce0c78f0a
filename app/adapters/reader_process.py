"""Runs readers in child processes with a time and memory limit (readers design, section 4).

A document that takes too long, needs too much or kills its process is refused by name; the pool goes on.
"""

import asyncio
import gc
import pickle
import resource
import signal
import sys
from concurrent.futures import TimeoutError as ReaderTimeoutError
from dataclasses import replace
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock
from types import ModuleType

from pebble import ProcessExpired, ProcessPool

from app.documents.block import ParsedDocument
from app.documents.markup import Parsed
from app.errors import ReaderLimit
from app.ports.reader_runner import Source
from app.readers import registry

#: A child is replaced after this many documents, so that what a parser leaks stays small.
_DOCUMENTS_PER_CHILD = 100
#: Seconds that every megabyte adds to the time a document may take.
_SECONDS_PER_MB = 10.0
#: CPU seconds that a child gets beyond the time on the clock: they matter only when nobody watches the clock any more.
_CPU_GRACE = 5
_BLOCKS_OF_A_SLICE = 500
_MEGABYTE = 1_000_000
_MEBIBYTE = 1024 * 1024


class ReaderPool:
    """Reads documents. See the port `ReaderRunner`.

    Args:
        processes: Documents read at once.
        seconds: Time that a document may take, before what its size adds.
        memory_mb: Address space of a child.
    """

    def __init__(self, *, processes: int, seconds: float, memory_mb: int) -> None:
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._pool = ProcessPool(
            max_workers=processes,
            max_tasks=_DOCUMENTS_PER_CHILD,
            initializer=_confine,
            initargs=[memory_mb * _MEBIBYTE],
            context=_ReaderContext(),
        )

    async def read(self, source: Source) -> Parsed:
        """Read a document in a child process.

        Raises:
            ReaderLimit: it took too much time or memory, or its reader died.
            BadInput: its reader refuses it.
        """
        seconds = self._seconds + _SECONDS_PER_MB * len(source.data) / _MEGABYTE
        future = self._pool.schedule(_read, args=[source, seconds], timeout=seconds)
        try:
            slices: list[bytes] = await asyncio.wrap_future(future)
        except ReaderTimeoutError:
            raise ReaderLimit(f"Reading the document took longer than the {seconds:.0f} s it may take.") from None
        except MemoryError:
            raise ReaderLimit(f"Reading the document took more than {self._memory_mb} MB of memory.") from None
        except ProcessExpired:
            raise ReaderLimit("The process that read the document died; it is refused as it is.") from None
        return await asyncio.to_thread(joined, slices)

    async def close(self) -> None:
        """Stop the children; what they are reading is given up."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # the package annotates most of its calls, not this one
        await asyncio.to_thread(self._pool.join)


class _ReaderProcess(SpawnProcess):
    """A child that does not import the main program, which may be the whole service."""

    _starting = Lock()

    def start(self) -> None:
        """Start with nothing to be seen in `__main__`: what a child imports is looked up there."""
        with self._starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                super().start()
            finally:
                sys.modules["__main__"] = main


class _ReaderContext(SpawnContext):
    """Starts children afresh: none inherits the parent's connections, threads or memory."""

    Process = _ReaderProcess


def _confine(address_space: int) -> None:
    """Limit this child. Its parent handles interrupts and stops it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Next to nothing of what a reader makes is garbage before it is done: looking for it took a third of the time.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(source: Source, seconds: float) -> list[bytes]:
    """Read in the child, within its own share of CPU time: the limit counts from the child's start."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + _CPU_GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    return sliced(registry.read(source))


def sliced(parsed: Parsed) -> list[bytes]:
    """Pickle a document's blocks a few at a time: taking in all at once would hold up the parent's other threads."""
    if not isinstance(parsed, ParsedDocument):
        return [pickle.dumps(parsed)]
    slices = [parsed.blocks[at : at + _BLOCKS_OF_A_SLICE] for at in range(0, len(parsed.blocks), _BLOCKS_OF_A_SLICE)]
    return [pickle.dumps(replace(parsed, blocks=())), *(pickle.dumps(blocks) for blocks in slices)]


def joined(slices: list[bytes]) -> Parsed:
    """Put together what `sliced` took apart; our own child made it, and nobody else writes to its pipe."""
    parsed: Parsed = pickle.loads(slices[0])  # noqa: S301
    if not isinstance(parsed, ParsedDocument):
        return parsed
    return replace(parsed, blocks=tuple(block for part in slices[1:] for block in pickle.loads(part)))  # noqa: S301
