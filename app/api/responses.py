"""What routes declare about their answers for the OpenAPI document."""

from typing import Any, TypeAlias

from pydantic import BaseModel

from app.api.problems import Problem

Responses: TypeAlias = dict[int | str, dict[str, Any]]

_PROBLEMS = {
    400: "The request can't be parsed.",
    404: "There is no such thing.",
    409: "The request conflicts with the current state.",
    412: "The document has another version.",
    413: "The body is over the limit.",
    415: "The content type or the format is not accepted.",
    422: "A value is wrong, or the document can't be read.",
    500: "The service failed.",
    503: "Something that the service needs does not answer.",
}
_RETRY_AFTER = {"Retry-After": {"description": "Seconds after which to try again.", "schema": {"type": "integer"}}}


def problems(*statuses: int) -> Responses:
    """Declare the problems of an operation; every one may fail with 500 and 503, and refuses unknown parameters."""
    declared: Responses = {
        status: {"model": Problem, "description": _PROBLEMS[status]} for status in sorted({*statuses, 422, 500, 503})
    }
    declared[503]["headers"] = _RETRY_AFTER
    return declared


def body_problems(*statuses: int) -> Responses:
    """Declare the problems of an operation that takes a body."""
    return problems(400, 413, 415, *statuses)


def request_body(json_model: type[BaseModel], form_model: type[BaseModel]) -> dict[str, Any]:
    """Declare a body that is JSON or a form; `app.api.openapi` adds the models to the document's components."""
    return {
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"$ref": f"#/components/schemas/{json_model.__name__}"}},
                "multipart/form-data": {"schema": {"$ref": f"#/components/schemas/{form_model.__name__}"}},
            },
        }
    }
