"""Runs Pandoc on one text and returns its tree (readers design, section 13).

Pandoc is a program of its own under its own licence: it is started as a process that gets the source on its standard
input and nothing else. `--sandbox` keeps it from files and sockets, its heap and its CPU time are limited, and it ends
with the process that started it.
"""

import ctypes
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: Pandoc's own limit of its heap: where it is passed, Pandoc says so and ends.
_HEAP = "-M512M"
_HEAP_EXHAUSTED = 251
#: CPU seconds of a run, before what the size of its source adds. Ordinary text takes a second per 100 kB and more.
_RUN_SECONDS = 2.0
_RUN_BYTES_PER_SECOND = 25_000
#: CPU seconds of all the runs of a document, and what every megabyte adds; a document's reader gets more than that.
_DOCUMENT_SECONDS = 14.0
_DOCUMENT_SECONDS_PER_MB = 9.0
#: Seconds on the clock for each second of CPU: a busy machine gives a process its share late.
_PATIENCE = 1.7
_MEGABYTE = 1_000_000
_PLACE = re.compile(r"(?:Error at )?(?:\"source\" )?(?:Tok )?\(line \d+, column \d+\):?(?: [A-Z]\w+(?= ))?\s*")
_SET_DEATH_SIGNAL = 1
_LINUX = sys.platform == "linux"
_LIBC = ctypes.CDLL(None, use_errno=True) if _LINUX else None


class Refused(Exception):
    """Pandoc did not read a text; says why, in words that continue "because"."""

    def __init__(self, reason: str, *, at_limit: bool = False) -> None:
        super().__init__(reason)
        #: True when it took too much time or memory, or is nested too deeply: nothing is wrong with its syntax.
        self.at_limit = at_limit


@dataclass(frozen=True, slots=True)
class Tree:
    """A document as Pandoc sees it: nodes as its JSON has them."""

    blocks: list[Any]
    meta: Mapping[str, Any]


@dataclass(slots=True)
class Allowance:
    """What the runs of one document may still take: seconds of CPU, and on the clock."""

    seconds: float
    ends: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends = time.monotonic() + self.seconds * _PATIENCE

    @classmethod
    def of(cls, size: int) -> "Allowance":
        """Return the allowance of a document of so many bytes."""
        return cls(_DOCUMENT_SECONDS + _DOCUMENT_SECONDS_PER_MB * size / _MEGABYTE)

    @property
    def is_spent(self) -> bool:
        """True when another run makes no sense."""
        return self.seconds <= 0 or time.monotonic() >= self.ends


def run_pandoc(format_name: str, data: bytes, allowance: Allowance, *, size: int | None = None) -> Tree:
    """Read bytes in one of Pandoc's formats, extensions such as `latex+raw_tex` included.

    Args:
        format_name: As Pandoc calls it.
        data: The document, in UTF-8 where the format is text.
        allowance: What this run, with the others of the document, may take.
        size: How much text there is to read, where that is not the length of the data.

    Raises:
        Refused: Pandoc can't read them, or takes more time or memory than it may.
    """
    if allowance.is_spent:
        raise Refused("the time for the document is over", at_limit=True)
    share = min(_RUN_SECONDS + (size or len(data)) / _RUN_BYTES_PER_SECOND, allowance.seconds)
    used = _children_seconds()
    try:
        done = _call(format_name, data, max(1, round(share)), allowance.ends - time.monotonic())
    finally:
        allowance.seconds -= _children_seconds() - used
    if done is None or done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        raise Refused("it takes too long", at_limit=True)
    if done.returncode == _HEAP_EXHAUSTED:
        raise Refused("it takes too much memory", at_limit=True)
    if done.returncode != 0:
        said = _complaint(done.stderr.decode(errors="replace"))
        raise Refused(f"its syntax is not understood ({said})" if said else "its syntax is not understood")
    try:
        tree = json.loads(done.stdout)
    except RecursionError:
        raise Refused("it is nested too deeply", at_limit=True) from None
    return Tree(tree["blocks"], tree["meta"])


def _call(
    format_name: str, data: bytes, cpu_seconds: int, wall_seconds: float
) -> subprocess.CompletedProcess[bytes] | None:
    """Run the program; None when the time on the clock ran out."""
    command = [_program(), "+RTS", _HEAP, "-RTS", "--sandbox", "-f", format_name, "-t", "json"]
    parent = os.getpid()

    def confine() -> None:
        """In the new process, before Pandoc starts."""
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        if _LIBC is not None:
            _LIBC.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)

    try:
        return subprocess.run(  # noqa: S603 - the program comes with a package, its arguments from this module
            command,
            input=data,
            capture_output=True,
            timeout=wall_seconds,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
            check=False,
            # The process that reads a document has one thread, so nothing can hold a lock across the fork.
            preexec_fn=confine,
        )
    except subprocess.TimeoutExpired:
        return None


def _complaint(said: str) -> str:
    """Return what Pandoc says is wrong, without the place: it counts lines of what it was given, not the source's."""
    lines = (_PLACE.sub("", line).strip() for line in said.splitlines() if not line.startswith("[WARNING]"))
    first = next((line for line in lines if line), "").rstrip(":")
    return first[:200] if first != "unexpected ()" else ""


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@cache
def _program() -> str:
    """Return the path of the program that the wheel brings, whatever else is installed."""
    package = find_spec("pypandoc")
    if package is None or not package.submodule_search_locations:
        raise FileNotFoundError("The package pypandoc-binary is not installed.")
    return str(Path(package.submodule_search_locations[0]) / "files" / "pandoc")
