"""Runs the embedded PostgreSQL and Redis on a data directory until a signal; `python -m tests.stack.servers_alone DIR`.

Prints one line of JSON when they are ready. Tests stop this process or kill it.
"""

import json
import os
import sys
import time
from pathlib import Path

from app.adapters.embedded.directory import open_directory
from app.adapters.embedded.errors import StopRequested
from app.adapters.embedded.lock import DirectoryLock, Holder
from app.adapters.embedded.signals import StopSignals
from app.adapters.embedded.storage import Storage


def main() -> None:
    directory = open_directory(Path(sys.argv[1]))
    lock = DirectoryLock(directory.lock)
    before = lock.acquire(Holder(pid=os.getpid()))
    with StopSignals() as signals:
        storage = Storage(directory, signals)
        storage.clear_up(before)
        try:
            storage.start()
            lock.write(Holder(pid=os.getpid(), database_url=storage.database_url, sockets=str(storage.sockets)))
            ready = {
                "database_url": storage.database_url,
                "redis_url": storage.redis_url,
                "pids": {child.program.name: child.pid for child in storage.children},
            }
            print(json.dumps(ready), flush=True)  # noqa: T201  # what the test reads
            signals.pause(300)
        except StopRequested:
            pass
        finally:
            storage.stop(time.monotonic() + 20)
    lock.release()


if __name__ == "__main__":
    main()
