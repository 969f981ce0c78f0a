"""What a chunk tells of the blocks that it holds, whatever the strategy."""

from collections.abc import Iterable

from app.documents.block import Block


def types_of(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return the types of blocks, each once, in order."""
    return tuple(dict.fromkeys(block.type.value for block in blocks))


def pages_of(blocks: Iterable[Block]) -> tuple[int, ...]:
    """Return the pages that blocks stand on, each once, in order; none where the reader knows no pages."""
    return tuple(dict.fromkeys(page for block in blocks if isinstance(page := block.meta.get("page"), int)))
