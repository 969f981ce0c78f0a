"""What a caller hands in to be ingested."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.blocks import BlockInput
from app.api.schemas.common import AnyJson, CollectionName, DocumentId, Flag, Request
from app.api.schemas.config import ConfigKeys
from app.documents.profile import Profile

FormatName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="Format of the document (`GET /v1/formats`); unset: by file name, content type and content.",
        examples=["markdown"],
    ),
]

#: Where a form's file stands in the OpenAPI document; the file itself is streamed and never passes through a model.
FilePart = Annotated[
    None, WithJsonSchema({"type": "string", "format": "binary", "description": "The document, as a file."})
]


class IngestFields(Request):
    """What can be said about a document, however it is sent."""

    id: Annotated[DocumentId | None, Field(description="Unset: one is made.")] = None
    format: FormatName | None = None
    title: Annotated[str | None, Field(max_length=1000, description="Unset: the document's own.")] = None
    profile: Annotated[
        Profile | None, Field(description="What kind of text it is; unset: found out. Data files are markup.")
    ] = None
    metadata: Annotated[
        dict[str, AnyJson], Field(default_factory=dict, description="Kept with the document, untouched.")
    ]
    collection: CollectionName = "default"
    config: ConfigKeys = ConfigKeys()
    force: Annotated[Flag, Field(description="Ingest again even if nothing changed.")] = False
    callback_url: Annotated[None, Field(description="Callbacks are not available yet.")] = None

    @property
    def declared_format(self) -> str | None:
        """The format that the caller named."""
        return self.format


class IngestRequest(IngestFields):
    """A document as text or blocks."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "returns-policy",
                    "text": "# Returns\n\n## Refunds\n\nA refund is paid within 14 days of the return.",
                    "format": "markdown",
                    "title": "Returns policy",
                    "config": {"max_tokens": 600},
                }
            ]
        }
    )

    text: Annotated[str | None, Field(description="The document's text.")] = None
    blocks: Annotated[list[BlockInput] | None, Field(description="The document's blocks, instead of text.")] = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        refuse_two_contents(self.text, self.blocks, self.format)
        return self


class IngestForm(IngestFields):
    """A document as a file of a multipart form; the other fields are strings, objects among them as JSON."""

    file: FilePart = None
    text: Annotated[str | None, Field(description="The document's text, instead of a file.")] = None


def refuse_two_contents(text: str | None, blocks: list[BlockInput] | None, declared: str | None) -> None:
    """Raise pydantic's error unless there is either text or blocks, in a format that fits."""
    if (text is None) == (blocks is None):
        raise PydanticCustomError("content", "Send either text or blocks.", {"fields": ["text", "blocks"]})
    if blocks is not None and declared not in {None, "blocks"}:
        raise PydanticCustomError("format", "Blocks have the format 'blocks'.", {"fields": ["format"]})
