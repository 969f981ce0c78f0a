"""Which sections of a document are conversations (conversations design, section b)."""

from collections.abc import Iterable, Sequence

from app.documents.block import Block
from app.profiling.sections import Division


def spoken_titles(texts: Iterable[tuple[tuple[str, ...], Sequence[Block]]], division: Division) -> frozenset[str]:
    """Return the titles of the sections in which blocks that name a speaker hold at least half of the text.

    Args:
        texts: Stretches of a document's text by the headings they stand under, without the headings themselves.
        division: How the document divides.
    """
    told: dict[str, int] = {}
    for path, blocks in texts:
        title = division.title_of(path)
        told[title] = told.get(title, 0) + sum(_weight(block) for block in blocks)
    return frozenset(title for title, balance in told.items() if balance >= 0)


def _weight(block: Block) -> int:
    """Return how much a block has of what is said; what nobody says weighs against it."""
    length, speaker = len(block.text.strip()), block.meta.get("speaker")
    return length if isinstance(speaker, str) and speaker.strip() else -length
