import socket

import pytest

from app.adapters.embedded.errors import StackError
from app.adapters.embedded.ports import is_loopback, settle_port, url_of


def test_a_taken_port_is_named_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(StackError, match=f"can't listen on 127.0.0.1 port {port}: .*--port"):
            settle_port("127.0.0.1", port)


def test_port_zero_becomes_a_free_one() -> None:
    port = settle_port("127.0.0.1", 0)
    assert 1024 <= port <= 65535
    assert settle_port("127.0.0.1", port) == port


def test_an_address_of_somebody_else_is_refused() -> None:
    with pytest.raises(StackError, match=r"can't listen on 192\.0\.2\.1"):
        settle_port("192.0.2.1", 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.1", "no such host"])
def test_everything_else_is_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
        ("::1", "http://[::1]:80"),
        ("localhost", "http://localhost:80"),
    ],
)
def test_where_a_listener_is_called(host: str, url: str) -> None:
    assert url_of(host, 80) == url
