"""A question to a table, as a typed plan (tabular design, sections g and h)."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from app.documents.table import Value


class Operation(StrEnum):
    """What is computed (rule H5)."""

    LIST = "list"
    SUM = "sum"
    AVERAGE = "average"
    COUNT = "count"
    MAX = "max"
    MIN = "min"
    CHANGE = "change"
    PERCENT = "percent"
    DISTINCT = "distinct"
    SHARE = "share"


class Comparison(StrEnum):
    """How a threshold compares."""

    ABOVE = "above"
    ATLEAST = "atleast"
    BELOW = "below"
    ATMOST = "atmost"


@dataclass(frozen=True, slots=True)
class In:
    """The value is one of these; match keys are compared (rule H2). No blank passes, here and in all others."""

    column: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class NotIn:
    """There is a value, and it is none of these."""

    column: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The period lies between these, ends included; None leaves an end open (rule G11)."""

    column: str
    start: Value
    end: Value


@dataclass(frozen=True, slots=True)
class Threshold:
    """The value is a number and compares so."""

    column: str
    comparison: Comparison
    number: Decimal


@dataclass(frozen=True, slots=True)
class NotBlank:
    """There is a value."""

    column: str


Filter: TypeAlias = In | NotIn | Range | Threshold
Condition: TypeAlias = Filter | NotBlank


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A constraint that was left out because nothing fitted all of them (rule G13)."""

    condition: Condition
    #: Records that fit without it.
    matched: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to compute over one table. Columns are named as the table names them."""

    operation: Operation
    measure: str | None = None
    group: str | None = None
    #: In column order.
    filters: tuple[Filter, ...] = ()
    #: Columns in which records without a value are left out.
    drop_blank: tuple[str, ...] = ()
    #: Columns that should have been filtered, and in which nothing fits the question.
    unmatched: tuple[str, ...] = ()
    #: For `distinct`: the column whose different values are counted.
    of: str | None = None
    #: The group was asked for as a rank, so that period groups are in the order of their figures (rule H11).
    ranked: bool = False
    #: Leave out records marked `total: "maybe"` (question `r0`).
    without_maybe_totals: bool = False
    #: What the plan held before, where a constraint was left out.
    relaxed: Relaxed | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All constraints in plan order: filters, then columns without blanks."""
        return (*self.filters, *(NotBlank(column) for column in self.drop_blank))
