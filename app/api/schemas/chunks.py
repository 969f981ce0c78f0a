"""Documents to be cut, and their chunks (chunking design; rulings 23, 31 and 36)."""

from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from app.api.problems import Problem
from app.api.schemas.blocks import BlockInput
from app.api.schemas.chunk_options import ChunkOptions, SourceName
from app.api.schemas.common import Answer, AnyJson, Decisions, Request
from app.api.schemas.contextualize import ChatUsageAnswer, NoteFailureAnswer
from app.api.schemas.ingestion import FilePart, FormatName
from app.documents.budget import Embed
from app.documents.chunk import Chunk, Heading, chunk_id

#: Documents of one call.
MAX_BATCH = 100
#: Every way to hand a document in as JSON.
_CONTENTS = ("text", "blocks", "base64")


class Described(Request):
    """What a document's format is, by either name."""

    format: FormatName | None = None
    type: Annotated[FormatName | None, Field(description="Another name for format; `auto` is the same as unset.")] = (
        None
    )

    @property
    def declared_format(self) -> str | None:
        """The format that the caller named."""
        named = self.format if self.format is not None else self.type
        return None if named == "auto" else named

    @model_validator(mode="after")
    def _one_format(self) -> Self:
        if self.format is not None and self.type is not None and self.format != self.type:
            raise PydanticCustomError(
                "format", "format and type name different formats.", {"fields": ["format", "type"]}
            )
        return self


class DocumentInput(Described):
    """A document as text, as blocks, or as a file's bytes."""

    text: Annotated[str | None, Field(description="The document's text.")] = None
    blocks: Annotated[list[BlockInput] | None, Field(description="The document's blocks, instead of text.")] = None
    base64: Annotated[str | None, Field(description="A file's bytes in base64, instead of text.")] = None
    name: Annotated[
        str | None, Field(max_length=1000, description="The file's name; its extension may tell the format.")
    ] = None

    @property
    def contents(self) -> list[str]:
        """The fields that hold a document."""
        return [name for name in _CONTENTS if getattr(self, name) is not None]

    def refuse_wrong_content(self, *others: str) -> None:
        """Raise pydantic's error unless there is one document, in a format that fits; `others` are more ways to one."""
        fields = [*_CONTENTS, *others]
        if len([name for name in fields if getattr(self, name) is not None]) != 1:
            choice = f"{', '.join(fields[:-1])} or {fields[-1]}"
            raise PydanticCustomError("content", "Send exactly one of {choice}.", {"choice": choice, "fields": fields})
        if self.blocks is not None and self.declared_format not in {None, "blocks"}:
            raise PydanticCustomError("format", "Blocks have the format 'blocks'.", {"fields": ["format"]})


class ChunkDocumentInput(DocumentInput):
    """A document of a batch."""

    source: SourceName | None = None
    metadata: Annotated[dict[str, AnyJson] | None, Field(description="Copied to every chunk of this document.")] = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        self.refuse_wrong_content()
        return self


class ChunkRequest(ChunkOptions, DocumentInput):
    """One document, or up to 100 in `documents`, and how to cut them; nothing is stored."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "# Guide\n\n## Fees\n\nA late fee is 5 %.",
                    "format": "markdown",
                    "strategy": "budget",
                    "chunk_size": 1024,
                    "source": "guide",
                }
            ]
        }
    )

    documents: Annotated[
        list[ChunkDocumentInput] | None,
        Field(min_length=1, max_length=MAX_BATCH, description="Several documents, cut alike, answered in order."),
    ] = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        self.refuse_wrong_content("documents")
        if self.documents is not None:
            wrong = [name for name in ("format", "type", "name") if getattr(self, name) is not None]
            if wrong:
                raise PydanticCustomError("content", "Say this of each document.", {"fields": wrong})
        return self


class ChunkForm(ChunkOptions, Described):
    """Documents as files of a multipart form; numbers, flags and objects are JSON."""

    file: FilePart = None
    text: Annotated[str | None, Field(description="The document's text, instead of a file.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What all chunks of one document share."""

    source: str
    metadata: dict[str, JsonValue]
    format: str
    embed: Embed
    total: int


