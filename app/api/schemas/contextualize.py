"""Retrieval notes for chunks (chunking design, "Contextualize"; rulings 6 and 23)."""

from dataclasses import fields
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from app.api.schemas.common import Answer, AnyJson, Flag, Integer, Number, Request
from app.api.schemas.jobs import JOB_EXAMPLE, JobAnswer
from app.documents.budget import APPROXIMATE, MOST_SIZE, Embed, Unit
from app.documents.contextualizing import MAX_CHUNKS, NoteEstimate, NoteOptions, NoteTask
from app.documents.job import Job
from app.text.encodings import DEFAULT_ENCODING

_DEFAULT = NoteOptions()
_OPTIONS = frozenset(field.name for field in fields(NoteOptions))
_DOCUMENT = "# Heat pump HP-200\n\n## Error codes\n\nE4: the flow is too low. Bleed the circuit and restart."
_CHUNK: dict[str, JsonValue] = {
    "id": "hp-200#0-9a1f33c2",
    "index": 0,
    "content": "E4: the flow is too low. Bleed the circuit and restart.",
    "header": "[Heat pump HP-200 > Error codes]",
    "path": ["Heat pump HP-200", "Error codes"],
    "embed": "full",
    "overlap_text": "",
}
_NOTE = (
    "The heat pump HP-200 stops with this code when water flows too slowly.\n"
    "HP-200, E4, error code, low flow, bleed, vent, restart"
)
_RESULT: dict[str, JsonValue] = {
    "chunks": [
        {
            **_CHUNK,
            "context": _NOTE,
            "text": f"{_CHUNK['header']}\n\n{_NOTE}\n\n{_CHUNK['content']}",
            "length": 216,
            "tokens": 61,
        }
    ],
    "failures": [],
    "usage": {"requests": 1, "input_tokens": 412, "output_tokens": 44, "cached_tokens": 0, "cost_usd": 0.000088},
}


class NotedChunkInput(BaseModel):
    """A chunk as the chunking answers have it; every field that isn't named here is carried through untouched."""

    model_config = ConfigDict(frozen=True, extra="allow")

    __pydantic_extra__: dict[str, AnyJson]

    content: Annotated[str, Field(description="The body.")]
    header: Annotated[str | None, Field(description="Unset: the path in brackets.")] = None
    path: Annotated[list[str] | None, Field(description="Headings in effect, outermost first.")] = None
    heading_path: Annotated[list[str] | None, Field(description="Another name for path.")] = None
    embed: Annotated[Embed | None, Field(description="What text is made of; unset: full.")] = None
    overlap_text: Annotated[str | None, Field(description="What is repeated from the chunk before.")] = None
    context: Annotated[str | None, Field(description="An earlier note.")] = None
    start: Annotated[Integer | None, Field(description="Code point of the document where the body starts.")] = None


class NoteWishes(Request):
    """How notes are to be written."""

    model: Annotated[
        str | None, Field(min_length=1, max_length=200, description="Chat model to ask instead of the configured one.")
    ] = None
    temperature: Annotated[
        Number | None, Field(ge=0, le=2, description="null sends none, for models that take no value.")
    ] = 0.0
    document_max_chars: Annotated[
        Integer,
        Field(
            ge=1_000,
            le=4_000_000,
            description="Of a longer document its beginning and the part around the chunk are shown.",
        ),
    ] = _DEFAULT.document_max_chars
    template: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=100_000,
            description="The prompt, with {document}, {chunk}, {breadcrumb} and {heading}, instead of our own. The"
            " document should come first, so that servers can keep it.",
        ),
    ] = None
    system: Annotated[str | None, Field(max_length=100_000, description="The system message, instead of our own.")] = (
        None
    )
    skip_if_present: Annotated[Flag, Field(description="Leave chunks alone that have a context.")] = False
    fail_fast: Annotated[Flag, Field(description="Fail at the first chunk that gets no note.")] = False

    def to_options(self) -> NoteOptions:
        """Return the options."""
        return NoteOptions(**{name: getattr(self, name) for name in type(self).model_fields if name in _OPTIONS})


