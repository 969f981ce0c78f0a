import subprocess
import sys

import pytest
from alembic import command
from sqlalchemy import NullPool, create_engine, inspect, text
from sqlalchemy.exc import IntegrityError
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


def test_ingestions_outlive_work_without_a_document_when_that_is_undone(empty_database_url: str) -> None:
    migrate.upgrade(empty_database_url)
    engine = create_engine(driver_url(empty_database_url), poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO collections (name) VALUES ('default')"))
        connection.execute(text("INSERT INTO documents (collection_id, id) SELECT id, 'terms' FROM collections"))
        connection.execute(
            text(
                "INSERT INTO jobs (id, kind, status, collection_id, document_key, version, upload) "
                "SELECT 'job_1', 'ingest', 'queued', collection_id, key, 1, '{}' FROM documents"
            )
        )
        connection.execute(text("INSERT INTO jobs (id, kind, status) VALUES ('job_2', 'contextualize', 'queued')"))
        connection.execute(text("INSERT INTO notes (job_id, position, outcome) VALUES ('job_2', 0, '{}')"))
    with pytest.raises(IntegrityError, match="jobs_ingest_check"), engine.begin() as connection:
        connection.execute(text("INSERT INTO jobs (id, kind, status) VALUES ('job_3', 'ingest', 'queued')"))

    migrate.downgrade(empty_database_url, "202611302000")
    migrate.upgrade(empty_database_url)
    with engine.begin() as connection:
        assert connection.execute(text("SELECT id FROM jobs")).scalars().all() == ["job_1"]


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
