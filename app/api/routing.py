"""The router of this API: JSON bodies are read strictly, and nothing that a caller sends is silently ignored."""

import asyncio
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, ParamSpec, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from app.api import strict_json
from app.api.strict_json import Json, Parsed
from app.errors import FieldError, InvalidRequest, MalformedRequest

#: A body this large is handled beside the event loop.
THREAD_FROM_BYTES = 128 * 1024


Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


class StrictRequest(Request):
    """A request whose JSON body was read by our own rules."""

    parsed: Parsed

    async def json(self) -> Json:
        """Return the body as it was read."""
        return self.parsed.value


class StrictRoute(APIRoute):
    """Refuses unknown query parameters, and bodies that are not JSON; says which and where."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return FastAPI's handler behind our own reading of query and body."""
        handle = super().get_route_handler()
        known = _query_names(self.dependant)
        takes_json = self.body_field is not None

        async def handle_strictly(request: Request) -> Response:
            _refuse_unknown(request, known)
            if not takes_json:
                return await handle(request)
            strict = StrictRequest(request.scope, request.receive)
            strict.parsed = await read_json(strict)
            return await handle(strict)

        return handle_strictly


def strict_router(tag: str) -> APIRouter:
    """Return a router for the routes of one tag."""
    return APIRouter(tags=[tag], route_class=StrictRoute)


def media_type(request: Request) -> str:
    """Return the body's content type without parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_json(request: Request) -> Parsed:
    """Return the JSON body of a request.

    Raises:
        HTTPException: 415, the body is said to be something else.
        MalformedRequest: it is not JSON by our rules (`strict_json`).
    """
    body = await request.body()
    if not body.strip():
        raise MalformedRequest("The request has no body: send a JSON object.")
    if not is_json(media_type(request)):
        raise wrong_media_type(request, "application/json")
    return await beside_the_loop(len(body), strict_json.parse, body)


async def beside_the_loop(
    size: int, function: Callable[Arguments, Returned], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Returned:
    """Call a function whose work grows with `size` bytes: in a thread, unless that costs more than the work."""
    if size < THREAD_FROM_BYTES:
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)


def is_json(name: str) -> bool:
    """True for `application/json` and its kin, such as `application/merge-patch+json`."""
    return name == "application/json" or (name.startswith("application/") and name.endswith("+json"))


def wrong_media_type(request: Request, *accepted: str) -> HTTPException:
    """Return the error that names the content types accepted here."""
    sent = media_type(request)
    said = f"The content type {sent[:100]} is" if sent else "A body without a content type is"
    return HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"{said} not accepted here; send {' or '.join(accepted)}.")


def _query_names(dependant: Dependant) -> frozenset[str]:
    own = frozenset(field.alias for field in dependant.query_params)
    return own.union(*(_query_names(one) for one in dependant.dependencies))


def _refuse_unknown(request: Request, known: frozenset[str]) -> None:
    given = [name for name, _ in request.query_params.multi_items()]
    names = ", ".join(sorted(known)) or "none"
    errors = [
        FieldError(name[:100], f"Unknown query parameter; known: {names}.") for name in given if name not in known
    ]
    errors += [FieldError(name, "Given more than once.") for name in sorted(known) if given.count(name) > 1]
    if errors:
        raise InvalidRequest("The query string is not understood.", errors=tuple(errors[:50]))
