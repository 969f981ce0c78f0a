import os
import signal
import time
from collections.abc import Iterator

import pytest

from app.adapters.embedded.errors import StopRequested
from app.adapters.embedded.signals import StopSignals


@pytest.fixture(autouse=True)
def terminal() -> Iterator[None]:
    """Run as in a terminal, also where the tests themselves were started by nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_pause(number: signal.Signals) -> None:
    with StopSignals() as signals:
        signals.check()
        os.kill(os.getpid(), number)
        with pytest.raises(StopRequested):
            signals.pause(60)


def test_a_pause_without_a_signal_lasts_as_long_as_asked() -> None:
    with StopSignals() as signals:
        begun = time.monotonic()
        signals.pause(0.12)
        assert time.monotonic() - begun >= 0.12


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with StopSignals():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_closed_terminal_is_ignored_when_nohup_says_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with StopSignals() as signals:
            os.kill(os.getpid(), signal.SIGHUP)
            signals.pause(0.01)
    finally:
        signal.signal(signal.SIGHUP, before)
