"""Starting, watching and ending processes of the stack."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

CLI = (sys.executable, "-P", "-m", "app.cli")
PATIENCE_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Served:
    """A running `context-atlas serve`."""

    process: "subprocess.Popen[str]"
    directory: Path
    url: str
    #: What it printed until it was ready.
    printed: str

    @property
    def port(self) -> int:
        """Where the API listens."""
        return int(self.url.rsplit(":", 1)[1])

    @property
    def children(self) -> list[psutil.Process]:
        """Every process below it."""
        return psutil.Process(self.process.pid).children(recursive=True)


def served(data_directory: Path, *, port: int = 0, env: dict[str, str] | None = None) -> Served:
    """Run `serve` on a directory and wait until it says that it runs."""
    process = subprocess.Popen(
        [*CLI, "serve", "--data-dir", str(data_directory), "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "DECISION_MODEL": "offline", **(env or {})},
    )
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if line.startswith("Ctrl-C"):
            found = re.search(r"API +(http://\S+)/v1", printed)
            assert found, printed
            return Served(process, data_directory, found[1], printed)
    raise AssertionError(f"serve ended with {process.wait()}:\n{printed}")


def end(process: "subprocess.Popen[str]", number: signal.Signals = signal.SIGTERM) -> str:
    """Stop a process by a signal; returns what it still printed."""
    process.send_signal(number)
    try:
        printed, _ = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return printed


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill a process without a chance to clean up."""
    process.kill()
    process.communicate(timeout=PATIENCE_SECONDS)


def alive(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those that still run; a dead one that nobody has waited for does not count."""
    return [process for process in processes if not _is_gone(process)]


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.05)


def _is_gone(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
