"""`context-atlas serve`: the embedded stack until Ctrl-C."""

import os
from pathlib import Path

import typer

from app.adapters.embedded.errors import StopRequested
from app.adapters.embedded.signals import StopSignals
from app.adapters.embedded.supervisor import Stack
from app.cli.listening import check_exposure
from app.cli.load import load_settings


def run_serve(data_dir: Path, host: str | None, port: int | None) -> None:
    """Run everything on a data directory until a signal asks to stop.

    Raises:
        CommandFailed: the address is open to others and unprotected.
        StackError: something does not start.
    """
    server = load_settings().server
    host = server.host if host is None else host
    check_exposure(host, server)
    for name in ("DATABASE_URL", "REDIS_URL"):
        if name in os.environ:
            typer.echo(f"serve runs servers of its own: {name} is not used")
    with StopSignals() as signals:
        stack = Stack(data_dir, host=host, port=server.port if port is None else port, signals=signals, say=typer.echo)
        try:
            with stack:
                typer.echo(_welcome(stack))
                stack.run()
                typer.echo("Stopping")
        except StopRequested:
            typer.echo("Stopping")
    typer.echo("Stopped")


def _welcome(stack: Stack) -> str:
    return (
        "Context Atlas is running\n"
        f"  API            {stack.url}/v1\n"
        f"  documentation  {stack.url}/docs\n"
        f"  data           {stack.root}\n"
        f"  logs           {stack.logs}\n"
        "Ctrl-C stops it"
    )
