"""The connection pool, and the two ways to use a connection: a transaction that writes, a snapshot that reads."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from app.errors import DatabaseUnavailable

#: SQLSTATE classes of a server that can't be used: connection lost, out of connections or space, shutting down.
_UNUSABLE = ("08", "53", "57P")


def driver_url(url: str) -> URL:
    """`postgresql://…`, as settings have it, with the driver that we use."""
    return make_url(url).set(drivername="postgresql+psycopg")


def create_engine(
    url: str, *, pool_size: int = 10, connect_timeout: float = 5.0, prepared_statements: bool = False
) -> AsyncEngine:
    """Make the pool; nothing is connected yet.

    Args:
        url: where PostgreSQL is, as `DATABASE_URL` says.
        pool_size: connections to keep at most.
        connect_timeout: seconds to wait for a connection, from the pool or from the server.
        prepared_statements: leave off behind PgBouncer in transaction mode.
    """
    return create_async_engine(
        driver_url(url),
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=connect_timeout,
        # A connection that died with its server is found before a caller's statement is lost on it.
        pool_pre_ping=True,
        use_native_hstore=False,
        # Errors are logged, and parameters hold document text.
        hide_parameters=True,
        connect_args={
            "cursor_factory": _BinaryCursor,
            "connect_timeout": max(2, round(connect_timeout)),
            "prepare_threshold": 5 if prepared_statements else None,
            "application_name": "context-atlas",
        },
    )


class _BinaryCursor(psycopg.AsyncCursor[Any]):
    """Asks for results in binary, which halves what postings take on the wire and saves decoding them."""

    def __init__(self, connection: psycopg.AsyncConnection[Any], **options: Any) -> None:  # noqa: ANN401 - the driver's
        super().__init__(connection, **options)
        self.format = psycopg.pq.Format.BINARY


@asynccontextmanager
async def transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """One transaction that is committed at the end of the block, or rolled back when it raises.

    Raises:
        DatabaseUnavailable: the server does not answer, or went away meanwhile.
    """
    with translated_errors():
        async with engine.begin() as connection:
            yield connection


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """One read-only transaction whose statements all see the same state.

    Raises:
        DatabaseUnavailable: the server does not answer, or went away meanwhile.
    """
    with translated_errors():
        reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        async with reading.begin() as connection:
            yield connection


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn the driver's connection failures into `DatabaseUnavailable`; every other error passes."""
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseUnavailable("All connections to the database are busy.") from error
    except DBAPIError as error:
        if error.connection_invalidated or _is_unusable(error.orig):
            raise DatabaseUnavailable("The database does not answer.") from error
        raise
    except psycopg.OperationalError as error:
        if _is_unusable(error):
            raise DatabaseUnavailable("The database does not answer.") from error
        raise


def _is_unusable(error: BaseException | None) -> bool:
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    # An error without a code comes from the client's side: it could not connect, or the connection broke.
    return error.sqlstate is None or error.sqlstate.startswith(_UNUSABLE)