class ChunkEntry(Answer):
    """A passage ready to be embedded or indexed."""

    id: Annotated[str, Field(description="Stable: the source's name, the index, and the start of the hash.")]
    hash: Annotated[str, Field(description="SHA-256 of content.")]
    index: int
    total: Annotated[int, Field(description="Chunks of the document.")]
    text: Annotated[str, Field(description="The string to embed, as `embed` says: header, context, overlap and body.")]
    content: Annotated[str, Field(description="The body alone.")]
    header: Annotated[str, Field(description="The heading path as it stands in front of the body.")]
    context: Annotated[str, Field(description="Retrieval note, empty until one is written.")]
    embed: Embed
    type: Annotated[str, Field(description="The document's format.")]
    blocks: Annotated[list[int], Field(description="Input indexes of the blocks that the body holds.")]
    block_types: list[str]
    path: Annotated[list[str], Field(description="Headings in effect, outermost first.")]
    heading_path: Annotated[list[str], Field(description="Another name for path.")]
    path_truncated: Annotated[bool, Field(description="The path was too long for the budget and is shortened.")]
    breadcrumb: Annotated[str, Field(description="The path as one line.")]
    heading: Annotated[str | None, Field(description="The nearest heading.")]
    heading_level: int | None
    section: Annotated[int, Field(description="Number of the section, 0 before the first heading.")]
    sections: Annotated[list[str], Field(description="Heading paths of every section that the body touches.")]
    length: Annotated[int, Field(description="Characters of text.")]
    tokens: Annotated[int, Field(description="Tokens of text; approximate in strategy topic.")]
    overlap: Annotated[int, Field(description="Size of overlap_text, in the unit that sizes were asked for in.")]
    overlap_text: Annotated[str, Field(description="What is repeated from the chunk before.")]
    topic_start: Annotated[bool, Field(description="A topic cut opened this chunk.")]
    start: Annotated[
        int | None,
        Field(description="Code point of the normalized source where the body starts, for formats with a source text."),
    ]
    end: int | None
    page: Annotated[int | None, Field(description="Page that the chunk starts on, where the reader knows pages.")]
    pages: list[int]
    synthetic: Annotated[
        bool, Field(description="content is no literal slice of the source: something is repeated or taken out.")
    ]
    metadata: dict[str, AnyJson]
    over_budget: Annotated[
        bool | None, Field(description="Of chunks with notes: text is larger than chunk_size, as of a note set before.")
    ] = None

    @classmethod
    def from_domain(cls, chunk: Chunk, facts: DocumentFacts) -> "ChunkEntry":
        """Show a chunk of a document."""
        path, digest = list(chunk.path), chunk.hash
        return cls.model_construct(
            id=chunk_id(facts.source, chunk.index, digest),
            hash=digest,
            index=chunk.index,
            total=facts.total,
            text=chunk.text,
            content=chunk.content,
            header=chunk.header,
            context="",
            embed=facts.embed,
            type=facts.format,
            blocks=list(chunk.blocks),
            block_types=list(chunk.block_types),
            path=path,
            heading_path=path,
            path_truncated=chunk.path_truncated,
            breadcrumb=chunk.breadcrumb,
            heading=path[-1] if path else None,
            heading_level=chunk.heading_level,
            section=chunk.section,
            sections=list(chunk.sections),
            length=len(chunk.text),
            tokens=chunk.tokens,
            overlap=chunk.overlap,
            overlap_text=chunk.overlap_text,
            topic_start=chunk.topic_start,
            start=chunk.start,
            end=chunk.end,
            page=chunk.pages[0] if chunk.pages else None,
            pages=list(chunk.pages),
            synthetic=chunk.synthetic,
            metadata=facts.metadata,
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


class ChunkResult(Answer):
    """A document's chunks, and how they came about; or, in a batch, why there are none."""

    chunks: list[ChunkEntry] = Field(default_factory=list)
    outline: list[OutlineEntry] = Field(default_factory=list)
    used_jev: Annotated[bool, Field(description="A decision model chose the topic cuts.")] = False
    decisions: Decisions | None = None
    degraded: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    options: dict[str, AnyJson] = Field(
        default_factory=dict, description="Every option with the value that was in force."
    )
    failures: list[NoteFailureAnswer] = Field(
        default_factory=list, description="Chunks that got no note, where notes were asked for."
    )
    usage: Annotated[ChatUsageAnswer | None, Field(description="What asking for notes took.")] = None
    error: Annotated[Problem | None, Field(description="Of a document in a batch that can't be cut.")] = None


class ChunkAnswer(ChunkResult):
    """The chunks of one document; for a batch, `results` and nothing else."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "chunks": [
                        {
                            "id": "guide#0-f76f2e24",
                            "hash": "f76f2e24d2e0e4d22ec5e4e7b9a8ea9f5b0f7c9d7a3f7d9d6c1b8e4a2f3c5d6e",
                            "index": 0,
                            "total": 1,
                            "text": "[Guide > Fees]\n\n# Guide\n\n## Fees\n\nA late fee is 5 %.",
                            "content": "# Guide\n\n## Fees\n\nA late fee is 5 %.",
                            "header": "[Guide > Fees]",
                            "context": "",
                            "embed": "full",
                            "type": "markdown",
                            "blocks": [0, 1, 2],
                            "block_types": ["heading", "paragraph"],
                            "path": ["Guide", "Fees"],
                            "heading_path": ["Guide", "Fees"],
                            "path_truncated": False,
                            "breadcrumb": "Guide > Fees",
                            "heading": "Fees",
                            "heading_level": 2,
                            "section": 1,
                            "sections": ["Guide", "Guide > Fees"],
                            "length": 52,
                            "tokens": 18,
                            "overlap": 0,
                            "overlap_text": "",
                            "topic_start": False,
                            "start": 0,
                            "end": 36,
                            "page": None,
                            "pages": [],
                            "synthetic": False,
                            "metadata": {},
                        }
                    ],
                    "outline": [
                        {"block": 0, "title": "Guide", "level": 1},
                        {"block": 1, "title": "Fees", "level": 2},
                    ],
                    "used_jev": False,
                    "decisions": {
                        "model": None,
                        "requests": 0,
                        "questions": 0,
                        "cached": 0,
                        "unanswered": 0,
                        "input_tokens": 0,
                        "cost_usd": 0.0,
                    },
                    "degraded": [],
                    "warnings": [],
                    "options": {"strategy": "budget", "format": "markdown", "chunk_size": 1024, "overlap": 128},
                }
            ]
        }
    )

    results: Annotated[
        list[ChunkResult] | None, Field(description="Of a batch: one entry for each document, in order.")
    ] = None
