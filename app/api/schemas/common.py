"""Types that several requests and answers share."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from app.documents.job import DecisionUse

#: Characters that a question may have.
MAX_QUERY = 10_000
#: Document ids that a question may be limited to.
MAX_DOCUMENTS = 10_000
#: Entries of one page of a list.
MAX_PAGE = 200
#: Seconds that a request may wait for a job.
MAX_WAIT = 60

_CONTROL_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NO_CONTROL_CHARACTERS = r"^[^\u0000-\u001f\u007f-\u009f]*$"


def _without_control_characters(value: str) -> str:
    if _CONTROL_CHARACTER.search(value):
        raise ValueError("Control characters are not allowed.")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("Must not be blank.")
    return value


DocumentId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=512,
        description="Id of a document: 1 to 512 characters, no control characters.",
        examples=["returns-policy"],
        json_schema_extra={"pattern": _NO_CONTROL_CHARACTERS},
    ),
    AfterValidator(_without_control_characters),
]
CollectionName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=128,
        description="Name of a collection: 1 to 128 characters, no control characters.",
        examples=["default"],
        json_schema_extra={"pattern": _NO_CONTROL_CHARACTERS},
    ),
    AfterValidator(_without_control_characters),
]
QueryText = Annotated[
    str,
    Field(min_length=1, max_length=MAX_QUERY, description="A question.", json_schema_extra={"pattern": r"\S"}),
    AfterValidator(_not_blank),
]
#: Any JSON value, kept as it is.
AnyJson = Annotated[JsonValue, WithJsonSchema({"description": "Any JSON value."})]
#: A JSON number without a fraction; neither a string nor a boolean is taken for one.
Integer = Annotated[int, Field(strict=True)]
#: A JSON number; neither a string nor a boolean is taken for one.
Number = Annotated[float, Field(strict=True)]
#: true or false and nothing else.
Flag = Annotated[bool, Field(strict=True)]
DocumentIds = Annotated[
    list[DocumentId],
    Field(
        max_length=MAX_DOCUMENTS,
        description="Ids of the only documents that may be used; null is all of them, an empty list is none.",
    ),
]


class Request(BaseModel):
    """A body that a caller sends: fields that are not known are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(BaseModel):
    """A body that the service sends."""

    model_config = ConfigDict(frozen=True, json_schema_mode_override="serialization")


class Decisions(Answer):
    """What asking the decision model took."""

    model: str | None
    requests: int
    questions: int
    cached: int
    unanswered: int
    input_tokens: int
    cost_usd: float

    @classmethod
    def from_domain(cls, use: DecisionUse) -> "Decisions":
        """Show what a piece of work used."""
        return cls(
            model=use.model,
            requests=use.requests,
            questions=use.questions,
            cached=use.cached,
            unanswered=use.unanswered,
            input_tokens=use.input_tokens,
            cost_usd=use.cost_usd,
        )
