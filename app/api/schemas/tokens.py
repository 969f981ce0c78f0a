"""Counting tokens (chunking design, "Text rules")."""

from typing import Annotated

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Request
from app.text.encodings import DEFAULT_ENCODING


class TokensRequest(Request):
    """A text to be measured."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"text": "A late fee of 5 euros is due after 30 days.", "encoding": DEFAULT_ENCODING}]
        }
    )

    text: str
    encoding: Annotated[
        str,
        Field(
            max_length=100,
            description="cl100k_base or o200k_base; p50k_base or r50k_base, which are downloaded when first used; or"
            " the name of an OpenAI model, for the encoding that it uses.",
        ),
    ] = DEFAULT_ENCODING


class TokensAnswer(Answer):
    """The size of a text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tokens": 14, "encoding": DEFAULT_ENCODING}]})

    tokens: int
    encoding: Annotated[str, Field(description="The encoding that was used, also when a model was named.")]
