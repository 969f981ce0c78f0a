"""A worker that is told to stop, stops."""

import asyncio
from typing import cast

import pytest
from arq.worker import Worker

import workers.main

pytestmark = pytest.mark.anyio


class Deaf:
    """Polls like arq's worker; so many cancellations are lost on it."""

    def __init__(self, lost: int) -> None:
        self.lost = lost

    async def async_run(self) -> None:
        while True:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                if not self.lost:
                    raise
                self.lost -= 1


@pytest.mark.parametrize("lost", [0, 1, 3])
async def test_a_cancellation_that_is_lost_is_repeated(lost: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.main, "CANCEL_AGAIN_SECONDS", 0.01)
    stop = asyncio.Event()
    running = asyncio.create_task(workers.main._run_worker(cast(Worker, Deaf(lost)), stop))
    await asyncio.sleep(0.02)
    stop.set()
    await asyncio.wait_for(running, 5)
