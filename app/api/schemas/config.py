"""The configuration keys with their bounds (chunking design, "Strategy topic"; case P13; ruling 29)."""

from dataclasses import fields
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import Flag, Integer, Number, Request
from app.documents.config import Config
from app.documents.values import JsonValue

#: Largest size in tokens or characters that a key takes; far above any use, and safe to reckon with.
MAX_SIZE = 1_000_000

_DEFAULT = Config()
_KEYS = frozenset(field.name for field in fields(Config))


class ConfigKeys(Request):
    """How documents are cut, and how passages are ranked. Sizes are approximate tokens unless the name says else."""

    max_tokens: Annotated[Integer, Field(ge=1, le=MAX_SIZE, description="A chunk is closed here.")] = (
        _DEFAULT.max_tokens
    )
    min_tokens: Annotated[
        Integer | None,
        Field(
            ge=0,
            le=MAX_SIZE,
            description="A section at most this long is never asked about; a chunk under it may run over max_tokens"
            " once. Unset: 200, at most a quarter of max_tokens.",
        ),
    ] = _DEFAULT.min_tokens
    overlap_tokens: Annotated[
        Integer, Field(ge=0, le=MAX_SIZE, description="Tail of the chunk before, repeated inside one section.")
    ] = _DEFAULT.overlap_tokens
    topic_min_tokens: Annotated[
        Integer, Field(ge=1, le=MAX_SIZE, description="No piece between topic cuts is smaller.")
    ] = _DEFAULT.topic_min_tokens
    split_long_paragraph_at: Annotated[
        Integer | None,
        Field(
            ge=1,
            le=MAX_SIZE,
            description="A longer paragraph is split between sentences. Unset: 900, at most 9/8 of max_tokens.",
        ),
    ] = _DEFAULT.split_long_paragraph_at
    chars_per_token: Annotated[
        Number, Field(ge=0.1, le=100, description="Characters that count as one token in approximate sizes.")
    ] = _DEFAULT.chars_per_token
    seam_threshold: Annotated[Number, Field(ge=0, le=1, description="How weak a seam must be to be worth cutting.")] = (
        _DEFAULT.seam_threshold
    )
    refers_back_weight: Annotated[
        Number, Field(ge=0, le=1, description="Share of 'depends on the first' in how strongly two sides belong.")
    ] = _DEFAULT.refers_back_weight
    refers_back_protect: Annotated[
        Number, Field(ge=0, le=1, description="A seam depending this much is never a topic cut.")
    ] = _DEFAULT.refers_back_protect
    snippet_chars: Annotated[
        Integer, Field(ge=1, le=100_000, description="Characters of each side of a seam that are shown.")
    ] = _DEFAULT.snippet_chars
    batch_size: Annotated[Integer, Field(ge=1, le=1000, description="Seams per request.")] = _DEFAULT.batch_size
    max_pairs: Annotated[Integer, Field(ge=0, le=MAX_SIZE, description="Seams asked about per document.")] = (
        _DEFAULT.max_pairs
    )
    rank_threshold: Annotated[
        Number, Field(ge=0, le=1, description="Rank keeps passages that score at least this.")
    ] = _DEFAULT.rank_threshold
    passage_chars: Annotated[
        Integer, Field(ge=1, le=MAX_SIZE, description="Characters of each passage that are shown when ranking.")
    ] = _DEFAULT.passage_chars
    cross_check: Annotated[Flag, Field(description="Also ask which single passage is best, and put it first.")] = (
        _DEFAULT.cross_check
    )
    cross_check_rescue: Annotated[
        Flag, Field(description="Put the best passage first even if none reached the threshold.")
    ] = _DEFAULT.cross_check_rescue
    nearest_reserved: Annotated[
        Integer, Field(ge=0, le=100, description="Places kept for the top vector hits in the smallest judging pool.")
    ] = _DEFAULT.nearest_reserved

    subtree_max_tokens: Annotated[
        Integer, Field(ge=1, le=MAX_SIZE, description="A subtree of a data file up to this size is one unit.")
    ] = _DEFAULT.subtree_max_tokens
    subtree_small_tokens: Annotated[
        Integer,
        Field(
            ge=0,
            le=MAX_SIZE,
            description="A child up to this size stays in its parent's unit; at most subtree_max_tokens.",
        ),
    ] = _DEFAULT.subtree_small_tokens

    conversation_replies: Annotated[Flag, Field(description="Ask which message each message answers.")] = (
        _DEFAULT.conversation_replies
    )
    conversation_outcomes: Annotated[Flag, Field(description="Ask which messages record what was settled.")] = (
        _DEFAULT.conversation_outcomes
    )
    conversation_corrections: Annotated[Flag, Field(description="Ask which messages correct earlier ones.")] = (
        _DEFAULT.conversation_corrections
    )
    conversation_max_requests: Annotated[
        Integer, Field(ge=0, le=MAX_SIZE, description="Requests that the links of conversations may take per ingest.")
    ] = _DEFAULT.conversation_max_requests
    redact_secrets: Annotated[
        Flag, Field(description="Mask keys, tokens and passwords in chat logs before anything is stored or asked.")
    ] = _DEFAULT.redact_secrets
    split_conversations: Annotated[
        Flag, Field(description="Make each conversation of an export a document of its own.")
    ] = _DEFAULT.split_conversations
    include_branches: Annotated[
        Flag, Field(description="Keep withdrawn branches of a chat log, under headings of their own.")
    ] = _DEFAULT.include_branches

    @model_validator(mode="after")
    def _sizes_agree(self) -> Self:
        if self.min_tokens is not None and self.min_tokens > self.max_tokens:
            raise PydanticCustomError(
                "sizes_disagree",
                "min_tokens is {min_tokens} and max_tokens {max_tokens}: the least can't be over the most.",
                {"min_tokens": self.min_tokens, "max_tokens": self.max_tokens, "fields": ["min_tokens", "max_tokens"]},
            )
        if "subtree_small_tokens" in self.model_fields_set and self.subtree_small_tokens > self.subtree_max_tokens:
            raise PydanticCustomError(
                "sizes_disagree",
                "subtree_small_tokens is {small} and subtree_max_tokens {most}: the small can't be over the most.",
                {
                    "small": self.subtree_small_tokens,
                    "most": self.subtree_max_tokens,
                    "fields": ["subtree_small_tokens", "subtree_max_tokens"],
                },
            )
        return self

    def to_domain(self) -> Config:
        """Return the keys with their defaults."""
        return Config(**self.model_dump(include=set(_KEYS)))

    def as_set(self) -> dict[str, JsonValue]:
        """Return the keys that the caller set, and no others."""
        return self.model_dump(include=set(_KEYS), exclude_unset=True)


def effective(config: Config) -> dict[str, JsonValue]:
    """Return every key with the value that is in force."""
    values: dict[str, JsonValue] = {name: getattr(config, name) for name in sorted(_KEYS)}
    return {
        **values,
        "min_tokens": config.effective_min_tokens,
        "split_long_paragraph_at": config.effective_split_at,
        "subtree_small_tokens": config.subtree_sizes.small,
    }
