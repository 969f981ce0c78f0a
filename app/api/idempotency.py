"""Idempotency keys as callers send them (service design, "Idempotency-Key")."""

import hashlib
import json
import re
from typing import Annotated

from fastapi import Header
from pydantic import AfterValidator

from app.documents.job import IdempotencyKey
from app.documents.values import JsonValue

#: What an idempotency key looks like.
IDEMPOTENCY_KEY = r"^[\x20-\x7e]{1,255}$"


def _well_formed(key: str | None) -> str | None:
    if key is not None and not re.fullmatch(IDEMPOTENCY_KEY, key):
        raise ValueError("1 to 255 printable ASCII characters.")
    return key


#: The header of routes that start work.
IdempotencyKeyHeader = Annotated[
    str | None,
    AfterValidator(_well_formed),
    Header(
        alias="Idempotency-Key",
        description="Any string of the caller's: the same request under the same key makes one job."
        " What is answered at once is not remembered.",
        json_schema_extra={"pattern": IDEMPOTENCY_KEY},
    ),
]


def bound(key: str | None, *sent: JsonValue) -> IdempotencyKey | None:
    """Return a caller's key, bound to a hash of what was sent under it, given as JSON values."""
    if key is None:
        return None
    body = json.dumps(sent, sort_keys=True)
    return IdempotencyKey(key=key, body_hash=hashlib.sha256(body.encode()).hexdigest())
