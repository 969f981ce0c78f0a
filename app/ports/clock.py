"""The port to time."""

from typing import Protocol


class Clock(Protocol):
    """Tells time and waits."""

    def monotonic(self) -> float:
        """Seconds that only ever grow, for deadlines."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up anybody else."""
        ...
