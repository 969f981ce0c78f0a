"""What surrounds every request: its id, one line in the log, and the last answer when something unforeseen failed."""

import re
import time
import uuid

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import telemetry
from app.api.problems import unexpected_response

HEADER = "X-Request-Id"

_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = structlog.get_logger(__name__)


class RequestContext:
    """ASGI middleware: takes over or makes the request id, returns it, and puts it on every line that is logged."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run a request under its id."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if _SANE.fullmatch(given) else uuid.uuid4().hex
        with telemetry.bind(request_id=request_id):
            await self._answer(scope, receive, send, request_id)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        status = 0
        started = time.perf_counter()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except ClientDisconnect:
            _log.debug("client went away", method=scope["method"], path=scope["path"])
            return
        except Exception:
            _log.exception("request failed", method=scope["method"], path=scope["path"])
            if status:
                raise  # half an answer is out: only closing the connection tells the client
            await unexpected_response(scope["path"])(scope, receive, send_with_id)
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        _log.info("request", method=scope["method"], path=scope["path"], status=status, ms=milliseconds)
