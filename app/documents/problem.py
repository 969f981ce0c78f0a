"""Errors as problem objects, the same in an answer and in a job's `error` (service design, "Errors"; RFC 9457).

The one table from error class to HTTP status stands here, below everything that shows a problem: the API answers with
it, and a failed job carries the status that an answer would have had.
"""

from app import errors
from app.documents.values import JsonObject

#: A problem's `type` is this, followed by the error's `code`.
TYPE_PREFIX = "urn:context-atlas:problem:"

#: A class that is not here has the status of its nearest ancestor that is.
STATUS: dict[type[errors.AppError], int] = {
    errors.AppError: 500,
    errors.BadInput: 422,
    errors.MalformedRequest: 400,
    errors.UnknownFormat: 415,
    errors.TooLarge: 413,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.PreconditionFailed: 412,
    errors.Unavailable: 503,
    errors.JobCancelled: 409,
    errors.LeaseLost: 409,
}


def status_of(error: type[errors.AppError]) -> int:
    """Return the HTTP status of an error class."""
    return next(STATUS[ancestor] for ancestor in error.__mro__ if ancestor in STATUS)


def problem(error: errors.AppError) -> JsonObject:
    """Return the problem object of an error: type, title, status, detail, and `errors` where fields are at fault."""
    members = problem_object(error.code, error.title, status_of(type(error)), error.detail)
    if not error.errors:
        return members
    return {**members, "errors": [{"pointer": field.pointer, "detail": field.detail} for field in error.errors]}


def problem_object(code: str, title: str, status: int, detail: str) -> dict[str, str | int]:
    """Return a problem object that no error class stands for, such as an unexpected failure."""
    return {"type": f"{TYPE_PREFIX}{code}", "title": title, "status": status, "detail": detail}
