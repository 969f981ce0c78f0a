"""Vector searches and clocks for tests."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.errors import Unavailable


@dataclass
class Nearby:
    """A vector search that returns what it is given, fails, or never answers."""

    keys: Sequence[tuple[str, str]] = ()
    failing: bool = False
    hanging: bool = False
    asked: list[tuple[str, int, tuple[str, ...] | None]] = field(default_factory=list)

    async def neighbours(
        self, collection: str, query: str, *, limit: int, documents: Sequence[str] | None
    ) -> Sequence[tuple[str, str]]:
        self.asked.append((query, limit, None if documents is None else tuple(documents)))
        if self.failing:
            raise Unavailable("The vector search is away.")
        if self.hanging:
            await asyncio.Event().wait()
        return self.keys


@dataclass
class ImpatientClock:
    """A clock on which every wait is over at once, or, when `stopped`, never."""

    stopped: bool = True

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        if self.stopped:
            await asyncio.Event().wait()
