"""Tables of a DOCX document on a grid (readers design, section 11)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.readers.docx_content import content
from app.readers.docx_package import Element, W
from app.readers.docx_styles import number, toggle, value
from app.readers.tables import MOST_SPANNED

#: The bit of a table's look that says that its first row is special.
_FIRST_ROW_BIT = 0x0020
_DEL = f"{W}del"
_FIRST_ROW = f"{W}firstRow"
_GRID_BEFORE = f"{W}gridBefore"
_GRID_SPAN = f"{W}gridSpan"
_TC = f"{W}tc"
_TC_PR = f"{W}tcPr"
_TR = f"{W}tr"
_TR_PR = f"{W}trPr"
_VAL = f"{W}val"
_V_MERGE = f"{W}vMerge"


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a row, with what it spans."""

    element: Element
    columns: int
    #: True when it belongs to the cell above.
    continues: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is shown."""

    cells: tuple[TableCell, ...]
    #: Columns left free in front.
    before: int
    header: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """A table's texts by row and column."""

    header: list[list[str]]
    rows: list[list[str]]


def rows_of(table: Element) -> list[Row]:
    """Return the rows of a table, without deleted and hidden ones."""
    rows: list[Row] = []
    for element in content(table):
        if element.tag != _TR:
            continue
        properties = element.find(_TR_PR)
        if properties is not None and (properties.find(_DEL) is not None or toggle(properties, "hidden")):
            continue
        before = number(value(properties.find(_GRID_BEFORE)), 0) if properties is not None else 0
        cells = tuple(_cell(cell) for cell in content(element) if cell.tag == _TC)
        rows.append(Row(cells, max(0, min(before or 0, MOST_SPANNED)), toggle(properties, "tblHeader") or False))
    return rows


def is_one_column(rows: Sequence[Row]) -> bool:
    """True for a table that only frames its content."""
    return all(len(row.cells) <= 1 and not row.before for row in rows)


def grid_of(table: Element, rows: Sequence[Row], text_of: Callable[[Element], str]) -> Grid:
    """Lay a table out: what is merged is repeated in each column and row that it covers."""
    lines: list[list[str]] = []
    #: By column: the text there, and how many rows have repeated it.
    above: dict[int, tuple[str, int]] = {}
    for row in rows:
        line = [""] * row.before
        here: dict[int, tuple[str, int]] = {}
        for cell in row.cells:
            column = len(line)
            text, repeated = text_of(cell.element), 0
            if cell.continues and column in above:
                text, repeated = above[column][0], above[column][1] + 1
                text = text if repeated < MOST_SPANNED else ""
            here[column] = (text, repeated)
            line += [text] * cell.columns
        above = here
        lines.append(line)
    marked = next((at for at, row in enumerate(rows) if not row.header), len(rows))
    headers = marked or int(_first_row_is_header(table))
    return Grid(lines[:headers], lines[headers:])


def _cell(element: Element) -> TableCell:
    properties = element.find(_TC_PR)
    if properties is None:
        return TableCell(element, 1, continues=False)
    columns = number(value(properties.find(_GRID_SPAN)), 1) or 1
    merged = properties.find(_V_MERGE)
    continues = merged is not None and value(merged) != "restart"
    return TableCell(element, max(1, min(columns, MOST_SPANNED)), continues=continues)


def _first_row_is_header(table: Element) -> bool:
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return True
    said = look.get(_FIRST_ROW)
    if said is not None:
        return said not in {"0", "false", "off"}
    try:
        return bool(int(look.get(_VAL, "FFFF")[:8], 16) & _FIRST_ROW_BIT)
    except ValueError:
        return True
