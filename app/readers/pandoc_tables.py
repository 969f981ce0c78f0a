"""Tables of Pandoc's tree, and what stands in a cell (readers design, sections 5 and 13)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from app.documents.block import Block, BlockType
from app.readers import cleaning
from app.readers.list_tree import BULLET, Item, ItemContent, NestedList
from app.readers.pandoc_dialect import Node
from app.readers.pandoc_marks import HEADER_CELL
from app.readers.tables import Cell, spread, table_block

#: Reads the blocks of a cell, or of a caption, into one line.
Line = Callable[[Sequence[Node]], str]


def table(value: Any, line: Line, *, first_row_is_header: bool) -> Block | None:  # noqa: ANN401 - a node's own payload
    """Return a `Table`, or None when it has no text.

    Args:
        value: The node's payload.
        line: Reads a cell.
        first_row_is_header: Where no header is marked.
    """
    _, (_, caption), _, (_, head), bodies, (_, foot) = value
    header = _grid(head, line)
    rows = [row for _, _, head_rows, body in bodies for row in (*_grid(head_rows, line), *_grid(body, line))]
    rows += _grid(foot, line)
    marked = next((at for at, row in enumerate(rows) if not _is_marked(row)), len(rows))
    header, rows = (
        [*header, *(_without_marks(row) for row in rows[:marked])],
        [_without_marks(row) for row in rows[marked:]],
    )
    if first_row_is_header and not any(any(row) for row in header) and len(rows) > 1:
        header, rows = rows[:1], rows[1:]
    return table_block(caption=line(caption), header=header, rows=rows)


def with_caption(block: Block, caption: str) -> Block:
    """Return a table with the caption that stands around it, unless it has one."""
    if block.meta.get("caption"):
        return block
    return replace(block, text=f"Table: {caption}\n{block.text}", meta={**block.meta, "caption": caption})


def on_one_line(content: Sequence[ItemContent]) -> str:
    """Return content as a cell has it: `a; b` for a list, `a, b; c, d` for a table."""
    return cleaning.prose(" ".join(_one_line(part) for part in content))


def _grid(rows: Any, line: Line) -> list[list[str]]:  # noqa: ANN401 - a node's own payload
    return spread([[Cell(line(blocks), columns, down) for _, _, down, columns, blocks in cells] for _, cells in rows])


def _is_marked(row: Sequence[str]) -> bool:
    return all(cell.startswith(HEADER_CELL) for cell in row if cell) and any(row)


def _without_marks(row: Sequence[str]) -> list[str]:
    return [cell.removeprefix(HEADER_CELL).lstrip() for cell in row]


def _one_line(part: ItemContent) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, NestedList):
        return "; ".join(filter(None, (_one_line_item(item) for item in part.items)))
    rows = part.meta.get("rows")
    if part.type is BlockType.TABLE and isinstance(rows, list):
        lines = [part.meta.get("header") or [], *rows]
        return "; ".join(", ".join(str(cell) for cell in line) for line in lines if isinstance(line, list) and line)
    return part.text


def _one_line_item(item: Item) -> str:
    marker = item.marker.removeprefix(BULLET) if item.marker.endswith(": ") else ""
    return (marker + " ".join(_one_line(part) for part in item.content)).strip()
