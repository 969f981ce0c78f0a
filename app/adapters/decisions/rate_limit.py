"""How many requests a second go to the hosted decision model, all processes together (ruling 12).

The rule is the generic cell rate algorithm (ITU-T I.371): one number, the time at which the next request is due, is
enough to grant or delay each request. Whoever asks takes a place and is told how long to wait for it.
"""

import asyncio
import time
from typing import Protocol

import redis.asyncio
from redis.exceptions import RedisError

#: Requests that may come at once after a pause, as a share of a second's worth. No window of one second then sees more
#: than 1.25 times the rate, which for the default of 30 stays under the published limit of 40.
BURST = 0.25
#: A process that can't reach Redis takes this share of the rate.
ALONE = 0.25
#: Seconds to leave Redis alone after it failed.
_REDIS_PAUSE = 5.0
_REDIS_TIMEOUT = 1.0
_KEY = "context-atlas:decision-rate"

# Redis keeps the time, so that the clocks of the hosts need not agree. Microseconds: doubles hold them exactly.
_TAKE_PLACE = """
local now = redis.call('TIME')
local micros = now[1] * 1000000 + now[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), micros - burst)
redis.call('SET', KEYS[1], string.format('%.0f', due + interval), 'PX', 60000)
return string.format('%.0f', math.max(0, due - micros))
"""


class RateLimit(Protocol):
    """Makes requests wait for their turn."""

    async def wait(self) -> None:
        """Return when the next request may go out."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class ProcessRateLimit:
    """A rate kept by this process alone, `per_second` requests."""

    def __init__(self, per_second: float) -> None:
        self._interval = 1.0 / per_second
        self._due = 0.0

    async def wait(self) -> None:
        """See `RateLimit.wait`."""
        await asyncio.sleep(self.take_place(time.monotonic()))

    def take_place(self, now: float) -> float:
        """Take the next place and return the seconds until it, for a request that asks at `now`."""
        due = max(self._due, now - BURST)
        self._due = due + self._interval
        return max(0.0, due - now)

    async def close(self) -> None:
        """Nothing is open."""


class SharedRateLimit:
    """A rate of `per_second` requests, shared through Redis; without Redis a quarter of it, kept by this process."""

    def __init__(self, redis_url: str, per_second: float) -> None:
        self._redis = redis.asyncio.Redis.from_url(
            redis_url, socket_timeout=_REDIS_TIMEOUT, socket_connect_timeout=_REDIS_TIMEOUT
        )
        self._script = self._redis.register_script(_TAKE_PLACE)
        self._arguments = (round(1_000_000 / per_second), round(1_000_000 * BURST))
        self._alone = ProcessRateLimit(per_second * ALONE)
        self._redis_again_at = 0.0

    async def wait(self) -> None:
        """See `RateLimit.wait`."""
        if time.monotonic() < self._redis_again_at:
            await self._alone.wait()
            return
        try:
            micros = await self._script(keys=[_KEY], args=self._arguments)
        except (RedisError, OSError):
            self._redis_again_at = time.monotonic() + _REDIS_PAUSE
            await self._alone.wait()
        else:
            await asyncio.sleep(int(micros) / 1_000_000)

    async def close(self) -> None:
        """See `RateLimit.close`."""
        await self._redis.aclose()
