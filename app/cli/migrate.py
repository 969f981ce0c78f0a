"""`context-atlas migrate`."""

from dataclasses import replace
from pathlib import Path

import typer
from pydantic import SecretStr

from app import wiring
from app.cli.extra import need_embedded
from app.cli.failure import CommandFailed
from app.cli.load import load_settings
from app.settings import Settings


def run_migrate(data_dir: Path | None) -> None:
    """Migrate the database that the settings name, or the embedded one of a data directory.

    Raises:
        CommandFailed: there is no such data directory, or the embedded servers are not installed.
        StackError: the embedded database can't be started.
        DatabaseUnavailable: the database does not answer.
    """
    settings = load_settings()
    if data_dir is None:
        wiring.migrate(settings)
    elif data_dir.is_dir():
        _migrate_embedded(settings, data_dir)
    else:
        raise CommandFailed(f"There is no data directory {data_dir}.")
    typer.echo("The database is up to date.")


def _migrate_embedded(settings: Settings, data_dir: Path) -> None:
    need_embedded()
    from app.cli.migrate_embedded import with_embedded_database  # noqa: PLC0415  # not there in production

    def migrate(database_url: str) -> None:
        database = settings.database.model_copy(update={"url": SecretStr(database_url)})
        wiring.migrate(replace(settings, database=database))

    with_embedded_database(data_dir, migrate)
