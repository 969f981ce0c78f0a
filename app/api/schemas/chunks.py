"""Chunking a document that isn't stored (chunking design, strategy `topic`; rulings 23 and 36)."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.blocks import BlockInput
from app.api.schemas.common import Answer, AnyJson, Decisions, Flag
from app.api.schemas.config import ConfigKeys
from app.api.schemas.ingestion import FilePart, FormatName, refuse_two_contents
from app.documents.chunk import Chunk, Heading


class ChunkFields(ConfigKeys):
    """How a document is to be cut; the configuration keys stand beside the rest."""

    format: FormatName | None = None
    type: Annotated[FormatName | None, Field(description="Another name for format.")] = None
    strategy: Annotated[Literal["topic"], Field(description="Cut at headings, topic shifts and sizes.")] = "topic"
    use_jev: Annotated[Flag, Field(description="Let a decision model choose the topic cuts.")] = True

    @property
    def declared_format(self) -> str | None:
        """The format that the caller named, by either name."""
        return self.format if self.format is not None else self.type

    @model_validator(mode="after")
    def _one_format(self) -> Self:
        if self.format is not None and self.type is not None and self.format != self.type:
            raise PydanticCustomError(
                "format", "format and type name different formats.", {"fields": ["format", "type"]}
            )
        return self


class ChunkRequest(ChunkFields):
    """A document as text or blocks."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "# Guide\n\n## Fees\n\nA late fee is 5 %.",
                    "format": "markdown",
                    "strategy": "topic",
                    "max_tokens": 600,
                }
            ]
        }
    )

    text: Annotated[str | None, Field(description="The document's text.")] = None
    blocks: Annotated[list[BlockInput] | None, Field(description="The document's blocks, instead of text.")] = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        refuse_two_contents(self.text, self.blocks, self.declared_format)
        return self


class ChunkForm(ChunkFields):
    """A document as a file of a multipart form; the other fields are strings."""

    file: FilePart = None
    text: Annotated[str | None, Field(description="The document's text, instead of a file.")] = None


class ChunkEntry(Answer):
    """A passage ready to be embedded or indexed."""

    index: int
    text: Annotated[str, Field(description="The string to embed: heading path, overlap and body.")]
    content: Annotated[str, Field(description="The body alone.")]
    blocks: Annotated[list[int], Field(description="Input indexes of the blocks that the body holds.")]
    path: Annotated[list[str], Field(description="Headings in effect, outermost first.")]
    heading_path: Annotated[list[str], Field(description="Another name for path.")]
    heading_level: int | None
    section: Annotated[int, Field(description="Number of the section, 0 before the first heading.")]
    tokens: Annotated[int, Field(description="Approximate tokens of text.")]
    overlap: Annotated[int, Field(description="Length of overlap_text in characters.")]
    overlap_text: Annotated[str, Field(description="What is repeated from the chunk before.")]
    topic_start: Annotated[bool, Field(description="A topic cut opened this chunk.")]
    start: Annotated[int | None, Field(description="Code point of the normalized source where the body starts.")]
    end: int | None

    @classmethod
    def from_domain(cls, chunk: Chunk) -> "ChunkEntry":
        """Show a chunk."""
        path = list(chunk.path)
        return cls(
            index=chunk.index,
            text=chunk.text,
            content=chunk.content,
            blocks=list(chunk.blocks),
            path=path,
            heading_path=path,
            heading_level=chunk.heading_level,
            section=chunk.section,
            tokens=chunk.tokens,
            overlap=chunk.overlap,
            overlap_text=chunk.overlap_text,
            topic_start=chunk.topic_start,
            start=chunk.start,
            end=chunk.end,
        )


class OutlineEntry(Answer):
    """A heading of the document."""

    block: Annotated[int, Field(description="Index of the heading's block.")]
    title: str
    level: int

    @classmethod
    def from_domain(cls, heading: Heading) -> "OutlineEntry":
        """Show a heading."""
        return cls(block=heading.block, title=heading.title, level=heading.level)


class ChunkAnswer(Answer):
    """A document's chunks, and how they came about."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "chunks": [
                        {
                            "index": 0,
                            "text": "[Guide > Fees]\n\nA late fee is 5 %.",
                            "content": "A late fee is 5 %.",
                            "blocks": [2],
                            "path": ["Guide", "Fees"],
                            "heading_path": ["Guide", "Fees"],
                            "heading_level": 2,
                            "section": 2,
                            "tokens": 9,
                            "overlap": 0,
                            "overlap_text": "",
                            "topic_start": False,
                            "start": 18,
                            "end": 36,
                        }
                    ],
                    "outline": [
                        {"block": 0, "title": "Guide", "level": 1},
                        {"block": 1, "title": "Fees", "level": 2},
                    ],
                    "used_jev": False,
                    "decisions": {
                        "model": "offline-1",
                        "requests": 0,
                        "questions": 0,
                        "cached": 0,
                        "unanswered": 0,
                        "input_tokens": 0,
                        "cost_usd": 0.0,
                    },
                    "degraded": [],
                    "warnings": [],
                    "options": {"strategy": "topic", "format": "markdown", "use_jev": True, "max_tokens": 600},
                }
            ]
        }
    )

    chunks: list[ChunkEntry]
    outline: list[OutlineEntry]
    used_jev: Annotated[bool, Field(description="A decision model chose the topic cuts.")]
    decisions: Decisions
    degraded: list[str]
    warnings: list[str]
    options: Annotated[dict[str, AnyJson], Field(description="Every option with the value that was in force.")]
