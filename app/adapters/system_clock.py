"""The machine's own clock."""

import asyncio
import time


class SystemClock:
    """Satisfies `app.ports.clock.Clock`."""

    def monotonic(self) -> float:
        """Seconds that only ever grow, for deadlines."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up anybody else."""
        await asyncio.sleep(seconds)
