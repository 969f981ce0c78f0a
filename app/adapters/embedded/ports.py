"""TCP ports and addresses of the API."""

import ipaddress
import socket

from app.adapters.embedded.errors import StackError


def settle_port(host: str, port: int) -> int:
    """Check that the API can listen there; 0 becomes a port that is free now.

    Raises:
        StackError: the port is taken, or the address is not ours.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except OSError as error:
        why = error.strerror or str(error)
        raise StackError(f"The API can't listen on {host} port {port}: {why}. Choose another with --port.") from error


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a listener on `host`; a name counts if all its addresses do."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM) if host else []
    except OSError:
        return False
    return bool(found) and all(ipaddress.ip_address(str(entry[4][0]).split("%")[0]).is_loopback for entry in found)


def url_of(host: str, port: int) -> str:
    """Where to call a listener on `host`; one on all addresses is called on loopback."""
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104  # only compared
    return f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"
