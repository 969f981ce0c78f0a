"""The port to stored tables: what is in them, and the sums, counts and records that a plan needs (tabular design, h).

Everything is exact: sums are of any size and never rounded. Averages and shares are divided by whoever asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from app.documents.document import UnitHit
from app.documents.table import Table, TableRecord, Value
from app.documents.table_plan import Condition
from app.documents.values import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """A table of a live document."""

    collection: str
    document: str
    #: The store's own key of the document.
    document_key: int
    version: int
    #: Position of the table in its document, from 0.
    number: int
    document_title: str
    #: Id of its unit, such as `t1`.
    unit: str
    table: Table
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Records of one table: those that pass all conditions. Records marked `total: "yes"` are out, unless asked for."""

    table: StoredTable
    conditions: tuple[Condition, ...] = ()
    without_maybe_totals: bool = False
    without_hidden: bool = False
    #: Only records marked `total: "yes"`: the totals that the file prints.
    only_totals: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What the records of one group add up to."""

    #: The group's value in each column that was grouped by.
    keys: tuple[Value, ...] = ()
    records: int
    #: Different source rows that they come from.
    source_rows: int
    #: Records whose measure is a number; the rest are blank.
    numbers: int = 0
    total: Decimal | None = None
    lowest: Decimal | None = None
    highest: Decimal | None = None
    #: Different values of the column that was to be counted; blanks don't count.
    distinct: int = 0

    @property
    def blank(self) -> int:
        """Records whose measure is no number."""
        return self.records - self.numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What was run, so that it can be run again (rule H16)."""

    text: str
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallies:
    """The tallies of a selection, one per group in first-seen order, and how they were had."""

    groups: tuple[Tally, ...]
    statement: Statement


@dataclass(frozen=True, slots=True)
class RowRange:
    """Consecutive source rows of a sheet."""

    sheet: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCount:
    """A value of a column, and in how many records it stands."""

    value: Value
    records: int


class TableStore(Protocol):
    """Answers what plans ask of stored tables. Records of a document that has another version by now are gone."""

    async def tables_of(self, units: Sequence[UnitHit]) -> Sequence[StoredTable]:
        """Return the tables of table units, in their order, in one query; units that are no table are left out."""
        ...

    async def tables_in(self, collection: str, documents: Sequence[str], limit: int) -> Sequence[StoredTable]:
        """Return the first `limit` tables of these documents, by document as named and position, in one query."""
        ...

    async def tally(
        self, selection: Selection, *, measure: str | None = None, by: Sequence[str] = (), of: str | None = None
    ) -> Tallies:
        """Add up a selection, in groups of equal match keys of the columns `by` where there are any.

        Args:
            selection: The records. Without any, and without `by`, there is one tally of none.
            measure: The column to add up.
            by: Columns to group by; a blank is a group of its own. A key is the first value seen of its group.
            of: The column whose different match keys are counted.
        """
        ...

    async def records(
        self, selection: Selection, *, by: str | None = None, descending: bool = True, limit: int
    ) -> Sequence[TableRecord]:
        """Return the first `limit` records, in sheet order, or by the numbers of the column `by`.

        Records without a number come last; ties are in sheet order.
        """
        ...

    async def rest(self, selection: Selection, *, by: str | None, descending: bool, skip: int) -> Tally:
        """Add up the column `by` over what `records` leaves out when it returns the first `skip`."""
        ...

    async def source_rows(self, selection: Selection, *, measure: str | None, limit: int) -> tuple[RowRange, ...]:
        """Return the source rows of a selection as ranges, by sheet and row, the first `limit` of them.

        With a measure, only rows in which it is a number.
        """
        ...

    async def values_like(self, table: StoredTable, column: str, words: Sequence[str], limit: int) -> Sequence[Value]:
        """Return the values of a column that share words with a question, best first (rule G10).

        Each word gives every value that it matches 1 / (number of values it matches); the highest sums come first, ties
        in the order of the column's values. Words and matching are those of rule G9.
        """
        ...

    async def values(self, table: StoredTable, column: str, limit: int) -> Sequence[ValueCount]:
        """Return the first `limit` different values of a column, most frequent first, periods in their order."""
        ...
