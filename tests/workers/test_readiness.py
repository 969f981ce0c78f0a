from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from app.settings import Settings
from app.wiring import migrate, open_services
from tests.workers.conftest import Door

pytestmark = pytest.mark.anyio


async def readiness(settings: Settings) -> Mapping[str, str | None]:
    async with open_services(settings) as services:
        return await services.readiness()


async def test_everything_is_fine_once_a_worker_lives(settings: Callable[..., Settings], door: Door) -> None:
    made = settings()
    assert (await readiness(made))["worker"] == "No worker has started yet."

    await door.jobs.beat("worker-a")

    assert await readiness(made) == {"postgres": None, "migrations": None, "redis": None, "worker": None}


async def test_what_is_away_is_named(settings: Callable[..., Settings], tmp_path: Path) -> None:
    away = await readiness(
        settings(
            DATABASE_URL=f"postgresql://atlas:hunter2@/atlas?host={tmp_path}", REDIS_URL=f"unix://{tmp_path}/no.sock"
        )
    )

    assert all(away.values())
    assert "hunter2" not in str(away)


async def test_an_empty_database_needs_migrating(settings: Callable[..., Settings], empty_database_url: str) -> None:
    made = settings(DATABASE_URL=empty_database_url)
    before = await readiness(made)
    assert before["postgres"] is None
    assert before["migrations"] is not None

    migrate(made)

    assert (await readiness(made))["migrations"] is None
