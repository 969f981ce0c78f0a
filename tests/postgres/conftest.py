"""The stores on PostgreSQL, and a look past them at the tables."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.document_store import PostgresDocumentStore
from app.adapters.postgres.job_store import PostgresJobStore
from app.adapters.postgres.note_store import PostgresNoteStore
from app.adapters.postgres.term_index import PostgresTermIndex
from tests.contract.conftest import MAX_TRIES, Stores


@pytest.fixture
def stores(engine: AsyncEngine) -> Stores:
    return Stores(
        PostgresDocumentStore(engine),
        PostgresJobStore(engine, MAX_TRIES),
        PostgresTermIndex(engine),
        PostgresNoteStore(engine),
    )


async def rows(engine: AsyncEngine, statement: str, **values: object) -> Sequence[Any]:
    """Run a statement in a transaction of its own and return its rows."""
    async with engine.begin() as connection:
        return (await connection.execute(text(statement), values)).all()


async def count(engine: AsyncEngine, table: str) -> int:
    ((found,),) = await rows(engine, f"SELECT count(*) FROM {table}")  # noqa: S608 - a name from the tests
    return int(found)


async def kill_whoever_waits(engine: AsyncEngine) -> None:
    """Wait until a connection of this database waits for a lock, and end it."""
    killed = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
    while not await rows(engine, killed):
        await asyncio.sleep(0.02)
