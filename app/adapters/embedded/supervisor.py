"""Starts the whole stack in order, starts again what crashes, and stops it in the reverse order.

API and worker are the same commands as in production, with the embedded servers' addresses in their environment.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from app.adapters.embedded.directory import DataDirectory, open_directory
from app.adapters.embedded.errors import StackError, StopRequested
from app.adapters.embedded.lock import DirectoryLock, Holder
from app.adapters.embedded.ports import settle_port, url_of
from app.adapters.embedded.process import Child, Program, start, stop_left_behind
from app.adapters.embedded.signals import StopSignals
from app.adapters.embedded.storage import Storage

#: Seconds from the first request to stop to the end of the last child: what an orchestrator waits by custom is 30.
STOP_SECONDS = 29.0
#: Of these, what the API and the worker may take to finish or hand back their work.
_APP_STOP_SECONDS = 26.0
#: What those of a killed stack may take; the kernel has asked them to stop already.
_LEFT_BEHIND_SECONDS = 10.0
_READY_SECONDS = 90.0
_MIGRATE_SECONDS = 600.0
_LOOK_EVERY_SECONDS = 0.1
#: Pauses before a crashed child is started again: the first, doubled up to the longest; a child that ran long enough
#: begins anew.
_FIRST_PAUSE, _LONGEST_PAUSE, _STEADY_SECONDS = 1.0, 30.0, 60.0

_APPS = ("api", "worker")


@dataclass(slots=True)
class _Restarts:
    """How often one child has crashed of late."""

    started: float
    crashes: int = 0
    due: float | None = None


class Stack:
    """The stack of one data directory. `with` starts it and stops it, whatever happens in between.

    Args:
        path: the data directory.
        host: address that the API listens on.
        port: its port; 0 takes a free one.
        signals: what asks to stop.
        say: tells the user what happens, a line at a time.
    """

    def __init__(self, path: Path, *, host: str, port: int, signals: StopSignals, say: Callable[[str], None]) -> None:
        self._directory: DataDirectory = open_directory(path)
        self._lock = DirectoryLock(self._directory.lock)
        self._host = host
        self._port = port
        self._signals = signals
        self._say = say
        self._storage: Storage | None = None
        self._apps: list[Child] = []
        self._restarts: dict[str, _Restarts] = {}

    @property
    def url(self) -> str:
        """Where the API answers."""
        return url_of(self._host, self._port)

    @property
    def root(self) -> Path:
        """The data directory."""
        return self._directory.root

    @property
    def logs(self) -> Path:
        """Where every child's log lies."""
        return self._directory.root / "logs"

    def __enter__(self) -> Self:
        """Start everything and wait until it is ready.

        Raises:
            DirectoryInUse: another stack runs on the directory.
            StackError: something does not start; its log's last lines are in the message.
            StopRequested: a signal came.
        """
        before = self._lock.acquire(Holder(pid=os.getpid(), url=url_of(self._host, self._port)))
        try:
            self._start(before)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()

    def look_after(self) -> None:
        """Start what has ended again, after a pause that grows with every crash. Call it every moment or so.

        Raises:
            StackError: a program can't even be started.
        """
        storage = self._running_storage()
        for child in (*storage.children, *self._apps):
            name = child.program.name
            restarts = self._restarts[name]
            code = child.exit_code()
            if code is None:
                continue
            now = time.monotonic()
            if restarts.due is None:
                restarts.crashes = 1 if now - restarts.started > _STEADY_SECONDS else restarts.crashes + 1
                pause = min(_FIRST_PAUSE * 2 ** (restarts.crashes - 1), _LONGEST_PAUSE)
                restarts.due = now + pause
                self._say(f"{name} {_ended(code)}; starting it again in {pause:.0f} s. Log: {child.program.log}")
            elif now >= restarts.due:
                restarts.due, restarts.started = None, now
                if child in self._apps:
                    self._apps[self._apps.index(child)] = start(child.program)
                else:
                    storage.restart(child)

    def run(self) -> None:
        """Look after the stack until a signal asks to stop."""
        try:
            while True:
                self._signals.pause(_LOOK_EVERY_SECONDS)
                self.look_after()
        except StopRequested:
            return

    def _start(self, before: Holder | None) -> None:
        self._clear_up(before)
        self._port = settle_port(self._host, self._port)
        storage = self._running_storage()
        self._say(f"Starting PostgreSQL and Redis in {self.root}")
        storage.start()
        self._lock.write(
            Holder(
                pid=os.getpid(),
                url=self.url,
                database_url=storage.database_url,
                redis_url=storage.redis_url,
                sockets=str(storage.sockets),
            )
        )
        self._migrate()
        self._say("Starting the API and a worker")
        for name in _APPS:
            self._directory.rotate_log(name)
            self._apps.append(start(self._app(name)))
        self._await_ready()
        now = time.monotonic()
        self._restarts = {child.program.name: _Restarts(now) for child in (*storage.children, *self._apps)}

    def _clear_up(self, before: Holder | None) -> None:
        """Stop what a killed stack left behind."""
        pid_files = [self._directory.pid_file(name) for name in _APPS]
        found = stop_left_behind(pid_files, signal.SIGTERM, _LEFT_BEHIND_SECONDS)
        self._storage = Storage(self._directory, self._signals)
        if self._storage.clear_up(before) or found:
            self._say("The last run was killed; what it left running has been stopped")

    def _migrate(self) -> None:
        self._directory.rotate_log("migrate")
        child = start(self._app("migrate"))
        waited = 0.0
        try:
            while child.exit_code() is None and waited < _MIGRATE_SECONDS:
                self._signals.pause(_LOOK_EVERY_SECONDS)
                waited += _LOOK_EVERY_SECONDS
        except StopRequested:
            child.stop(5.0)
            raise
        if child.exit_code() is None:
            child.stop(5.0)
        if child.exit_code() != 0:
            raise StackError(f"The database can't be migrated; the log says:\n{child.last_words()}")

    def _await_ready(self) -> None:
        waited = 0.0
        missing = "nothing answers"
        with httpx.Client(trust_env=False, timeout=5.0) as client:
            while waited < _READY_SECONDS:
                for child in self._apps:
                    if (code := child.exit_code()) is not None:
                        name = child.program.name
                        raise StackError(f"{name} {_ended(code)}; its log says:\n{child.last_words()}")
                try:
                    answer = client.get(f"{self.url}/readyz")
                except httpx.TransportError:
                    pass
                else:
                    if answer.is_success:
                        return
                    missing = answer.text
                self._signals.pause(_LOOK_EVERY_SECONDS)
                waited += _LOOK_EVERY_SECONDS
        raise StackError(f"The service is not ready after {_READY_SECONDS:.0f} s ({missing}). Logs: {self.logs}")

    def _app(self, command: str) -> Program:
        # -P keeps a folder `app` of the directory that we happen to be in from being taken for ours.
        return Program(
            name=command,
            command=[sys.executable, "-P", "-m", "app.cli", command],
            env=self._environment(),
            log=self._directory.log(command),
            pid_file=self._directory.pid_file(command),
        )

    def _environment(self) -> Mapping[str, str]:
        storage = self._running_storage()
        return {
            **os.environ,
            "DATABASE_URL": storage.database_url,
            "REDIS_URL": storage.redis_url,
            "HOST": self._host,
            "PORT": str(self._port),
            "PYTHONUNBUFFERED": "1",
        }

    def _running_storage(self) -> Storage:
        if self._storage is None:
            raise RuntimeError("the stack has not been started")
        return self._storage

    def _stop(self) -> None:
        begun = time.monotonic()
        for child in self._apps:
            child.ask_to_stop()
        for child in self._apps:
            left = begun + _APP_STOP_SECONDS - time.monotonic()
            if not child.stopped_within(max(left, 0.0)):
                child.stop(0.0)
        self._apps.clear()
        if self._storage is not None:
            self._storage.stop(begun + STOP_SECONDS)
        self._lock.release()


def _ended(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
