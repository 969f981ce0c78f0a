"""The limit on a request's body, kept while it arrives: nothing past the limit is ever held.

A declared length over the limit is refused before a byte is read; a body without one is counted as it comes.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import error_response
from app.errors import MalformedRequest, TooLarge

MEGABYTE = 1024 * 1024


class BodyLimit:
    """ASGI middleware that refuses bodies over `max_bytes`."""

    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "0")
        if not (declared.isascii() and declared.isdigit()):
            error = MalformedRequest("The header Content-Length is not a number.")
            await error_response(error, scope["path"])(scope, receive, send)
            return
        if len(declared) > len(str(self._max_bytes)) or int(declared) > self._max_bytes:
            await error_response(self._too_large(), scope["path"])(scope, receive, send)
            return
        await self._app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        arrived = 0

        async def counted() -> Message:
            nonlocal arrived
            message = await receive()
            if message["type"] == "http.request":
                arrived += len(message.get("body", b""))
                if arrived > self._max_bytes:
                    raise self._too_large()
            return message

        return counted

    def _too_large(self) -> TooLarge:
        return TooLarge(
            f"The body is larger than {self._max_bytes:,} bytes"
            f" ({self._max_bytes / MEGABYTE:g} MB), the most that this service takes (MAX_UPLOAD_MB)."
        )
