"""A local server with OpenAI's chat completions that answers as a test scripts it."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.fakes.systemone_server import JsonDict, Received, Reply

#: What to do with a request, which is the so-manieth, from 1.
ServerScript = Callable[[Received, int], Reply]

NOTE = "The pump P-100 is bolted down before it is started.\nP-100, pump, start, bolt"


def completion(text: str | None = NOTE, *, finish_reason: str = "stop", refusal: str | None = None) -> Reply:
    """A sound answer."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 40,
        "total_tokens": 1040,
        "prompt_tokens_details": {"cached_tokens": 900},
    }
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return Reply(body=json.dumps({"id": "x", "model": "m-1", "choices": [choice], "usage": usage}).encode())


def refusal(status: int, message: str, **headers: str) -> Reply:
    """An error as OpenAI words it; the headers' names have `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=json.dumps({"error": {"message": message}}).encode(), headers=named)


def in_turn(*replies: Reply) -> ServerScript:
    """Reply in this order, with the last one for ever."""
    return lambda _received, number: replies[min(number, len(replies)) - 1]


def prompt_of(received: Received) -> str:
    """What the user's message says."""
    text: str = received.body["messages"][-1]["content"]
    return text


@dataclass
class ChatServer:
    """Keeps what it received."""

    script: ServerScript
    url: str = ""
    received: list[Received] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply_to(self, received: Received) -> Reply:
        with self.lock:
            self.received.append(received)
            self.busy += 1
            self.most_busy = max(self.most_busy, self.busy)
            number = len(self.received)
        return self.script(received, number)

    def done(self) -> None:
        with self.lock:
            self.busy -= 1


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body: JsonDict = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.reply_to(Received(path=self.path, headers=headers, body=body, at=time.monotonic()))
            try:
                time.sleep(reply.delay)
                self._send(reply)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client had enough, which some tests are about
            finally:
                server.done()

        def _send(self, reply: Reply) -> None:
            body = reply.body or b""
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
def chat_server(script: ServerScript | None = None) -> Iterator[ChatServer]:
    """Run a server on a free port; without a script every answer is `NOTE`."""
    server = ChatServer(script or in_turn(completion()))
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
