"""What a caller hands in to be appended to a document."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from app.api.schemas.blocks import BlockInput
from app.api.schemas.common import CollectionName, DocumentId, Request
from app.api.schemas.config import ConfigKeys
from app.api.schemas.ingestion import FilePart, FormatName, refuse_two_contents


class AppendFields(Request):
    """What can be said about an addition, however it is sent."""

    id: Annotated[DocumentId, Field(description="The document.", examples=["session-42"])]
    format: FormatName | None = None
    collection: CollectionName = "default"
    config: Annotated[
        ConfigKeys, Field(description="For this addition; unset keys are as when the document was ingested.")
    ] = ConfigKeys()

    @property
    def declared_format(self) -> str | None:
        """The format that the caller named."""
        return self.format


class AppendRequest(AppendFields):
    """An addition as text or blocks."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "session-42",
                    "blocks": [
                        {
                            "type": "paragraph",
                            "text": "The pump runs again.",
                            "meta": {"speaker": "Ana", "time": "2026-11-30T09:00:00Z"},
                        }
                    ],
                }
            ]
        },
    )

    text: Annotated[str | None, Field(description="The text to append.")] = None
    blocks: Annotated[list[BlockInput] | None, Field(description="The blocks to append, instead of text.")] = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        refuse_two_contents(self.text, self.blocks, self.format)
        return self


class AppendForm(AppendFields):
    """An addition as a file of a multipart form; the other fields are strings, objects among them as JSON."""

    file: FilePart = None
    text: Annotated[str | None, Field(description="The text to append, instead of a file.")] = None
