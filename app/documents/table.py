"""A table of a spreadsheet as it is stored: its columns, its records and what was found out about both (section f)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

#: A cleaned cell: an exact number, a text (dates are ISO texts), or blank.
Value: TypeAlias = Decimal | str | None

#: A column with more different values than this keeps them in the store only.
VALUES_KEPT = 1_000


class ColumnType(StrEnum):
    """What the values of a column are (section e, "Type and role")."""

    NUMBER = "number"
    DATE = "date"
    TEXT = "text"


class ColumnRole(StrEnum):
    """What a column is for (section e, "Type and role")."""

    CONSTANT = "constant"
    PERIOD = "period"
    ID = "id"
    TEXT = "text"
    MEASURE = "measure"
    CATEGORY = "category"
    LABEL = "label"
    ALIAS = "alias"


class Additive(StrEnum):
    """Whether adding up the values of a measure has a meaning."""

    SUM = "sum"
    MEAN = "mean"


class TotalMark(StrEnum):
    """Whether a record repeats others (rule B13)."""

    YES = "yes"
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """One column, with what its values are."""

    name: str
    type: ColumnType
    role: ColumnRole
    #: Records without a value.
    blank: int
    #: Different values, those of `total: "yes"` records left out.
    distinct: int
    #: Most frequent values, 8 at most, ties in first-seen order.
    top: tuple[Value, ...] = ()
    unit: str | None = None
    #: Of numbers and dates.
    minimum: Value = None
    maximum: Value = None
    #: Of a category, period, label, id or alias: all different values, most frequent first, periods in their natural
    #: order. None where there are none to list, or more than `VALUES_KEPT`.
    values: tuple[Value, ...] | None = None
    alias_of: str | None = None
    #: The sheet's own column, such as `C`; of a melted column the letter of each period label.
    letter: str | Mapping[str, str] | None = None
    #: Of a measure.
    additive: Additive | None = None
    #: Columns whose sum this one is.
    total_of: tuple[str, ...] = ()
    #: Values of another kind than the column's type, and up to three of them.
    odd: int = 0
    odd_samples: tuple[str, ...] = ()
    #: Spreadsheet errors, by error: `#N/A`.
    errors: Mapping[str, int] = field(default_factory=dict)
    #: Formulas whose result the file does not hold.
    uncached: int = 0
    #: Markers of withheld or provisional values, by marker: `[c]`.
    flags: Mapping[str, int] = field(default_factory=dict)
    #: What was decided without proof: `decimal`, `date order`, `dates`.
    assumed: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWarning:
    """Something about a table that its reader should know."""

    #: `ragged`, `repeated_header`, `mixed_date_order`, `mixed_decimal_mark`, and so on.
    code: str
    count: int
    column: str | None = None
    sample: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReading:
    """How the file of a table was read."""

    encoding: str | None = None
    delimiter: str | None = None
    #: 1900 or 1904, of XLSX.
    date_system: int | None = None
    hidden_rows: int = 0
    header_rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table without its records."""

    #: `t1`, `t2`, … over the document; `t1+t2` for a stack.
    id: str
    sheet: str
    title: str
    caption: tuple[str, ...] = ()
    columns: tuple[TableColumn, ...]
    #: How many there are, those marked total among them.
    records: int
    #: `5 period columns, 2018 to 2022`, or None.
    melted: str | None = None
    #: One sentence for each join: which columns came from which title on which key.
    joined: tuple[str, ...] = ()
    #: Label to the numbers of its notes, and column name to its.
    row_notes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    column_notes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    #: Note number to its text.
    notes: Mapping[int, str] = field(default_factory=dict)
    #: Column name to all units seen in it.
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    footer: tuple[str, ...] = ()
    warnings: tuple[TableWarning, ...] = ()
    read: TableReading | None = None
    #: A pivot table, which restates other data (rule A28).
    derived: bool = False
    #: Ids of the tables that this one stacks.
    stack_of: tuple[str, ...] = ()
    #: Records marked `total: "yes"`, marked `maybe`, and from hidden rows.
    totals: int = 0
    maybe_totals: int = 0
    hidden_records: int = 0

    def column(self, name: str) -> TableColumn | None:
        """Return the column of this name, or None."""
        return next((column for column in self.columns if column.name == name), None)

    def position(self, name: str) -> int:
        """Return the position of the column of this name, from 0.

        Raises:
            KeyError: there is none.
        """
        for position, column in enumerate(self.columns):
            if column.name == name:
                return position
        raise KeyError(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """One record, with the place in the file that it was read from."""

    sheet: str
    #: The row number that a spreadsheet program shows.
    row: int
    #: One per column.
    values: tuple[Value, ...]
    hidden: bool = False
    total: TotalMark | None = None
    #: Of a total: `equal`, or by how much it differs from what it adds up.
    check: str | None = None

    @property
    def source(self) -> str:
        """Sheet and row: `energy!3`."""
        return f"{self.sheet}!{self.row}"
