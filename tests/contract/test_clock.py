"""What every `Clock` does."""

import pytest

from app.adapters.system_clock import SystemClock
from app.ports.clock import Clock
from tests.fakes.clock import ManualClock

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("clock", [ManualClock(), SystemClock()], ids=["manual", "system"])
async def test_time_passes_while_asleep(clock: Clock) -> None:
    before = clock.monotonic()
    await clock.sleep(0.01)
    # A timer may fire a clock tick early.
    assert clock.monotonic() - before >= 0.009
