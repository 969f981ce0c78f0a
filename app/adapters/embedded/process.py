"""Children that die with their parent, and those that a killed parent left behind."""

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from app.adapters.embedded.errors import StackError

_PR_SET_PDEATHSIG = 1
#: How far apart two readings of one process's start may lie, in seconds: the kernel counts from boot in ticks.
_SAME_START_SECONDS = 2.0
_TAIL_LINES = 15
_TAIL_BYTES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A system user that a child runs as."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run, and how to stop it."""

    #: One word, for messages and file names.
    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(repr=False)
    log: Path
    #: Where the process is noted, so that a later start finds it.
    pid_file: Path
    #: Asks it to stop; sent by the kernel too if we are killed.
    stop_signal: signal.Signals = signal.SIGTERM
    #: Sent when it has not stopped in time, before it is killed.
    urgent_signal: signal.Signals = signal.SIGKILL
    account: Account | None = None
    #: Where it runs; None: where we are.
    directory: Path | None = None


class Child:
    """A program that we started."""

    def __init__(self, program: Program, process: "subprocess.Popen[bytes]") -> None:
        self.program = program
        self._process = process

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """How it ended (negative: by that signal); None while it runs."""
        return self._process.poll()

    def ask_to_stop(self) -> None:
        """Send the signal that its program stops by; no word if it has ended."""
        self._process.send_signal(self.program.stop_signal)

    def stopped_within(self, seconds: float) -> bool:
        """Wait for its end, and tell whether it came."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        self.program.pid_file.unlink(missing_ok=True)
        return True

    def stop(self, seconds: float) -> None:
        """Ask it to stop, insist after `seconds`, and kill it when even that does not help within a second."""
        self.ask_to_stop()
        if not self.stopped_within(seconds):
            self._process.send_signal(self.program.urgent_signal)
        if not self.stopped_within(1.0):
            self._process.kill()
            self.stopped_within(5.0)

    def last_words(self) -> str:
        """The last lines of its log."""
        return tail(self.program.log)


def start(program: Program) -> Child:
    """Run a program with its output in its log, in a session of its own, so that Ctrl-C reaches only us.

    Raises:
        StackError: it can't be run.
    """
    account = program.account
    try:
        with os.fdopen(os.open(program.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
            process = subprocess.Popen(  # noqa: S603  # our own programs, found inside installed packages
                program.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(program.env),
                cwd=program.directory,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                umask=0o077 if account else -1,
                start_new_session=True,
                preexec_fn=_dies_with_us(program.stop_signal),  # noqa: PLW1509  # we have no threads
            )
    except (OSError, subprocess.SubprocessError) as error:
        raise StackError(f"{program.name} can't be started: {error}.") from error
    _note(program.pid_file, process.pid)
    return Child(program, process)


def stop_left_behind(pid_files: Sequence[Path], stop_signal: signal.Signals, seconds: float) -> bool:
    """Stop the processes that pid files name, if a killed parent left them behind, and remove the files.

    A process that has an id by chance, as after a reboot, started at another time and is left alone.

    Returns:
        True if there was one.

    Raises:
        StackError: one belongs to somebody else.
    """
    found = [process for process in map(_noted, pid_files) if process is not None]
    stop_processes(found, stop_signal, seconds)
    for pid_file in pid_files:
        pid_file.unlink(missing_ok=True)
    return bool(found)


def stop_processes(processes: Sequence[psutil.Process], stop_signal: signal.Signals, seconds: float) -> None:
    """Ask processes that are not our children to stop, all at once, and kill those that still run after `seconds`.

    Raises:
        StackError: one belongs to somebody else.
    """
    try:
        for process in processes:
            _signal(process, stop_signal)
        _, running = psutil.wait_procs(processes, seconds)
        for process in running:
            _signal(process, signal.SIGKILL)
        psutil.wait_procs(running, 5.0)
    except psutil.AccessDenied as error:
        raise StackError(f"Process {error.pid} of an earlier start still runs and may not be stopped by us.") from error


def tail(log: Path) -> str:
    """The last lines of a log file, at most 20 kB of them; empty when there is none."""
    try:
        with log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL_BYTES))
            text = file.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-_TAIL_LINES:])


def _dies_with_us(number: signal.Signals) -> Callable[[], None] | None:
    """What a child runs before its program, to get `number` from the kernel when we die; None where there is no such.

    It runs after the change of user, which would undo it. Elsewhere than on Linux the next start cleans up.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def before_exec() -> None:
        prctl(_PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:  # we died in between
            os._exit(1)

    return before_exec


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
        process.send_signal(number)


def _note(pid_file: Path, pid: int) -> None:
    try:
        started = psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return  # it is gone already; whoever waits for it will see
    pid_file.write_text(json.dumps({"pid": pid, "started": started}), encoding="utf-8")


def _noted(pid_file: Path) -> psutil.Process | None:
    try:
        note = json.loads(pid_file.read_text(encoding="utf-8"))
        process = psutil.Process(int(note["pid"]))
        same = abs(process.create_time() - float(note["started"])) < _SAME_START_SECONDS
    except (OSError, ValueError, KeyError, TypeError, psutil.NoSuchProcess):
        return None
    return process if same and process.status() != psutil.STATUS_ZOMBIE else None
