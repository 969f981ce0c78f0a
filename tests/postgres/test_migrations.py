import subprocess
import sys

import pytest
from alembic import command
from sqlalchemy import NullPool, create_engine, inspect
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres import migrate
from app.adapters.postgres.engine import create_engine as create_async_engine
from app.adapters.postgres.engine import driver_url


def tables(url: str) -> set[str]:
    engine = create_engine(driver_url(url), poolclass=NullPool)
    return set(inspect(engine).get_table_names())


def test_up_and_down_leave_nothing(empty_database_url: str) -> None:
    migrate.upgrade(empty_database_url)
    assert {"collections", "documents", "postings_p7", "units_p0"} <= tables(empty_database_url)
    migrate.downgrade(empty_database_url, "base")
    assert tables(empty_database_url) == {"alembic_version"}
    migrate.upgrade(empty_database_url)
    migrate.upgrade(empty_database_url)


def test_processes_that_start_at_once_migrate_once(empty_database_url: str) -> None:
    program = "import sys; from app.adapters.postgres.migrate import upgrade; upgrade(sys.argv[1])"
    starting = [subprocess.Popen([sys.executable, "-c", program, empty_database_url]) for _ in range(3)]
    assert [process.wait(timeout=60) for process in starting] == [0, 0, 0]
    assert "collections" in tables(empty_database_url)


def test_the_migrations_make_the_schema_of_the_code(database_url: str) -> None:
    # Raises when autogenerate would write another migration.
    migrate._run(database_url, command.check)


@pytest.mark.anyio
async def test_is_current_tells_a_migrated_database_from_an_empty_one(
    engine: AsyncEngine, empty_database_url: str
) -> None:
    assert await migrate.is_current(engine)
    empty = create_async_engine(empty_database_url)
    assert not await migrate.is_current(empty)
    await empty.dispose()
