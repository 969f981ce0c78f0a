"""Multipart forms: files, spooled to disk while they arrive, beside fields of the JSON request's names."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import Request
from starlette.datastructures import UploadFile

from app.api import strict_json
from app.api.strict_json import Json
from app.errors import FieldError, InvalidRequest, MalformedRequest

MEDIA_TYPE = "multipart/form-data"
#: Fields that a form may have; more than any request knows, so that unknown ones are named rather than counted.
MAX_FIELDS = 100

#: Fields whose value is the text itself. Every other field is JSON: a number, true, false, null or an object.
_TEXT_FIELDS = frozenset(
    {
        *("collection", "format", "id", "profile", "strategy", "text", "title", "type"),
        *("embed", "encoding", "header", "source", "unit"),
    }
)


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form as JSON values, its files, and what was changed to make them storable."""

    values: Mapping[str, Json]
    files: tuple[UploadFile, ...]
    warnings: tuple[str, ...]


@asynccontextmanager
async def read_form(request: Request, *, max_bytes: int, max_files: int) -> AsyncIterator[Form]:
    """Read a form; its files are closed at the end of the block.

    Raises:
        HTTPException: 400, it is not a form, or has more than `max_files` files.
        InvalidRequest: a field is given twice, or its JSON can't be read.
    """
    async with request.form(max_files=max_files, max_fields=MAX_FIELDS, max_part_size=max_bytes) as form:
        files: list[UploadFile] = []
        values: dict[str, Json] = {}
        warnings: tuple[str, ...] = ()
        for name, value in form.multi_items():
            if name in values or (name == "file" and len(files) == max_files):
                raise _field_error(name, "Given more than once.")
            if isinstance(value, UploadFile):
                if name != "file":
                    raise _field_error(name, "Only the field 'file' may hold a file.")
                files.append(value)
            elif name == "file":
                raise _field_error(name, "Send it as a file, with a file name.")
            else:
                values[name], warned = _value(name, value)
                warnings = tuple(dict.fromkeys((*warnings, *warned)))
        yield Form(values, tuple(files), warnings)


def _value(name: str, value: str) -> tuple[Json, tuple[str, ...]]:
    if name in _TEXT_FIELDS:
        return value, ()
    try:
        parsed = strict_json.parse(value.encode())
    except MalformedRequest as error:
        raise _field_error(name, f"This field is JSON. {error.detail}") from error
    return parsed.value, parsed.warnings


def _field_error(name: str, detail: str) -> InvalidRequest:
    return InvalidRequest(detail, errors=(FieldError(f"/{name[:100]}", detail),))
