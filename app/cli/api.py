"""`context-atlas api`: uvicorn on the application."""

import uvicorn

from app import telemetry
from app.adapters.embedded.ports import settle_port
from app.cli.listening import check_exposure
from app.cli.load import load_settings
from app.main import create_app

#: Seconds that open requests get at shutdown. With the closing of pools it stays under the 30 that orchestrators wait.
_GRACE_SECONDS = 20


def run_api(host: str | None, port: int | None) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises:
        CommandFailed: the address is open to others and unprotected.
        StackError: it can't be listened on.
    """
    settings = load_settings()
    host = settings.server.host if host is None else host
    check_exposure(host, settings.server)
    port = settle_port(host, settings.server.port if port is None else port)
    telemetry.configure(settings.server.log_level, settings.server.log_format)
    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        log_config=None,  # through our own handler
        log_level=settings.server.log_level,
        access_log=False,  # a request is logged once, with its id, by the application
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
