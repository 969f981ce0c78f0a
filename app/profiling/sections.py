"""The sections that a document is profiled by (retrieval design, "Sections")."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.documents.chunk import Chunk, Chunking, Heading
from app.profiling.questions import SectionProfile

OPENING_CHARS = 600
MAX_HEADINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Passages that share a heading at the depth where the document divides."""

    title: str
    #: Indexes of its chunks, ascending.
    chunks: tuple[int, ...]
    #: Sum of its chunks' tokens.
    tokens: int
    #: The first `OPENING_CHARS` characters of its text.
    opening: str
    #: Up to `MAX_HEADINGS` headings below the title, in reading order.
    headings: tuple[str, ...]

    def question(self) -> SectionProfile:
        """Return the question that asks what kind of text this section is."""
        return SectionProfile(title=self.title, opening=self.opening, headings=self.headings)


def sections(chunking: Chunking, document_title: str) -> tuple[Section, ...]:
    """Divide a document at the first heading depth where its chunks' paths take two or more values.

    Chunks with the same heading at that depth are one section. A chunk that has none there counts under its nearest
    heading above, and under the document's title before the first heading.
    """
    depth = split_depth(chunk.path for chunk in chunking.chunks)
    members: dict[str, list[Chunk]] = {}
    for chunk in chunking.chunks:
        members.setdefault(_title_at(depth, chunk.path, document_title), []).append(chunk)
    deeper = _deeper_headings(depth, chunking.outline, document_title)
    return tuple(
        Section(
            title=title,
            chunks=tuple(chunk.index for chunk in chunks),
            tokens=sum(chunk.tokens for chunk in chunks),
            opening=_opening(chunks),
            headings=tuple(deeper.get(title, ())),
        )
        for title, chunks in members.items()
    )


def split_depth(paths: Iterable[tuple[str, ...]]) -> int:
    """Return the first depth, from 0, at which the paths hold two or more different headings; 0 when none does."""
    values: list[set[str]] = []
    for path in paths:
        values.extend(set() for _ in range(len(path) - len(values)))
        for at_depth, title in zip(values, path, strict=False):
            at_depth.add(title)
    return next((depth for depth, titles in enumerate(values) if len(titles) > 1), 0)


def _title_at(depth: int, path: tuple[str, ...], document_title: str) -> str:
    return path[min(depth, len(path) - 1)] if path else document_title


def _opening(chunks: Sequence[Chunk]) -> str:
    """Join the bodies of the first chunks, no further than the opening goes."""
    parts: list[str] = []
    length = 0
    for chunk in chunks:
        parts.append(chunk.content[: OPENING_CHARS - length])
        length += len(parts[-1]) + 2
        if length >= OPENING_CHARS:
            break
    return "\n\n".join(parts)[:OPENING_CHARS]


def _deeper_headings(depth: int, outline: Sequence[Heading], document_title: str) -> dict[str, list[str]]:
    """Return the first headings below the depth by the title of their section."""
    deeper: dict[str, list[str]] = {}
    above: list[Heading] = []
    for heading in outline:
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        if len(above) > depth + 1:
            path = tuple(entry.title for entry in above[: depth + 1])
            found = deeper.setdefault(_title_at(depth, path, document_title), [])
            if len(found) < MAX_HEADINGS:
                found.append(heading.title)
    return deeper
