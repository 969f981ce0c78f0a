"""Columns and tables after cleaning (tabular design, sections c and d)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.documents.packed import Packed, PackedValues
from app.documents.table import ColumnType, TableReading, TableWarning, TotalMark
from app.tabular.grid import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedCells:
    """The values of one column, or of several period columns that are read as one, and what was found in them."""

    #: One list per column that was given.
    values: tuple[PackedValues, ...]
    type: ColumnType
    #: Units in first-seen order, and of each list the unit of each value where there are two or more currencies.
    units: tuple[str, ...] = ()
    currencies: tuple[PackedValues, ...] = ()
    odd: int = 0
    odd_samples: tuple[str, ...] = ()
    errors: Mapping[str, int] = field(default_factory=dict)
    uncached: int = 0
    flags: Mapping[str, int] = field(default_factory=dict)
    #: `decimal`, `date order`, `dates`.
    assumed: tuple[str, ...] = ()
    #: Label to its note numbers, where labels of a text column name notes.
    row_notes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    #: (code, count, sample).
    warnings: tuple[tuple[str, int, str | None], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanColumn:
    """One column of a cleaned table; of a melted one, after melting."""

    name: str
    type: ColumnType
    values: PackedValues
    #: Its unit by rule C21, and all units seen.
    unit: str | None = None
    units: tuple[str, ...] = ()
    letter: str | Mapping[str, str] | None = None
    notes: tuple[int, ...] = ()
    odd: int = 0
    odd_samples: tuple[str, ...] = ()
    errors: Mapping[str, int] = field(default_factory=dict)
    uncached: int = 0
    flags: Mapping[str, int] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    hidden: bool = False
    #: True of `Year`, `Quarter`, `Month`, `Period` and so on that melting made.
    melted_period: bool = False
    #: Columns whose sum this one is (rules B13, D10).
    total_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanTable:
    """A cleaned table, melted where it is to be; not profiled yet."""

    sheet: Sheet
    title: str
    caption: tuple[str, ...]
    footer: tuple[str, ...] = ()
    columns: tuple[CleanColumn, ...]
    #: The sheet row of each record.
    rows: Packed[int]
    #: Position of a marked record to its mark, and to its check.
    totals: Mapping[int, TotalMark] = field(default_factory=dict)
    checks: Mapping[int, str] = field(default_factory=dict)
    #: Positions of records from hidden rows.
    hidden: frozenset[int] = frozenset()
    melted: str | None = None
    row_notes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    warnings: tuple[TableWarning, ...] = ()
    read: TableReading
    derived: bool = False
