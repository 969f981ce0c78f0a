"""Chunks: the one result type of both chunking strategies (chunking design; ruling 23)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """An entry of a document's outline."""

    #: Index of the heading's block in the input.
    block: int
    title: str
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage ready to be embedded or indexed.

    `text` is the string to embed: heading path, overlap and body. `content` is the body alone.
    """

    index: int
    text: str
    content: str
    #: Input indexes of the blocks that the body holds, ascending.
    blocks: tuple[int, ...]
    #: Headings in effect, outermost first.
    path: tuple[str, ...]
    #: Level of the nearest heading, or None before the first.
    heading_level: int | None
    #: Number of the section (0 before the first heading), so that pieces of one section can be told together.
    section: int
    #: Size of `text` in tokens.
    tokens: int
    #: What the body repeats from the chunk before, and its length in characters.
    overlap_text: str = ""
    overlap: int = 0
    #: True when a topic cut, not a size or a heading, opened this chunk.
    topic_start: bool = False
    #: Code-point span of the body in the normalized source, where the reader gave offsets.
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """The chunks of one document with its outline."""

    chunks: tuple[Chunk, ...]
    outline: tuple[Heading, ...]
    #: True when a decision model chose the topic cuts (ruling 24).
    used_jev: bool
