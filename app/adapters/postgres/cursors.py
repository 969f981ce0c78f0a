"""Cursors: the key of the last row of a page, opaque to callers."""

import base64
import json
import re
from typing import TypeGuard

from app.errors import FieldError, InvalidRequest

#: What PostgreSQL's bigint holds.
_LARGEST = 2**63 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")


def encode(*key: str | int) -> str:
    """Return the cursor that stands for a key."""
    written = json.dumps(key, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")


def text_key(cursor: str) -> str:
    """Return the key of a cursor made of one text.

    Raises:
        InvalidRequest: the cursor is another one.
    """
    match _decoded(cursor):
        case [str(key)] if "\0" not in key and not _SURROGATE.search(key):
            return key
    raise _refused()


def number_key(cursor: str) -> int:
    """Return the key of a cursor made of one number.

    Raises:
        InvalidRequest: the cursor is another one.
    """
    match _decoded(cursor):
        case [key] if _is_number(key):
            return key
    raise _refused()


def versioned_key(cursor: str) -> tuple[int, int]:
    """Return the version and the number of a cursor into one document.

    Raises:
        InvalidRequest: the cursor is another one.
    """
    match _decoded(cursor):
        case [version, key] if _is_number(version) and _is_number(key):
            return version, key
    raise _refused()


def stale() -> InvalidRequest:
    """The error for a cursor into something that has changed since."""
    return _invalid("The document has changed since this cursor was made: start again without one.")


def _is_number(value: object) -> TypeGuard[int]:
    # JSON's true is an instance of int too.
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _decoded(cursor: str) -> object:
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        decoded: object = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, RecursionError) as error:
        raise _refused() from error
    return decoded


def _refused() -> InvalidRequest:
    return _invalid("The cursor is not one that this list returned.")


def _invalid(detail: str) -> InvalidRequest:
    return InvalidRequest(detail, errors=(FieldError("cursor", detail),))
