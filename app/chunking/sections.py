"""Blocks to sections and outline (chunking design, strategy `topic`, rule 1)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, BlockType
from app.documents.chunk import Heading


@dataclass(frozen=True, slots=True)
class BodyBlock:
    """A block with its index in the input."""

    index: int
    block: Block


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading, up to the next heading of any level."""

    #: 0 before the first heading, then the heading's number.
    number: int
    #: Headings in effect, outermost first; only real ones, so an h3 right under an h1 is its child.
    path: tuple[str, ...]
    level: int | None
    body: tuple[BodyBlock, ...]

    def block(self, index: int) -> Block:
        """Return the block of the body that has this index in the input."""
        return self.body[bisect_left(self.body, index, key=lambda body: body.index)].block


def split_sections(blocks: Sequence[Block]) -> tuple[tuple[Section, ...], tuple[Heading, ...]]:
    """Return the sections that hold any text, in order, and the outline of all headings.

    Blank blocks are left out but keep their index. A heading with nothing under it makes no section.
    """
    sections: list[Section] = []
    outline: list[Heading] = []
    open_headings: dict[int, str] = {}
    level: int | None = None
    speaker: object = None
    body: list[BodyBlock] = []

    def close() -> None:
        if body:
            path = tuple(open_headings[key] for key in sorted(open_headings))
            sections.append(Section(len(outline), path, level, tuple(body)))
            body.clear()

    for index, block in enumerate(blocks):
        if not block.text.strip():
            continue
        if block.type is not BlockType.HEADING:
            body.append(BodyBlock(index, attributed(block, speaker)))
            speaker = block.meta.get("speaker")
            continue
        close()
        speaker = None
        level = block.level or 1
        open_headings = {depth: title for depth, title in open_headings.items() if depth < level}
        open_headings[level] = block.text
        outline.append(Heading(block=index, title=block.text, level=level))
    close()
    return tuple(sections), tuple(outline)


def attributed(block: Block, before: object) -> Block:
    """Return a block as it reads after one by the speaker `before`.

    Puts the speaker's name, which readers take out of the text, in front again where a new one begins to speak.
    """
    speaker = block.meta.get("speaker")
    if not isinstance(speaker, str) or speaker == before:
        return block
    return replace(block, text=f"{speaker}: {block.text}")
