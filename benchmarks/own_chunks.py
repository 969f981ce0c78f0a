"""Our chunker behind the same function as its peers."""

import asyncio
import re
from collections.abc import Iterator, Sequence

from app.chunking.budget import chunk_by_budget
from app.chunking.measure import Characters
from app.documents.block import ParsedDocument
from app.documents.budget import BudgetOptions, Embed
from app.documents.chunk import Chunk
from app.documents.config import Config
from app.operations.decision_session import DecisionSession
from app.operations.topic_chunks import chunk_by_topic
from app.ports.decision_model import DecisionModel
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks
from benchmarks.peers import Cut, Cutter

#: The seams of a long document are all asked about here.
_ALL = 1_000_000
_SPACE = re.compile(r"\s+")


def blocks_of(text: str, document_format: str) -> ParsedDocument:
    """Read a document."""
    return read_blocks(Source(data=text.encode(), format=document_format))


def by_budget(size: int, overlap: int = 0, *, document_format: str = "markdown", embed: Embed = Embed.FULL) -> Cutter:
    """Strategy `budget` in characters, with its default minimum. A chunk shows its content, which repeats nothing."""
    options = BudgetOptions(chunk_size=size, overlap=overlap, min_chunk_size=size // 4, embed=embed)

    def cut(text: str) -> list[Cut]:
        measure = Characters()
        parsed = blocks_of(text, document_format)
        chunks = chunk_by_budget(parsed, document_format, options, measure, measure).chunks
        return list(_placed(text, chunks))

    return cut


def by_topic(config: Config, model: DecisionModel | None, *, document_format: str = "text") -> Cutter:
    """Strategy `topic`. Of text rather than Markdown, whose marks are not in a chunk: it can be found in the source."""

    def cut(text: str) -> list[Cut]:
        session = DecisionSession(model, None, max_questions=2 * _ALL) if model else None
        chunking = asyncio.run(chunk_by_topic(blocks_of(text, document_format), config, session))
        return list(_found(text, chunking.chunks))

    return cut


def topic_config(
    max_tokens: int, *, min_tokens: int | None = None, overlap: int = 0, paragraph: int | None = None
) -> Config:
    """Return a configuration in which every seam is asked about, and topics may be as short as a long sentence."""
    return Config(
        max_tokens=max_tokens,
        min_tokens=min_tokens,
        overlap_tokens=overlap,
        topic_min_tokens=min(60, max_tokens // 5),
        split_long_paragraph_at=paragraph,
        max_pairs=_ALL,
    )


def _placed(text: str, chunks: Sequence[Chunk]) -> Iterator[Cut]:
    for chunk in chunks:
        if chunk.start is None or chunk.end is None:
            raise ValueError(f"a chunk without its place in a text of {len(text)} characters")
        yield Cut(chunk.start, chunk.end, chunk.text)


def _found(text: str, chunks: Sequence[Chunk]) -> Iterator[Cut]:
    """Find chunks by their characters other than white space, which a joined block may have changed.

    What isn't found, a table laid out anew, is where its blocks are.
    """
    places = [place for place, character in enumerate(text) if not character.isspace()]
    solid = _SPACE.sub("", text)
    after = 0
    for chunk, block in zip(chunks, _placed(text, chunks), strict=True):
        content = _SPACE.sub("", chunk.content)
        start = solid.find(content, after)
        if start < 0:
            yield block
            continue
        after = start + len(content)
        yield Cut(places[start], places[after - 1] + 1, chunk.text)
