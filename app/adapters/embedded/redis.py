"""A Redis that wakes workers, reached through a Unix socket alone.

It keeps nothing on disk: PostgreSQL is the truth.
"""

import os
import signal
import socket
from pathlib import Path

from app.adapters.embedded.errors import StackError
from app.adapters.embedded.home import Home
from app.adapters.embedded.process import Child, Program
from app.adapters.embedded.programs import Programs
from app.adapters.embedded.signals import StopSignals

_SOCKET = "redis.sock"
_START_SECONDS = 20.0
_LOOK_EVERY_SECONDS = 0.02


def program(home: Home, programs: Programs, *, sockets: Path, log: Path, pid_file: Path) -> Program:
    """How to run the server."""
    return Program(
        name="redis",
        command=[
            str(programs.redis_server),
            *("--port", "0"),
            *("--unixsocket", str(sockets / _SOCKET), "--unixsocketperm", "700"),
            *("--save", "", "--appendonly", "no"),
        ],
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
        log=log,
        pid_file=pid_file,
        stop_signal=signal.SIGTERM,
        account=home.account,
        directory=Path("/"),
    )


def await_ready(child: Child, sockets: Path, signals: StopSignals) -> None:
    """Wait until the server answers.

    Raises:
        StackError: it ended, or does not answer after twenty seconds; with its last words.
        StopRequested: a signal came.
    """
    waited = 0.0
    while waited < _START_SECONDS:
        if child.exit_code() is not None:
            raise StackError(f"Redis did not start; its log says:\n{child.last_words()}")
        if _answers(sockets / _SOCKET):
            return
        signals.pause(_LOOK_EVERY_SECONDS)
        waited += _LOOK_EVERY_SECONDS
    raise StackError(f"Redis was not ready after {_START_SECONDS:.0f} s; its log says:\n{child.last_words()}")


def url(sockets: Path) -> str:
    """Where the service finds the queue."""
    return f"unix://{sockets / _SOCKET}"


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False
