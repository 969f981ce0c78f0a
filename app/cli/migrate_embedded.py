"""`context-atlas migrate --data-dir`: the embedded database, whether a `serve` runs on it or not."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from app.adapters.embedded.directory import open_directory
from app.adapters.embedded.errors import DirectoryInUse
from app.adapters.embedded.lock import DirectoryLock, Holder
from app.adapters.embedded.signals import StopSignals
from app.adapters.embedded.storage import Storage
from app.adapters.embedded.supervisor import STOP_SECONDS


def with_embedded_database(data_dir: Path, use: Callable[[str], None]) -> None:
    """Call `use` with the database's URL: the running server's if there is one, else one that runs as long as it takes.

    Raises:
        DirectoryInUse: a stack is just starting on the directory.
        StackError: the server can't be started.
    """
    directory = open_directory(data_dir)
    lock = DirectoryLock(directory.lock)
    try:
        before = lock.acquire(Holder(pid=os.getpid()))
    except DirectoryInUse:
        holder = lock.holder()
        if holder is None or holder.database_url is None:
            raise
        use(holder.database_url)
        return
    try:
        with StopSignals() as signals:
            storage = Storage(directory, signals)
            storage.clear_up(before)
            try:
                storage.start(with_redis=False)
                use(storage.database_url)
            finally:
                storage.stop(time.monotonic() + STOP_SECONDS)
    finally:
        lock.release()
