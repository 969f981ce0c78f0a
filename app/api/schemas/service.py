"""What the service says about itself."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer


class LiveAnswer(Answer):
    """The process answers."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "ok"}]})

    status: Literal["ok"] = "ok"


class ReadyAnswer(Answer):
    """Everything that the service needs answers."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "status": "ready",
                    "checks": {"postgres": "ok", "migrations": "ok", "redis": "ok", "worker": "ok"},
                }
            ]
        }
    )

    status: Literal["ready"] = "ready"
    checks: dict[str, str]


class LimitsAnswer(Answer):
    """What a request and a document may take."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "body_bytes": 67108864,
                    "json_depth": 200,
                    "json_containers": 1000000,
                    "query_characters": 10000,
                    "documents": 10000,
                    "passages": 500,
                    "hits": 200,
                    "page": 200,
                    "wait_seconds": 60,
                    "reader_seconds": 30.0,
                    "reader_memory_mb": 1024,
                    "decisions_per_job": 20000,
                    "decisions_per_query": 200,
                }
            ]
        }
    )

    body_bytes: Annotated[int, Field(description="Largest body of a request.")]
    json_depth: Annotated[int, Field(description="Deepest nesting of a JSON body.")]
    json_containers: Annotated[int, Field(description="Arrays and objects in a JSON body.")]
    query_characters: Annotated[int, Field(description="Longest question.")]
    documents: Annotated[int, Field(description="Document ids that a question may be limited to.")]
    passages: Annotated[int, Field(description="Passages that one request may rank.")]
    hits: Annotated[int, Field(description="Hits that one search may ask for.")]
    page: Annotated[int, Field(description="Entries of one page of a list.")]
    wait_seconds: Annotated[int, Field(description="Longest wait for a job.")]
    reader_seconds: Annotated[float, Field(description="Seconds to read a document, and 10 more per MB.")]
    reader_memory_mb: Annotated[int, Field(description="Memory that reading a document may take.")]
    decisions_per_job: Annotated[int, Field(description="Decision questions that one job may ask.")]
    decisions_per_query: Annotated[int, Field(description="Decision questions that one retrieve may ask.")]


class FormatEntry(Answer):
    """A format that is read."""

    name: str
    extensions: Annotated[list[str], Field(description="File name extensions, without the dot.")]
    media_types: list[str]
    limits: Annotated[
        dict[str, int], Field(description="What a document may have at most: bytes, and what else its reader counts.")
    ]


class FormatsAnswer(Answer):
    """The formats that are read."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "formats": [
                        {
                            "name": "yaml",
                            "extensions": ["yaml", "yml"],
                            "media_types": ["application/yaml"],
                            "limits": {"bytes": 64_000_000, "levels": 200, "units": 50_000},
                        }
                    ]
                }
            ]
        }
    )

    formats: list[FormatEntry]
