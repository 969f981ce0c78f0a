"""Lists of formats that give a tree, as blocks (readers design, section 5, "Lists")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject

_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its marker with the space after it, and what it holds in order.

    Strings are paragraphs already cleaned; a nested list stands as its items; any other block (code, a table, a quote)
    closes the list's block, comes out as it is, and the list goes on in a new one.
    """

    marker: str
    content: tuple["ItemContent", ...] = ()


@dataclass(frozen=True, slots=True)
class NestedList:
    """A list inside an item."""

    items: tuple[Item, ...]


ItemContent: TypeAlias = str | NestedList | Block

BULLET = "- "


def numbered(number: int | str) -> str:
    """Return the marker of a numbered item."""
    return f"{number}. "


def defined(terms: Sequence[str]) -> str:
    """Return the marker of a definition: several terms of one definition are joined by commas."""
    return f"- {', '.join(terms)}: "


@dataclass(slots=True)
class _Lines:
    meta: JsonObject
    lines: list[str] = field(default_factory=list)

    def take(self) -> Iterator[Block]:
        if self.lines:
            yield Block(type=BlockType.LIST, text="\n".join(line.rstrip() for line in self.lines), meta=self.meta)
            self.lines = []


def list_blocks(items: Sequence[Item], meta: JsonObject | None = None) -> Iterator[Block]:
    """Turn a list into blocks: one line per item, two spaces per level; items without any content leave none.

    A definition without text keeps its term. Nesting is walked with a stack, so depth costs no recursion.
    """
    lines = _Lines(meta or {})
    #: Open items, innermost last: what is left of each, its depth, its marker until used, and whether text joins.
    stack: list[_Open] = [_Open(iter(item.content), 0, item.marker) for item in reversed(items)]
    while stack:
        top = stack[-1]
        content = next(top.content, None)
        if content is None:
            stack.pop()
            top.name_term(lines)
        elif isinstance(content, Block):
            top.name_term(lines)
            yield from lines.take()
            yield content
            top.joins = False
        elif isinstance(content, NestedList):
            top.name_term(lines)
            top.marker, top.joins = None, False
            stack += [_Open(iter(item.content), top.depth + 1, item.marker) for item in reversed(content.items)]
        elif top.joins:
            lines.lines[-1] += f" {content}"
        else:
            indent = _INDENT * (top.depth if top.marker is not None else top.depth + 1)
            lines.lines.append(f"{indent}{top.marker or ''}{content}")
            top.marker, top.joins = None, True
    yield from lines.take()


@dataclass(slots=True)
class _Open:
    content: Iterator[ItemContent]
    depth: int
    marker: str | None
    joins: bool = False

    def name_term(self, lines: _Lines) -> None:
        """Write down the term of a definition that begins with something else than text."""
        if self.marker is not None and self.marker.endswith(": "):
            lines.lines.append(_INDENT * self.depth + self.marker)
            self.marker = None
