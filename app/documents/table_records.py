"""The records of a table in columns, kept small."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.documents.packed import Packed, PackedValues
from app.documents.table import Table, TableRecord, TotalMark


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecords:
    """All records of a table, by column; positions count records from 0."""

    #: One list per column, each as long as `rows`.
    columns: tuple[PackedValues, ...]
    #: The sheet row of each record.
    rows: Packed[int]
    #: Names of the sheets that records come from, and the position in it of each record's; no list where all records
    #: come from one sheet.
    sheets: tuple[str, ...]
    sheet_of: Packed[int] | None = None
    #: Position of a marked record to its mark, and to its check where there is one.
    totals: Mapping[int, TotalMark] = field(default_factory=dict)
    checks: Mapping[int, str] = field(default_factory=dict)
    #: Positions of records from hidden rows.
    hidden: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[TableRecord]:
        sheets = iter(self.sheet_of) if self.sheet_of is not None else None
        values = zip(*self.columns, strict=True) if self.columns else iter(lambda: (), None)
        for position, (row, own) in enumerate(zip(self.rows, values, strict=False)):
            yield TableRecord(
                sheet=self.sheets[0 if sheets is None else next(sheets)],
                row=row,
                values=own,
                hidden=position in self.hidden,
                total=self.totals.get(position),
                check=self.checks.get(position),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """A table with its records, as reading a spreadsheet gives it."""

    table: Table
    records: TableRecords


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPassage:
    """Text of a sheet that belongs to no table (rules B6, B17, B19)."""

    #: Position of the sheet in the document, from 1.
    position: int
    sheet: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTables:
    """What reading a spreadsheet gives."""

    tables: tuple[ReadTable, ...]
    passages: tuple[SheetPassage, ...] = ()
    #: Sheets that were not read, with the reason (`data.skipped`).
    skipped: tuple[tuple[str, str], ...] = ()
    encoding: str | None = None
    #: What was replaced or cut: for people, in full sentences.
    warnings: tuple[str, ...] = ()
    #: The title, where nobody named one: the first sheet name given (rule A3).
    title: str | None = None
