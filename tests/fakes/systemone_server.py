"""A local server that speaks System One as a test scripts it."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JsonDict = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the server does with one request."""

    status: int = 200
    #: Sent as it is; None answers every question with yes at 0.9, or its first label.
    body: bytes | None = None
    #: In place of `body`: what answers a request's body.
    answering: Callable[[JsonDict], bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Seconds before the first byte, and between the bytes of the body.
    delay: float = 0.0
    dribble: float = 0.0


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: JsonDict
    at: float


@dataclass
class SystemOneServer:
    """Replies in the order of `replies`, the last one for ever, and keeps what it received."""

    replies: list[Reply]
    url: str = ""
    received: list[Received] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_reply(self, received: Received) -> Reply:
        with self.lock:
            self.received.append(received)
            self.busy += 1
            self.most_busy = max(self.most_busy, self.busy)
            return self.replies[min(len(self.received), len(self.replies)) - 1]

    def done(self) -> None:
        with self.lock:
            self.busy -= 1


def answers(**by_name: object) -> bytes:
    """The body of a sound envelope that holds exactly these answers."""
    return json.dumps(
        {"model": "jev-1.13.0", "answers": by_name, "usage": {"input_tokens": 120, "output_tokens": 2}}
    ).encode()


def _sound(body: JsonDict) -> bytes:
    return answers(**{name: _sound_answer(question) for name, question in body["questions"].items()})


def _sound_answer(question: JsonDict) -> JsonDict:
    if question["type"] == "noul":
        return {"type": "noul", "noul": 0.9}
    first, *others = question["criteria"]
    shares = {first: 0.8} | dict.fromkeys(others, 0.2 / max(1, len(others)))
    return {"type": "choice", "choice": first, "confidence": 0.8, "probabilities": shares}


def _handler(server: SystemOneServer) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.next_reply(Received(path=self.path, headers=headers, body=body, at=time.monotonic()))
            try:
                time.sleep(reply.delay)
                answering = reply.answering or _sound
                self._send(reply, answering(body) if reply.body is None else reply.body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client had enough, which some tests are about
            finally:
                server.done()

        def _send(self, reply: Reply, body: bytes) -> None:
            self.send_response(reply.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if not reply.dribble:
                self.wfile.write(body)
                return
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(reply.dribble)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
            """Tests have nothing to read on standard error."""

    return Handler


@contextmanager
def systemone_server(*replies: Reply) -> Iterator[SystemOneServer]:
    """Run a server with these replies on a free port."""
    server = SystemOneServer(list(replies) or [Reply()])
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