class ContextualizeOptions(NoteWishes):
    """How notes are to be written, and what sizes the chunks have."""

    chunk_size: Annotated[
        Integer | None,
        Field(
            ge=1,
            le=MOST_SIZE,
            description="The size that the chunks were cut to; over_budget then tells who passes it.",
        ),
    ] = None
    unit: Annotated[Unit, Field(description="What chunk_size and reserved are counted in.")] = Unit.CHARS
    encoding: Annotated[
        str,
        Field(
            min_length=1,
            max_length=100,
            description="Encoding or model that tokens are counted for (see `POST /v1/tokens`);"
            f" `{APPROXIMATE}` counts chars_per_token characters as one.",
        ),
    ] = DEFAULT_ENCODING
    chars_per_token: Annotated[Number, Field(gt=0, le=100)] = _DEFAULT.chars_per_token
    reserved: Annotated[
        Integer,
        Field(
            ge=0,
            le=MOST_SIZE,
            description="Room kept for the note: with it, a note is cut at a sentence to stay within chunk_size.",
        ),
    ] = 0


class ContextualizeRequest(ContextualizeOptions):
    """A document, and chunks of it that are to get notes."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"document": _DOCUMENT, "chunks": [_CHUNK]}]})

    document: Annotated[str, Field(description="The whole document, the same that the chunks came from.")]
    chunks: Annotated[list[NotedChunkInput], Field(min_length=1, max_length=MAX_CHUNKS)]

    def to_task(self) -> NoteTask:
        """Return the task, its chunks as they were sent."""
        return NoteTask(
            document=self.document,
            chunks=tuple(chunk.model_dump(mode="json", exclude_unset=True) for chunk in self.chunks),
            options=self.to_options(),
        )


class ChatUsageAnswer(Answer):
    """What asking the chat model took."""

    requests: Annotated[int, Field(description="Requests sent, retries included.")]
    input_tokens: int
    output_tokens: int
    cached_tokens: Annotated[int, Field(description="Input tokens that the server had cached.")]
    cost_usd: Annotated[
        float | None,
        Field(description="By the configured prices, without a discount for cached tokens; null: unknown."),
    ]


class NoteFailureAnswer(Answer):
    """A chunk that got no note."""

    index: Annotated[int, Field(description="Position in the request.")]
    id: Annotated[str | None, Field(description="The chunk's own id, if it has one.")]
    reason: str


class ContextualizeAnswer(Answer):
    """The chunks with context, text, length and tokens filled in, and what it took."""

    model_config = ConfigDict(json_schema_extra={"examples": [_RESULT]})

    chunks: Annotated[
        list[dict[str, AnyJson]],
        Field(
            description="As they were sent, with context, text, length, tokens and, given a chunk_size, over_budget."
        ),
    ]
    failures: list[NoteFailureAnswer]
    usage: ChatUsageAnswer


class EstimateAnswer(Answer):
    """What a job will take, reckoned beforehand."""

    calls: Annotated[int, Field(description="Calls of the chat model: one for each chunk that is to get a note.")]
    input_tokens: Annotated[int, Field(description="Approximate, all calls together.")]


class ContextualizeJobAnswer(JobAnswer):
    """The job that more chunks than can be waited for become, with what it will take."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    **JOB_EXAMPLE,
                    "kind": "contextualize",
                    "status": "queued",
                    "stage": None,
                    "done": 0,
                    "total": 0,
                    "attempt": 0,
                    "queue_position": 0,
                    "started_at": None,
                    "finished_at": None,
                    "document": None,
                    "collection": None,
                    "version": None,
                    "units": None,
                    "estimate": {"calls": 120, "input_tokens": 1_260_000},
                }
            ]
        }
    )

    estimate: EstimateAnswer

    @classmethod
    def of(cls, job: Job, estimate: NoteEstimate) -> "ContextualizeJobAnswer":
        """Show a job with its estimate."""
        shown = EstimateAnswer(calls=estimate.calls, input_tokens=estimate.input_tokens)
        return cls(**JobAnswer.from_domain(job).model_dump(), estimate=shown)
