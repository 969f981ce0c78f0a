"""The sections that a document is profiled by (retrieval design, "Sections")."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.documents.chunk import Chunk, Chunking, Heading
from app.profiling.questions import SectionProfile

OPENING_CHARS = 600
MAX_HEADINGS = 20


@dataclass(frozen=True, slots=True)
class Division:
    """How a document divides into sections."""

    #: Number of headings above those that part it.
    depth: int
    document_title: str
    #: Of its sections, in reading order.
    titles: tuple[str, ...]

    def title_of(self, path: tuple[str, ...]) -> str:
        """Return the title of the section that text under these headings belongs to."""
        return _title_at(self.depth, path, self.document_title)


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
    #: True for a conversation, which is told by its speakers: nobody is asked what it is.
    spoken: bool = False

    def question(self) -> SectionProfile:
        """Return the question that asks what kind of text this section is."""
        return SectionProfile(title=self.title, opening=self.opening, headings=self.headings)


def divide(paths: Sequence[tuple[str, ...]], document_title: str) -> Division:
    """Divide a document at the first heading depth where the paths of its text take two or more values.

    Text with the same heading at that depth is one section. What has none there counts under its nearest heading above,
    and under the document's title before the first heading.
    """
    depth = split_depth(paths)
    titles = dict.fromkeys(_title_at(depth, path, document_title) for path in paths)
    return Division(depth, document_title, tuple(titles))


def sections(chunking: Chunking, division: Division, spoken: Mapping[str, int]) -> tuple[Section, ...]:
    """Return the sections of a document in reading order.

    Args:
        chunking: Its passages.
        division: How it divides.
        spoken: Tokens of its conversations, by title; no passage is of them.
    """
    members: dict[str, list[Chunk]] = {title: [] for title in division.titles}
    for chunk in chunking.chunks:
        members[division.title_of(chunk.path)].append(chunk)
    deeper = _deeper_headings(division.depth, chunking.outline, division.document_title)
    return tuple(
        Section(
            title=title,
            chunks=tuple(chunk.index for chunk in chunks),
            tokens=spoken[title] if title in spoken else sum(chunk.tokens for chunk in chunks),
            opening=_opening(chunks),
            headings=tuple(deeper.get(title, ())),
            spoken=title in spoken,
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
