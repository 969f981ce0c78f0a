"""Headings that only announce an aside (retrieval design, "Sections")."""

from collections.abc import Sequence
from dataclasses import replace

from app.documents.block import Block, BlockType

ASIDE_TITLES = frozenset({"note", "tip", "warning", "caution", "important", "hint", "info"})


def fold_asides(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks with every heading that is only `Note`, `Tip`, `Warning` and the like as a paragraph.

    The aside then belongs to the section it stands in, as what follows it goes on under that section's heading. Each
    block keeps its index and its span.
    """
    return tuple(_as_paragraph(block) if _titles_aside(block) else block for block in blocks)


def _titles_aside(block: Block) -> bool:
    return block.type is BlockType.HEADING and block.text.strip().rstrip(":.!").rstrip().lower() in ASIDE_TITLES


def _as_paragraph(block: Block) -> Block:
    return replace(block, type=BlockType.PARAGRAPH, level=None)
