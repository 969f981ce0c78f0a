"""Workbooks as readers return them: the filled cells of each sheet, and what the file tells of their layout."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.documents.packed import Packed
from app.tabular.cells import RawCell


class GridRow(NamedTuple):
    """The filled cells of one row."""

    #: As a spreadsheet program shows it, from 1.
    number: int
    #: Their columns, from 1, ascending.
    columns: tuple[int, ...]
    #: As many as `columns`; none is empty after trimming.
    cells: tuple[RawCell, ...]


class Grid:
    """The filled cells of a sheet, row by row, in as little memory as they need. Cost follows filled cells."""

    def __init__(self) -> None:
        self._rows: Packed[tuple[int, tuple[int, ...], tuple[RawCell, ...]]] = Packed()
        self._columns: tuple[int, ...] = ()

    def append(self, number: int, columns: Sequence[int], cells: Sequence[RawCell]) -> None:
        """Add a row below the last one; a row without cells is not added."""
        if not columns:
            return
        # Rows mostly fill the same columns: one tuple for all of them packs to a reference.
        if self._columns != (own := tuple(columns)):
            self._columns = own
        self._rows.append((number, self._columns, tuple(cells)))

    def __iter__(self) -> Iterator[GridRow]:
        for number, columns, cells in self._rows:
            yield GridRow(number, columns, cells)

    def __len__(self) -> int:
        """Number of rows with a cell."""
        return len(self._rows)


@dataclass(frozen=True, slots=True)
class CellRange:
    """A rectangle of a sheet, rows and columns counted from 1, ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def holds(self, row: int, column: int) -> bool:
        """Tell whether a cell lies inside."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right


@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """A table object of a sheet, or the range of a pivot table."""

    name: str
    range: CellRange
    #: Rows at its top that are headers, and at its bottom that are totals.
    header_rows: int = 1
    totals_rows: int = 0
    pivot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One visible sheet."""

    name: str
    #: In the document, from 1.
    position: int
    grid: Grid
    #: Merged ranges; the value is in the top-left cell only.
    merges: tuple[CellRange, ...] = ()
    #: Rows all of whose filled cells are bold.
    bold_rows: frozenset[int] = frozenset()
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    #: Formulas that add up others: (row, column) to the text of a `SUM`, `SUBTOTAL` or `AGGREGATE` formula.
    sums: Mapping[tuple[int, int], str] = field(default_factory=dict)
    declared: tuple[DeclaredTable, ...] = ()
    #: Of CSV.
    encoding: str | None = None
    delimiter: str | None = None
    #: Of XLSX: 1900 or 1904.
    date_system: int | None = None
    #: Facts to be told with every table of the sheet: (code, count), such as (`broken_quote`, 1).
    warnings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbook:
    """All sheets of a document, from one file or several."""

    sheets: tuple[Sheet, ...]
    #: Sheets that were not read, with the reason.
    skipped: tuple[tuple[str, str], ...] = ()
    #: For people, in full sentences.
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a file may hold (tabular design, "Limits against hostile files"). Passing one refuses the whole file."""

    zip_entries: int = 10_000
    unpacked_bytes: int = 1_610_612_736
    #: Of an entry above 1 MiB, unpacked to packed.
    compression_ratio: int = 200
    rows: int = 1_048_576
    columns: int = 16_384
    sheets: int = 500
    cells: int = 20_000_000
    shared_strings: int = 5_000_000
    shared_string_bytes: int = 536_870_912
    #: Longer texts are cut, with a warning.
    cell_characters: int = 32_767
