import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

import workers.upkeep
from app.errors import DatabaseUnavailable
from app.wiring import WorkerServices
from workers.upkeep import keep_up

pytestmark = pytest.mark.anyio


class Flaky:
    """Stands for the job store and the sweep: the first call fails as told, later ones work."""

    def __init__(self, failure: Exception) -> None:
        self._failures = dict.fromkeys(("beat", "run", "expire"), failure)
        self.worked: set[str] = set()
        self.done = asyncio.Event()

    def _call(self, name: str) -> int:
        failure = self._failures.pop(name, None)
        if failure is not None:
            raise failure
        self.worked.add(name)
        if self.worked == {"beat", "run", "expire"}:
            self.done.set()
        return 1

    async def beat(self, worker: str) -> None:
        self._call("beat")

    async def run(self, *, patience_seconds: float) -> int:
        return self._call("run")

    async def expire(self, *, retention_days: int) -> int:
        return self._call("expire")


@pytest.mark.parametrize("failure", [DatabaseUnavailable("Away."), ZeroDivisionError()])
async def test_upkeep_goes_on_after_a_failure(failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BEAT_SECONDS", "SWEEP_SECONDS", "EXPIRY_SECONDS"):
        monkeypatch.setattr(workers.upkeep, name, 0.01)
    flaky = Flaky(failure)
    services = cast(WorkerServices, SimpleNamespace(jobs=flaky, announce_stranded=flaky, retention_days=30))

    upkeep = asyncio.create_task(keep_up(services, "worker-a"))
    async with asyncio.timeout(5):
        await flaky.done.wait()
    assert not upkeep.done()
    upkeep.cancel()
    await asyncio.gather(upkeep, return_exceptions=True)
