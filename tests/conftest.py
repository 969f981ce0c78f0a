"""Fixtures that every part shares: a real PostgreSQL, a real Redis, and the event loop.

- Asynchronous tests run with anyio on asyncio: mark them `@pytest.mark.anyio` (or `pytestmark = pytest.mark.anyio`).
- `database_url` is a fresh, migrated database, as a role that owns it and is no superuser. The server is started once
  per pytest process (so once per xdist worker), migrated once into a template, and every test gets a copy.
- `engine` is the service's own engine on that database, disposed of after the test.
- `redis_url` is a Redis of the pytest process, emptied before every test.
"""

import itertools
from collections.abc import AsyncIterator, Iterator

import pytest
import redis
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import create_engine
from app.adapters.postgres.migrate import upgrade
from tests.servers import PostgresServer, postgres_server, redis_server

_TEMPLATE = "atlas_template"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop that `@pytest.mark.anyio` tests run on."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server with no database of ours."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_postgres(postgres: PostgresServer) -> PostgresServer:
    """The same server, with a migrated template database."""
    upgrade(postgres.create_database(_TEMPLATE))
    return postgres


@pytest.fixture
def empty_database_url(postgres: PostgresServer) -> Iterator[str]:
    """URL of a database without any table."""
    name = f"empty_{next(_numbers)}"
    yield postgres.create_database(name)
    postgres.drop_database(name)


@pytest.fixture
def database_url(migrated_postgres: PostgresServer) -> Iterator[str]:
    """URL of a fresh, migrated database."""
    name = f"test_{next(_numbers)}"
    yield migrated_postgres.create_database(name, template=_TEMPLATE)
    migrated_postgres.drop_database(name)


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    """The service's engine on a fresh, migrated database."""
    engine = create_engine(database_url)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
def _redis_server() -> Iterator[str]:
    with redis_server() as url:
        yield url


@pytest.fixture
def redis_url(_redis_server: str) -> str:
    """URL of an empty Redis."""
    with redis.Redis.from_url(_redis_server) as client:
        client.flushall()
    return _redis_server
