"""Data files for the chunker: every subtree is a block of code, headed by where it stands (chunking design)."""

from app.documents.block import Block, BlockType, ParsedDocument, ParsedExport
from app.documents.markup import Parsed


def as_blocks(parsed: Parsed) -> ParsedDocument:
    """Return what a reader gave as blocks; those of a data file have no place in its source, as lines are laid out."""
    if isinstance(parsed, ParsedDocument):
        return parsed
    if isinstance(parsed, ParsedExport):
        return parsed.joined()
    blocks = tuple(
        Block(type=BlockType.CODE, text=f"{subtree.label}\n{subtree.text}", meta=subtree.meta)
        for subtree in parsed.subtrees
    )
    return ParsedDocument(blocks=blocks, encoding=parsed.encoding, warnings=parsed.warnings)
