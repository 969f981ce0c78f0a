"""Tables as blocks, whatever format they come from (readers design, section 5, "Tables")."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.block import Block, BlockType
from app.readers.cleaning import prose

#: A span beyond this many columns or rows is cut to it.
MOST_SPANNED = 100


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as the source has it, with what it spans; 0 rows means to the end of the row group."""

    text: str
    columns: int = 1
    rows: int = 1


def spread(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Lay cells out on a grid: the text of a merged cell is repeated in every column and row that it covers."""
    grid: list[list[str]] = []
    #: By column: rows still to fill, and with what.
    waiting: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows):
        line: list[str] = []
        for cell in row:
            _fill(line, waiting)
            down = len(rows) - number if cell.rows == 0 else min(cell.rows, MOST_SPANNED, len(rows) - number)
            for _ in range(max(1, min(cell.columns, MOST_SPANNED))):
                if down > 1:
                    waiting[len(line)] = (down - 1, cell.text)
                line.append(cell.text)
        _fill(line, waiting)
        grid.append(line)
    return grid


def table_block(
    *,
    caption: str,
    header: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    start: int | None = None,
    end: int | None = None,
) -> Block | None:
    """Return a table as a block, or None when it has no text.

    Args:
        caption: May be "".
        header: Header rows on the grid; several become one, per column the distinct texts from top to bottom.
        rows: Body rows on the grid. Empty rows are dropped, short ones filled.
        start: Code-point offset of the table in the source, with `end`, where the format knows it.
        end: See `start`.
    """
    caption = prose(caption)
    head = _merged([[prose(cell) for cell in row] for row in header])
    body = [[prose(cell) for cell in row] for row in rows]
    body = [row for row in body if any(row)]
    head = head if any(head) else []
    if not head and not body:
        return None
    width = max(len(row) for row in [head, *body])
    body = [row + [""] * (width - len(row)) for row in body]
    head = head + [""] * (width - len(head)) if head else []
    lines = [" | ".join(row).rstrip() for row in ([head] if head else []) + body]
    text = "\n".join([f"Table: {caption}", *lines] if caption else lines)
    meta = {"caption": caption, "header": head, "rows": body}
    return Block(type=BlockType.TABLE, text=text, meta=meta, start=start, end=end)


def _fill(line: list[str], waiting: dict[int, tuple[int, str]]) -> None:
    """Append what cells above reach down into the next columns."""
    while len(line) in waiting:
        rows, text = waiting.pop(len(line))
        if rows > 1:
            waiting[len(line)] = (rows - 1, text)
        line.append(text)


def _merged(header: Sequence[Sequence[str]]) -> list[str]:
    width = max((len(row) for row in header), default=0)
    columns = ([row[column] for row in header if column < len(row) and row[column]] for column in range(width))
    return [" ".join(dict.fromkeys(texts)) for texts in columns]
