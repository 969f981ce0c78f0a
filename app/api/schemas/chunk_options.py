"""How a document is to be cut: the options of both strategies (chunking design; rulings 23, 24, 29 and 36)."""

from dataclasses import replace
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import AnyJson, Flag, Integer
from app.api.schemas.config import MAX_SIZE, ConfigKeys
from app.api.schemas.contextualize import NoteWishes
from app.documents.budget import APPROXIMATE, LEAST_SIZE, MOST_SIZE, BudgetOptions, Embed, HeaderStyle, Unit
from app.documents.contextualizing import NoteOptions, note_room
from app.documents.values import JsonValue
from app.text.encodings import DEFAULT_ENCODING

#: Sizes where none is asked for (chunking design, strategy `budget`).
_DEFAULT_SIZE = {Unit.CHARS: 1024, Unit.TOKENS: 256}
_DEFAULT_OVERLAP = {Unit.CHARS: 128, Unit.TOKENS: 32}

#: Options that say how strategy `budget` cuts, and mean nothing to the other.
_BUDGET_ONLY = (
    *("unit", "chunk_size", "overlap", "min_chunk_size", "encoding", "embed", "header", "prepend_heading"),
    *("heading_path", "split_on_headings", "strip_data_uri", "strip_html_comments"),
)
#: Keys that only strategy `topic` reads.
_TOPIC_ONLY = (
    *("max_tokens", "min_tokens", "overlap_tokens", "topic_min_tokens", "split_long_paragraph_at"),
    *("seam_threshold", "refers_back_weight", "refers_back_protect", "snippet_chars", "batch_size", "max_pairs"),
)
Metadata = Annotated[dict[str, AnyJson], Field(default_factory=dict, description="Copied to every chunk.")]
SourceName = Annotated[str, Field(max_length=512, description="What chunk ids begin with, such as a document's id.")]


