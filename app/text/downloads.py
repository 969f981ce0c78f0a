"""The vocabularies that `tiktoken` downloads once and then keeps in its cache folder (chunking design, "Text rules").

It waits for a network as long as the system does, which is minutes where packets are dropped: the try goes on in a
thread of its own, and callers wait for it a few seconds.
"""

from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock, Thread
from time import monotonic

import tiktoken

#: Seconds that callers wait for a try, from its start.
_PATIENCE = 10.0
#: Seconds after a try began before the next may.
_PAUSE = 60.0


class DownloadFailed(Exception):
    """Why a vocabulary can't be had, as the middle of a sentence."""


@dataclass(frozen=True, slots=True)
class _Try:
    """One attempt at a vocabulary."""

    began: float = field(default_factory=monotonic)
    result: "Future[tiktoken.Encoding]" = field(default_factory=Future)

    def run(self, name: str) -> None:
        try:
            self.result.set_result(tiktoken.get_encoding(name))
        except Exception as problem:  # noqa: BLE001 - whatever a network, a disk or a file can do
            self.result.set_exception(problem)

    @property
    def failed_long_ago(self) -> bool:
        return self.result.done() and self.result.exception() is not None and monotonic() > self.began + _PAUSE


_tries: dict[str, _Try] = {}
_tries_lock = Lock()


def downloaded(name: str) -> tiktoken.Encoding:
    """Return an encoding whose vocabulary is in the cache folder or can be fetched.

    Raises:
        DownloadFailed: neither; the same answer for a minute.
    """
    current = _current_try(name)
    try:
        return current.result.result(max(0.0, current.began + _PATIENCE - monotonic()))
    except TimeoutError:
        raise DownloadFailed(f"its vocabulary did not arrive within {_PATIENCE:.0f} seconds") from None
    except Exception as problem:
        reason = f"its vocabulary is not cached and could not be downloaded ({type(problem).__name__})"
        raise DownloadFailed(reason) from problem


def _current_try(name: str) -> _Try:
    with _tries_lock:
        if name not in _tries or _tries[name].failed_long_ago:
            _tries[name] = _Try()
            Thread(target=_tries[name].run, args=(name,), daemon=True, name=f"vocabulary-{name}").start()
        return _tries[name]
