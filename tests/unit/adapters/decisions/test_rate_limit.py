import asyncio
import time

import pytest

from app.adapters.decisions.rate_limit import ProcessRateLimit, SharedRateLimit

pytestmark = pytest.mark.anyio


def test_a_pause_earns_a_quarter_of_a_seconds_worth_at_once() -> None:
    # 20 a second: one each 0.05 s, and 0.25 s may be run ahead of: five places early, and the one that is due.
    limit = ProcessRateLimit(20.0)
    waits = [limit.take_place(1000.0) for _ in range(9)]
    assert waits == pytest.approx([0, 0, 0, 0, 0, 0, 0.05, 0.10, 0.15])


def test_whoever_comes_later_waits_for_less() -> None:
    limit = ProcessRateLimit(10.0)
    for _ in range(6):
        limit.take_place(1000.0)
    # Places at -0.25, -0.15, … 0.25 are taken: the next is at 0.35.
    assert limit.take_place(1000.2) == pytest.approx(0.15)


async def times_of(limit: SharedRateLimit, count: int) -> list[float]:
    async def one() -> float:
        await limit.wait()
        return time.monotonic()

    return await asyncio.gather(*(one() for _ in range(count)))


async def test_processes_share_one_rate(redis_url: str) -> None:
    # Each stands for a process. Together 20 requests at 40 a second: 11 run ahead, the last waits 9 places of 0.025 s.
    limits = [SharedRateLimit(redis_url, 40.0) for _ in range(2)]
    try:
        start = time.monotonic()
        first, second = await asyncio.gather(*(times_of(limit, 10) for limit in limits))
    finally:
        for limit in limits:
            await limit.close()
    assert max(first + second) - start >= 9 * 0.025 - 0.01


async def test_without_redis_a_process_takes_a_quarter() -> None:
    # 8 a second become 2: the first goes at once, the others half a second apart.
    limit = SharedRateLimit("redis://127.0.0.1:1/0", 8.0)
    start = time.monotonic()
    try:
        times = sorted(await times_of(limit, 3))
    finally:
        await limit.close()
    assert times[2] - start >= 0.7


async def test_redis_is_asked_again_after_a_while(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.adapters.decisions.rate_limit._REDIS_PAUSE", 0.05)
    limit = SharedRateLimit(redis_url, 1000.0)
    asked = 0
    take_place = limit._script

    async def failing_once(**arguments: object) -> object:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise ConnectionResetError
        return await take_place(**arguments)

    monkeypatch.setattr(limit, "_script", failing_once)
    try:
        await limit.wait()
        await limit.wait()
        assert asked == 1
        await asyncio.sleep(0.06)
        await limit.wait()
        assert asked == 2
    finally:
        await limit.close()