class ChunkOptions(ConfigKeys):
    """How a document is to be cut. The keys of strategy `topic` stand beside those of `budget`; sizes of the first are
    approximate tokens, sizes of the second are in `unit`.
    """  # noqa: D205 - one sentence

    strategy: Annotated[
        Literal["topic", "budget"],
        Field(description="`topic` cuts at headings, topic shifts and sizes; `budget` packs blocks to a hard maximum."),
    ] = "topic"
    use_jev: Annotated[Flag, Field(description="Strategy topic: let a decision model choose the topic cuts.")] = True
    unit: Annotated[Unit, Field(description="What the sizes of strategy budget are counted in.")] = Unit.CHARS
    chunk_size: Annotated[
        Integer | None,
        Field(
            ge=1,
            description=f"No chunk is larger, header and overlap included; {LEAST_SIZE} to {MOST_SIZE:,}, else clamped"
            f" with a warning. Unset: {_DEFAULT_SIZE[Unit.CHARS]} characters or {_DEFAULT_SIZE[Unit.TOKENS]} tokens.",
        ),
    ] = None
    overlap: Annotated[
        Integer | None,
        Field(
            ge=0,
            description="Repeated from the chunk before, at most half of chunk_size. Unset:"
            f" {_DEFAULT_OVERLAP[Unit.CHARS]} characters or {_DEFAULT_OVERLAP[Unit.TOKENS]} tokens.",
        ),
    ] = None
    min_chunk_size: Annotated[
        Integer | None,
        Field(
            ge=0,
            le=MAX_SIZE,
            description="A smaller chunk joins a neighbour where that has room. Unset: a quarter of chunk_size.",
        ),
    ] = None
    encoding: Annotated[
        str,
        Field(
            min_length=1,
            max_length=100,
            description="Encoding or model that tokens are counted for (see `POST /v1/tokens`);"
            f" `{APPROXIMATE}` counts chars_per_token characters as one, which is quicker.",
        ),
    ] = DEFAULT_ENCODING
    embed: Annotated[Embed, Field(description="What text holds: header, context and body; no body; or body only.")] = (
        Embed.FULL
    )
    header: Annotated[
        HeaderStyle | None,
        Field(description="Headings in front of a chunk: the tree (unset), the nearest, none."),
    ] = None
    prepend_heading: Annotated[Flag | None, Field(description="false is another way to say header: none.")] = None
    heading_path: Annotated[Flag | None, Field(description="false is another way to say header: nearest.")] = None
    split_on_headings: Annotated[Flag, Field(description="Prefer to start a chunk at a heading.")] = True
    strip_data_uri: Annotated[Flag, Field(description="Of an embedded file, keep its content type only.")] = True
    strip_html_comments: Annotated[Flag, Field(description="Take comments outside code out.")] = True
    source: SourceName = ""
    metadata: Metadata
    contextualize: Annotated[
        NoteWishes | None,
        Field(description="Ask the chat model for a note per chunk; for more than 8 chunks a job does it."),
    ] = None

    @model_validator(mode="after")
    def _options_of_the_strategy(self) -> Self:
        other, names = ("budget", _BUDGET_ONLY) if self.strategy == "topic" else ("topic", _TOPIC_ONLY)
        wrong = [name for name in names if name in self.model_fields_set]
        if wrong:
            raise PydanticCustomError(
                "strategy",
                "This belongs to strategy {other}, and strategy is {strategy}.",
                {"other": other, "strategy": self.strategy, "fields": wrong},
            )
        return self

    @model_validator(mode="after")
    def _budget_sizes_agree(self) -> Self:
        if self.min_chunk_size is not None and self.min_chunk_size > self._size:
            raise PydanticCustomError(
                "sizes_disagree",
                "min_chunk_size is {least} and chunk_size {most}: the least can't be over the most.",
                {"least": self.min_chunk_size, "most": self._size, "fields": ["min_chunk_size", "chunk_size"]},
            )
        if self.header is not None:
            said = {"prepend_heading": self.prepend_heading, "heading_path": self.heading_path}
            wrong = [name for name, value in said.items() if value is not None and self._header != self._aliased]
            if wrong:
                raise PydanticCustomError(
                    "header", "header and its other names say different things.", {"fields": ["header", *wrong]}
                )
        return self

    @property
    def _size(self) -> int:
        return _DEFAULT_SIZE[self.unit] if self.chunk_size is None else self.chunk_size

    @property
    def _aliased(self) -> HeaderStyle:
        if self.prepend_heading is False:
            return HeaderStyle.NONE
        return HeaderStyle.NEAREST if self.heading_path is False else HeaderStyle.TREE

    @property
    def _header(self) -> HeaderStyle:
        return self._aliased if self.header is None else self.header

    def to_budget(self) -> tuple[BudgetOptions, tuple[str, ...]]:
        """Return the options of strategy `budget`, none left open, and what was changed to bring them into bounds."""
        warnings = []
        size = min(max(self._size, LEAST_SIZE), MOST_SIZE)
        if size != self._size:
            warnings.append(f"chunk_size {self._size} became {size}: it lies between {LEAST_SIZE} and {MOST_SIZE}.")
        overlap = min(_DEFAULT_OVERLAP[self.unit] if self.overlap is None else self.overlap, size // 2)
        if self.overlap is not None and overlap != self.overlap:
            warnings.append(f"overlap {self.overlap} became {overlap}: at most half of chunk_size is repeated.")
        options = BudgetOptions(
            unit=self.unit,
            chunk_size=size,
            overlap=overlap,
            min_chunk_size=size // 4 if self.min_chunk_size is None else self.min_chunk_size,
            encoding=self.encoding,
            embed=self.embed,
            header=self._header,
            split_on_headings=self.split_on_headings,
            strip_data_uri=self.strip_data_uri,
            strip_html_comments=self.strip_html_comments,
            reserved=0 if self.contextualize is None else note_room(size, self.unit),
        )
        return options, tuple(warnings)


def note_options(wishes: NoteWishes, fields: ChunkOptions, budget: BudgetOptions | None) -> NoteOptions:
    """Return how notes are to be written for chunks that are cut so; strategy `topic` (no budget) has no hard size."""
    if budget is None:
        return replace(wishes.to_options(), encoding=APPROXIMATE, chars_per_token=fields.chars_per_token)
    return replace(
        wishes.to_options(),
        chunk_size=budget.chunk_size,
        unit=budget.unit,
        encoding=budget.encoding,
        chars_per_token=fields.chars_per_token,
        reserved=budget.reserved,
    )


def effective_budget(options: BudgetOptions) -> dict[str, JsonValue]:
    """Return every option of strategy `budget` with the value that is in force."""
    return {
        "unit": options.unit.value,
        "chunk_size": options.chunk_size,
        "overlap": options.overlap,
        "min_chunk_size": options.min_chunk_size,
        "encoding": options.encoding,
        "embed": options.embed.value,
        "header": options.header.value,
        "split_on_headings": options.split_on_headings,
        "strip_data_uri": options.strip_data_uri,
        "strip_html_comments": options.strip_html_comments,
    }
