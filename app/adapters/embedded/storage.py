"""PostgreSQL and Redis on a data directory: started in order, and stopped in the reverse order."""

import signal
import time
from pathlib import Path

from app.adapters.embedded import postgres, redis
from app.adapters.embedded.directory import DataDirectory
from app.adapters.embedded.home import Home, find_home, make_sockets_directory, remove_sockets_directory
from app.adapters.embedded.lock import Holder
from app.adapters.embedded.process import Child, Program, start, stop_left_behind
from app.adapters.embedded.programs import Programs, find_programs
from app.adapters.embedded.signals import StopSignals

#: Seconds that servers of a killed stack get to stop; the kernel has told them already.
_LEFT_BEHIND_SECONDS = 20.0
_REDIS_STOP_SECONDS = 1.0
_POSTGRES_LEAST_SECONDS = 2.0


class Storage:
    """The servers of one data directory, whose lock the caller holds."""

    def __init__(self, directory: DataDirectory, signals: StopSignals) -> None:
        self._directory = directory
        self._signals = signals
        self._home: Home = find_home(directory.root)
        self._programs: Programs = find_programs(self._home.account)
        self._sockets: Path | None = None
        self._children: list[Child] = []

    @property
    def sockets(self) -> Path:
        """The folder of their sockets, once they are started."""
        if self._sockets is None:
            raise RuntimeError("the servers have not been started")
        return self._sockets

    @property
    def database_url(self) -> str:
        """Where the service finds its database."""
        return postgres.url(self.sockets)

    @property
    def redis_url(self) -> str:
        """Where the service finds the queue."""
        return redis.url(self.sockets)

    @property
    def children(self) -> tuple[Child, ...]:
        """The servers that were started."""
        return tuple(self._children)

    def clear_up(self, before: Holder | None) -> bool:
        """Stop servers that a killed stack left behind, and remove its sockets.

        Returns:
            True if a server still ran.
        """
        pid_file = self._directory.pid_file
        found = [
            stop_left_behind([pid_file("redis")], signal.SIGTERM, _LEFT_BEHIND_SECONDS),
            stop_left_behind([pid_file("postgres")], signal.SIGINT, _LEFT_BEHIND_SECONDS),
            postgres.stop_strays(self._home, _LEFT_BEHIND_SECONDS),
        ]
        if before is not None and before.sockets is not None:
            remove_sockets_directory(Path(before.sockets))
        return any(found)

    def start(self, *, with_redis: bool = True) -> None:
        """Start the servers and wait for them.

        Raises:
            StackError: one of them does not start.
            StopRequested: a signal came; what was started must still be stopped.
        """
        postgres.ensure_cluster(self._home, self._programs)
        self._sockets = make_sockets_directory(self._home)
        database = self._start_postgres()
        queue = self._start_redis() if with_redis else None
        postgres.await_ready(database, self.sockets, self._signals)
        if queue is not None:
            redis.await_ready(queue, self.sockets, self._signals)

    def restart(self, child: Child) -> Child:
        """Start a server again that has ended; it is not waited for."""
        self._children[self._children.index(child)] = again = start(child.program)
        return again

    def stop(self, deadline: float) -> None:
        """Stop the servers, at the latest soon after `deadline` on the monotonic clock."""
        for child in reversed(self._children):
            left = deadline - time.monotonic()
            patience = _REDIS_STOP_SECONDS if child.program.name == "redis" else max(left, _POSTGRES_LEAST_SECONDS)
            child.stop(patience)
        self._children.clear()
        if self._sockets is not None:
            remove_sockets_directory(self._sockets)
            self._sockets = None

    def _start_postgres(self) -> Child:
        log, pid_file = self._prepare("postgres")
        return self._begin(
            postgres.program(self._home, self._programs, sockets=self.sockets, log=log, pid_file=pid_file)
        )

    def _start_redis(self) -> Child:
        log, pid_file = self._prepare("redis")
        return self._begin(redis.program(self._home, self._programs, sockets=self.sockets, log=log, pid_file=pid_file))

    def _prepare(self, name: str) -> tuple[Path, Path]:
        self._directory.rotate_log(name)
        return self._directory.log(name), self._directory.pid_file(name)

    def _begin(self, program: Program) -> Child:
        child = start(program)
        self._children.append(child)
        return child
