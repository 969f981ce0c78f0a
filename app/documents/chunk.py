"""Chunks: the one result type of both chunking strategies (chunking design; ruling 23)."""

from dataclasses import dataclass
from hashlib import sha256

from app.documents.budget import Embed


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

    `text` is the string to embed: header, overlap and body. `content` is the body alone.
    """

    index: int
    text: str
    content: str
    #: The heading path as it stands in front of the body, brackets included; "" when there is none.
    header: str = ""
    #: Input indexes of the blocks that the body holds, ascending.
    blocks: tuple[int, ...]
    #: Types of those blocks, each once, in order.
    block_types: tuple[str, ...] = ()
    #: Pages that the body spans, where the reader knows pages.
    pages: tuple[int, ...] = ()
    #: Headings in effect, outermost first.
    path: tuple[str, ...]
    #: True when the path was too long for the budget: `path` is what is left of it.
    path_truncated: bool = False
    #: Level of the nearest heading, or None before the first.
    heading_level: int | None
    #: Number of the section (0 before the first heading), so that pieces of one section can be told together.
    section: int
    #: Heading paths of every section that the body touches, joined by ` > `.
    sections: tuple[str, ...] = ()
    #: Size of `text` in tokens.
    tokens: int
    #: What the body repeats from the chunk before, and its size in the unit that sizes were asked for in.
    overlap_text: str = ""
    overlap: int = 0
    #: True when a topic cut, not a size or a heading, opened this chunk.
    topic_start: bool = False
    #: Code-point span of the body in the normalized source, where the reader gave offsets.
    start: int | None = None
    end: int | None = None
    #: True when the body is no literal slice of the source: a fence was reopened, a header row repeated, something
    #: taken out.
    synthetic: bool = False

    @property
    def hash(self) -> str:
        """SHA-256 of the body in hex."""
        return sha256(self.content.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def breadcrumb(self) -> str:
        """The path as one line."""
        return breadcrumb(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """The chunks of one document with its outline."""

    chunks: tuple[Chunk, ...]
    outline: tuple[Heading, ...]
    #: True when a decision model chose the topic cuts (ruling 24).
    used_jev: bool = False


def breadcrumb(path: tuple[str, ...]) -> str:
    """Return a heading path as one line."""
    return " > ".join(path)


def chunk_id(source: str, index: int, content_hash: str) -> str:
    """Return a chunk's id: stable across runs, so that a document can be indexed again without duplicates."""
    return f"{source}#{index}-{content_hash[:8]}"


def composed(embed: Embed, *, header: str, context: str, overlap: str, content: str) -> str:
    """Return the string to embed (seed 004, `embed`).

    Args:
        embed: `full` is everything, `content` leaves header and context out, `context` leaves the body out; while there
            is no context yet, the body stands for it, so that a heading is never embedded alone.
        header: The rendered heading path, or "".
        context: The retrieval note, or "".
        overlap: What is repeated from the chunk before.
        content: The body.
    """
    parts = [header, context, overlap, content]
    if embed is Embed.CONTENT:
        parts = [overlap, content]
    elif embed is Embed.CONTEXT and context:
        parts = [header, context]
    return "\n\n".join(part for part in parts if part)
