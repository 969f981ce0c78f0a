"""One stack per data directory: an advisory lock that the kernel drops when its holder dies, however it dies."""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from app.adapters.embedded.errors import DirectoryInUse, StackError


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a data directory, as the lock file says."""

    pid: int
    #: Where the API answers; None for a command that serves nothing.
    url: str | None = None
    #: Where the embedded servers are reached, once they run.
    database_url: str | None = None
    redis_url: str | None = None
    #: The folder of their sockets.
    sockets: str | None = None


class DirectoryLock:
    """The lock of one data directory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self, holder: Holder) -> Holder | None:
        """Take the lock, and say who had it and went without giving it back, if anybody did.

        Raises:
            DirectoryInUse: another process holds it; names it and its URL.
            StackError: the file can't be opened or locked.
        """
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StackError(f"{self._path} can't be opened: {error.strerror}.") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(file)
            raise DirectoryInUse(_in_use(self._path.parent, self.holder())) from error
        except OSError as error:
            os.close(file)
            raise StackError(f"{self._path} can't be locked: {error.strerror}.") from error
        self._file = file
        before = self.holder()
        self.write(holder)
        return before

    def write(self, holder: Holder) -> None:
        """Say who holds the lock."""
        if self._file is None:
            raise RuntimeError("write() needs the lock")
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, json.dumps(asdict(holder)).encode(), 0)

    def release(self) -> None:
        """Give the lock back; without one it does nothing."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = None

    def holder(self) -> Holder | None:
        """Who holds the lock or held it when they were killed; None if nobody, or nobody has signed yet."""
        try:
            return Holder(**json.loads(self._path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None


def _in_use(directory: Path, holder: Holder | None) -> str:
    if holder is None:
        return f"The data directory {directory} is in use by another process that is just starting."
    serves = f", which serves {holder.url}" if holder.url else ""
    return f"The data directory {directory} is in use by process {holder.pid}{serves}."
