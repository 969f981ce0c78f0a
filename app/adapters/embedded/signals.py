"""Ctrl-C, SIGTERM and a closed terminal, as a flag that is looked at where stopping is safe.

An exception out of a signal handler could strike between the start of a child and the note of it. A flag can't.
"""

import signal
import time
from types import FrameType, TracebackType
from typing import Self

from app.adapters.embedded.errors import StopRequested

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SLICE_SECONDS = 0.05


class StopSignals:
    """Listens from `with` to the end of the block; must be entered in the main thread."""

    def __init__(self) -> None:
        self.requested = False
        self._before: list[tuple[signal.Signals, object]] = []

    def __enter__(self) -> Self:
        for number in _SIGNALS:
            if number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
                continue  # started by nohup: a closed terminal is no reason to stop
            self._before.append((number, signal.signal(number, self._note)))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._before:
            signal.signal(number, handler)  # type: ignore[arg-type]  # it is what signal.signal gave back

    def check(self) -> None:
        """Raise `StopRequested` if a signal has come."""
        if self.requested:
            raise StopRequested

    def pause(self, seconds: float) -> None:
        """Sleep, but not beyond a signal.

        Raises:
            StopRequested: a signal has come.
        """
        end = time.monotonic() + seconds
        while True:
            self.check()
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _SLICE_SECONDS))

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.requested = True
