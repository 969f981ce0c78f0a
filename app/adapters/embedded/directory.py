"""The data directory: what lies where, and its log files."""

import os
from dataclasses import dataclass
from pathlib import Path

from app.adapters.embedded.errors import StackError

_OLD_LOGS = 3


@dataclass(frozen=True, slots=True)
class DataDirectory:
    """Paths below `root`; `logs`, `run` and `lock` are always ours, the servers' files may lie elsewhere (`home`)."""

    root: Path

    @property
    def lock(self) -> Path:
        """Who runs on it."""
        return self.root / "lock"

    def log(self, name: str) -> Path:
        """The log of one process."""
        return self.root / "logs" / f"{name}.log"

    def pid_file(self, name: str) -> Path:
        """The note of one process."""
        return self.root / "run" / f"{name}.pid"

    def rotate_log(self, name: str) -> None:
        """Put the log of the last start aside as `.1`; three of them are kept."""
        log = self.log(name)
        for age in range(_OLD_LOGS, 0, -1):
            newer = log if age == 1 else log.with_name(f"{log.name}.{age - 1}")
            if newer.exists():
                newer.replace(log.with_name(f"{log.name}.{age}"))


def open_directory(path: Path) -> DataDirectory:
    """Make the directory if need be, and its folders.

    A new one is closed to others; root's can be passed through, as its servers run under another user.

    Raises:
        StackError: it can't be made or written to.
    """
    root = path.expanduser().resolve()
    try:
        if not root.exists():
            root.mkdir(parents=True)
            root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        directory = DataDirectory(root)
        for folder in ("logs", "run"):
            (root / folder).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StackError(f"The data directory {root} can't be used: {error.strerror}.") from error
    return directory
