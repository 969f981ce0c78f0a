"""Tables as they are found in a grid, before cleaning (tabular design, section b)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.documents.packed import Packed
from app.documents.table import TableWarning
from app.documents.table_records import SheetPassage
from app.tabular.cells import RawCell
from app.tabular.grid import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundColumn:
    """One column of a found table."""

    #: In the sheet, from 1; 0 for the column `Section` that headings between records became.
    number: int
    #: Its header cells from top to bottom, upper names spread, each once; none where the header is empty.
    names: tuple[RawCell, ...]
    #: From a units row under the header.
    unit: str | None = None
    hidden: bool = False
    #: One per record, None where the cell is empty.
    cells: Packed[RawCell | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTable:
    """One header with its records."""

    sheet: Sheet
    #: The caption line that names the table (rule B3), or None.
    title_line: str | None
    caption: tuple[str, ...]
    footer: tuple[str, ...] = ()
    #: From left to right; no column of placeholders without a header (rule B5).
    columns: tuple[FoundColumn, ...]
    #: The sheet row of each record, ascending.
    rows: Packed[int]
    header_rows: int
    #: Sheet rows that the file itself marks as totals: totals rows of a declared table or a pivot, rows of sums.
    total_rows: frozenset[int] = frozenset()
    derived: bool = False
    warnings: tuple[TableWarning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the sheets of a document hold."""

    #: In document order.
    tables: tuple[FoundTable, ...]
    passages: tuple[SheetPassage, ...] = ()
    #: Note number to its text, from notes sheets and footers.
    notes: Mapping[int, str] = field(default_factory=dict)
