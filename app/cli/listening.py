"""Where the API may listen (service design, "Access")."""

from app.adapters.embedded.ports import is_loopback
from app.cli.failure import CommandFailed
from app.settings import ServerSettings


def check_exposure(host: str, server: ServerSettings) -> None:
    """Refuse to serve others while no keys protect the API.

    Raises:
        CommandFailed: `host` can be reached from other machines, and ALLOW_ANONYMOUS is not set.
    """
    if not server.allow_anonymous and not is_loopback(host):
        raise CommandFailed(
            f"{host} can be reached from other machines and no keys protect the API; "
            "listen on 127.0.0.1, or set ALLOW_ANONYMOUS=1 if that is what you want."
        )
