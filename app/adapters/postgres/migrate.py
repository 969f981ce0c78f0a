"""Brings a database to the newest schema, and tells whether it is there."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import driver_url, transaction, translated_errors

_MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations"
#: Any fixed number: whoever migrates holds this lock, so that several processes may start at once.
_LOCK = 0x0A71A5


def upgrade(url: str, revision: str = "head") -> None:
    """Run the migrations that the database lacks, in one transaction; others that try meanwhile wait.

    Raises:
        DatabaseUnavailable: the server does not answer.
    """
    _run(url, lambda config: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> None:
    """Undo the migrations after `revision` (`base` undoes all), in one transaction.

    Raises:
        DatabaseUnavailable: the server does not answer.
    """
    _run(url, lambda config: command.downgrade(config, revision))


async def is_current(engine: AsyncEngine) -> bool:
    """True when every migration of this build has run, and none of a later one.

    Raises:
        DatabaseUnavailable: the server does not answer.
    """
    async with transaction(engine) as connection:
        return await connection.run_sync(_revision) == _newest()


def _run(url: str, action: Callable[[Config], None]) -> None:
    engine = create_engine(driver_url(url), poolclass=NullPool)
    with translated_errors(), engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = _config()
        config.attributes["connection"] = connection
        action(config)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def _newest() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
