"""What an element of HTML holds once read, before it is blocks (readers design, sections 5 and 10)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers.cleaning import prose
from app.readers.html_lists import Numbering
from app.readers.html_tree import Element
from app.readers.list_tree import Item, ItemContent, NestedList, list_blocks

_DEFINITION = ": "


@dataclass(slots=True, eq=False)
class Text:
    """A heading, paragraph, quote or code, with the number of words in its longest link."""

    type: BlockType
    text: str
    level: int | None = None
    meta: JsonObject = field(default_factory=dict)
    longest_link: int = 0
    #: True for a speaker's name that turned out to be said by the text after it.
    gone: bool = False


@dataclass(slots=True, eq=False)
class Items:
    """A list. `bare` when its items stood outside any list."""

    items: list[Item]
    longest_link: int = 0
    bare: bool = False
    meta: JsonObject = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Grid:
    """A table."""

    block: Block
    meta: JsonObject = field(default_factory=dict)


Content: TypeAlias = Text | Items | Grid


class Kind(Enum):
    """What an open element does with its content."""

    #: Blocks of the document, a quote or a layout.
    FLOW = auto()
    #: A heading, cell, term or caption: it becomes one line of text.
    LINE = auto()
    ITEM = auto()
    LIST = auto()
    TABLE = auto()
    NOTE = auto()


@dataclass(slots=True, eq=False)
class Frame:
    """An open element that collects content."""

    kind: Kind
    content: list[Content] = field(default_factory=list)
    quote: bool = False
    #: The heading that is being read, or None.
    heading: Element | None = None
    #: Of a list: its items so far, and how it counts.
    items: Items = field(default_factory=lambda: Items([]))
    numbering: Numbering = field(default_factory=lambda: Numbering(ordered=False))
    #: Of an admonition: its own title.
    title: str = ""
    #: True where a heading is ordinary text.
    nested: bool = False
    in_note: bool = False
    in_admonition: bool = False


def item_content(content: Sequence[Content]) -> tuple[ItemContent, ...]:
    """Return what a list item holds."""
    parts: list[ItemContent] = []
    for entry in content:
        if isinstance(entry, Items):
            parts.append(NestedList(tuple(entry.items)))
        elif isinstance(entry, Grid):
            parts.append(entry.block)
        elif entry.type in {BlockType.PARAGRAPH, BlockType.HEADING}:
            parts.append(entry.text)
        else:
            parts.append(Block(type=entry.type, text=entry.text, meta=entry.meta))
    return tuple(parts)


def one_line(content: Sequence[Content]) -> str:
    """Return content as the one line that a cell, heading, term or caption reads as; a list reads `a; b`."""
    parts: list[str] = []
    for entry in content:
        if isinstance(entry, Items):
            parts.append("; ".join(_item_lines(entry.items)))
        else:
            text = entry.block.text if isinstance(entry, Grid) else entry.text
            parts.append(prose(text) if "\n" in text or "\t" in text else text)
    return " ".join(filter(None, parts))


def _item_lines(items: Sequence[Item]) -> Iterator[str]:
    """Yield a line per item, without markers; those of nested lists follow their item."""
    stack: list[Item] = list(reversed(items))
    while stack:
        item = stack.pop()
        parts: list[str] = []
        nested: list[Item] = []
        for part in item.content:
            if isinstance(part, NestedList):
                nested += part.items
            else:
                parts.append(part if isinstance(part, str) else part.text)
        stack += reversed(nested)
        term = item.marker.removeprefix("- ") if item.marker.endswith(_DEFINITION) else ""
        line = (term + " ".join(parts)).strip()
        if line:
            yield line


def to_blocks(content: Sequence[Content]) -> Iterator[tuple[Block, int]]:
    """Yield content as blocks, each with the number of words in its longest link."""
    for entry in content:
        if isinstance(entry, Items):
            for block in list_blocks(entry.items, entry.meta):
                yield block, entry.longest_link
        elif isinstance(entry, Grid):
            block = entry.block
            meta = {**block.meta, **entry.meta} if entry.meta else block.meta
            yield Block(type=block.type, text=block.text, meta=meta), 0
        elif not entry.gone:
            yield (
                Block(type=entry.type, text=entry.text, level=entry.level, meta=entry.meta),
                entry.longest_link if entry.type is BlockType.PARAGRAPH else 0,
            )


def longest_link(content: Content) -> int:
    """Return the number of words in the longest link of a paragraph or list."""
    return 0 if isinstance(content, Grid) else content.longest_link
