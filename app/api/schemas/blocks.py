"""Blocks as callers send them (readers design, "Block list")."""

import json
from typing import Annotated, Self

from pydantic import Field, JsonValue, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import AnyJson, Request
from app.api.strict_json import Json
from app.documents.block import BlockType

#: Deepest heading level.
MAX_LEVEL = 9


class BlockInput(Request):
    """One block of a document that the caller has read."""

    type: BlockType
    text: str
    level: Annotated[
        JsonValue,
        WithJsonSchema({"description": f"Level of a heading, 1 (the top) to {MAX_LEVEL}; ignored on other types."}),
    ] = None
    meta: Annotated[dict[str, AnyJson] | None, Field(description="Kept with the block, untouched.")] = None

    @model_validator(mode="after")
    def _heading_has_level(self) -> Self:
        level = self.level
        if self.type is BlockType.HEADING and (
            isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= MAX_LEVEL
        ):
            raise PydanticCustomError(
                "heading_level",
                "A heading needs a level from 1 to {highest}.",
                {"highest": MAX_LEVEL, "fields": ["level"]},
            )
        return self


def as_payload(blocks: Json) -> bytes:
    """Return blocks, already checked, as the block reader's format: a JSON list as they were sent."""
    return json.dumps(blocks, ensure_ascii=False, separators=(",", ":")).encode()
