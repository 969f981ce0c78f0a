"""Everything that goes wrong, as `application/problem+json` (service design, "Errors"; RFC 9457).

Which status an error class has is said once, in `app.documents.problem`; here stand the answers made of it, those of
the framework's own errors included.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Match

from app.documents.problem import problem, problem_object, status_of
from app.documents.values import JsonObject
from app.errors import AppError, FieldError, InvalidRequest, Unavailable

MEDIA_TYPE = "application/problem+json"
#: Seconds after which something unavailable is worth another try.
RETRY_AFTER_SECONDS = 5

#: Fields that one answer lists at most, and characters of a name that it repeats.
MAX_FIELDS = 50
MAX_NAME = 100

_log = structlog.get_logger(__name__)
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class FieldProblem(BaseModel):
    """What is wrong with one field."""

    model_config = ConfigDict(frozen=True)

    pointer: Annotated[
        str, Field(description="JSON pointer into the request body, or the name of a parameter or header.")
    ]
    detail: str


class Problem(BaseModel):
    """An error as RFC 9457 describes it."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:context-atlas:problem:invalid-request",
                    "title": "The request has invalid values",
                    "status": 422,
                    "detail": "Field required",
                    "instance": "/v1/retrieve",
                    "errors": [{"pointer": "/query", "detail": "Field required"}],
                }
            ]
        },
    )

    type: Annotated[str, Field(description="What kind of problem this is; stable, for programs.")]
    title: Annotated[str, Field(description="The kind of problem, for people.")]
    status: Annotated[int, Field(ge=400, le=599)]
    detail: Annotated[str, Field(description="What happened this time, and what to do about it.")]
    instance: Annotated[str | None, Field(description="Path of the request.")] = None
    errors: Annotated[list[FieldProblem], Field(default_factory=list, description="The fields at fault.")]


def problem_response(members: JsonObject, path: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer that carries a problem object."""
    return JSONResponse(
        {**members, "instance": path},
        status_code=int(str(members["status"])),
        headers=dict(headers or {}),
        media_type=MEDIA_TYPE,
    )


def error_response(error: AppError, path: str) -> Response:
    """Return the answer to a request that failed with one of our errors."""
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if isinstance(error, Unavailable) else None
    return problem_response(problem(error), path, headers)


def unexpected_response(path: str) -> Response:
    """Return the answer to a request that failed for a reason nobody foresaw: it tells nothing of it."""
    detail = "Something went wrong here. The log has the details under the answer's X-Request-Id."
    return problem_response(problem_object("internal", "The service failed", 500, detail), path)


def invalid_request(errors: Sequence[Mapping[str, Any]]) -> InvalidRequest:
    """Return pydantic's validation errors as ours: a pointer and a sentence each, without what was sent."""
    fields = [field for error in errors[:MAX_FIELDS] for field in _fields(error)]
    more = f" The first {MAX_FIELDS} are listed." if len(errors) > MAX_FIELDS else ""
    subject = fields[0].detail if len(errors) == 1 else f"{len(errors)} values are invalid."
    return InvalidRequest(f"{subject}{more}", errors=tuple(fields))


def _fields(error: Mapping[str, Any]) -> list[FieldError]:
    """The fields that one validation error is about: a check across fields names them in its context."""
    pointer = _pointer(error["loc"])
    sentence = str(error["msg"]).removeprefix("Value error, ")
    names = error.get("ctx", {}).get("fields")
    return [FieldError(f"{pointer}/{name}", sentence) for name in names] if names else [FieldError(pointer, sentence)]


def _pointer(loc: Sequence[str | int]) -> str:
    where, *rest = loc or ("body",)
    if where in {"query", "path", "header"}:
        return str(rest[0])[:MAX_NAME] if rest else str(where)
    return "".join(f"/{str(step)[:MAX_NAME].replace('~', '~0').replace('/', '~1')}" for step in rest)


def install(app: FastAPI) -> None:
    """Make every error of the routes, and of the routing itself, a problem."""
    app.add_exception_handler(AppError, _on_app_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_error)


async def _on_app_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, AppError) or status_of(type(error)) == HTTPStatus.INTERNAL_SERVER_ERROR:
        raise error
    if isinstance(error, Unavailable):
        _log.warning("unavailable", code=error.code, detail=error.detail)
    return error_response(error, request.url.path)


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    return error_response(invalid_request(error.errors()), request.url.path)


async def _on_http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    path = request.url.path
    headers = dict(error.headers or {})
    if status == HTTPStatus.NOT_FOUND:
        detail = "There is nothing at this path."
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = allowed = ", ".join(_allowed_methods(request))
        detail = f"{request.method} is not possible here; possible: {allowed}."
    else:
        detail = str(error.detail)
    code = status.phrase.lower().replace(" ", "-")
    return problem_response(problem_object(code, status.phrase, status.value, detail), path, headers)


def _allowed_methods(request: Request) -> list[str]:
    """The methods that some route takes at this path: several routes may share one path, each with its own."""
    routes = request.app.router.routes
    return [
        method
        for method in _METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)
    ]
