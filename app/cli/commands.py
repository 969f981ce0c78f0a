"""The commands and their options; what they do stands in the modules beside this one."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.cli.extra import need_embedded
from app.cli.failure import CommandFailed

_commands = typer.Typer(
    name="context-atlas",
    help="Takes in documents and returns the few hundred tokens that answer a question.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

_Host = Annotated[str | None, typer.Option(help="Address to listen on; unset: HOST, else 127.0.0.1.")]
_Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0: a free one; unset: PORT, else 8000.")]


def main() -> None:
    """Run the command that the arguments name."""
    try:
        _commands()
    except Exception as error:  # the process ends here; nobody above would say it better
        if os.environ.get("LOG_LEVEL", "").lower() == "debug":
            raise
        typer.echo(f"context-atlas: {_sentence(error)}", err=True)
        sys.exit(1)


@_commands.command()
def api(host: _Host = None, port: _Port = None) -> None:
    """Serve the HTTP API on the database and Redis that the settings name."""
    from app.cli.api import run_api  # noqa: PLC0415  # see the package's docstring

    run_api(host, port)


@_commands.command()
def worker() -> None:
    """Run a worker on the database and Redis that the settings name."""
    # `app` may not import `workers`: this process becomes one instead. -P: not from the folder we happen to be in.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "workers"])  # noqa: S606  # this Python, a fixed module


@_commands.command()
def migrate(
    data_dir: Annotated[
        Path | None, typer.Option(help="Migrate the embedded database there, whether a serve runs on it or not.")
    ] = None,
) -> None:
    """Bring the database to this version's schema."""
    from app.cli.migrate import run_migrate  # noqa: PLC0415  # see the package's docstring

    run_migrate(data_dir)


@_commands.command()
def serve(
    data_dir: Annotated[Path, typer.Option(help="Where everything is kept.")] = Path(".data/serve"),
    host: _Host = None,
    port: _Port = None,
) -> None:
    """Run everything on this machine: PostgreSQL, Redis, the API and a worker. Ctrl-C stops it."""
    need_embedded()
    from app.cli.serve import run_serve  # noqa: PLC0415  # see the package's docstring

    run_serve(data_dir, host, port)


@_commands.command()
def demo(
    data_dir: Annotated[Path, typer.Option(help="Where everything is kept.")] = Path(".data/demo"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: a free one.")] = 0,
    examples: Annotated[
        Path | None, typer.Option(help="Folder of the sample documents; unset: the repository's `examples`.")
    ] = None,
) -> None:
    """Run everything, take in the sample documents, answer five questions, and stop."""
    need_embedded()
    from app.cli.demo import run_demo  # noqa: PLC0415  # see the package's docstring

    run_demo(data_dir, port, examples)


@_commands.command()
def config(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """Print every setting: its environment name, value, default and meaning. Secrets are masked."""
    from app.cli.config import run_config  # noqa: PLC0415  # see the package's docstring

    run_config(as_json=as_json)


def _sentence(error: Exception) -> str:
    """What went wrong, for people; a defect of ours is named as one."""
    from app.adapters.embedded.errors import StackError  # noqa: PLC0415  # only when something went wrong
    from app.errors import AppError  # noqa: PLC0415  # same

    if isinstance(error, AppError | StackError | CommandFailed):
        return str(error)
    return f"{type(error).__name__}: {error} (LOG_LEVEL=debug shows where)"
