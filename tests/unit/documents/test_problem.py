import inspect

import pytest

from app import errors
from app.documents.problem import STATUS, problem, problem_object, status_of
from app.errors import AppError, FieldError

ERRORS = [member for _, member in inspect.getmembers(errors, inspect.isclass) if issubclass(member, AppError)]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_but_the_root_has_a_status_of_its_own_meaning(error: type[AppError]) -> None:
    assert error is AppError or status_of(error) != STATUS[AppError]


def test_codes_name_one_class_each() -> None:
    assert len({error.code for error in ERRORS}) == len(ERRORS)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.MalformedRequest, 400),
        (errors.JobNotFound, 404),
        (errors.IdempotencyConflict, 409),
        (errors.PreconditionFailed, 412),
        (errors.TooLarge, 413),
        (errors.UnknownFormat, 415),
        (errors.MalformedDocument, 422),
        (errors.DatabaseUnavailable, 503),
    ],
)
def test_statuses_are_those_of_the_service_design(error: type[AppError], status: int) -> None:
    assert status_of(error) == status


def test_a_problem_says_what_happened() -> None:
    assert problem(errors.MalformedDocument("Line 3 holds a PNG image.")) == {
        "type": "urn:context-atlas:problem:malformed",
        "title": "The document is malformed",
        "status": 422,
        "detail": "Line 3 holds a PNG image.",
    }


def test_a_problem_lists_the_fields_at_fault() -> None:
    error = errors.InvalidRequest("One field is wrong.", errors=(FieldError("/query", "Must not be empty."),))

    assert problem(error)["errors"] == [{"pointer": "/query", "detail": "Must not be empty."}]


def test_a_problem_object_needs_no_error_class() -> None:
    assert problem_object("gone", "Gone", 410, "It left.") == {
        "type": "urn:context-atlas:problem:gone",
        "title": "Gone",
        "status": 410,
        "detail": "It left.",
    }
