"""The terms of units, counted in both spaces."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.documents.document import Unit, UnitKind
from app.terms.exact import exact_terms
from app.terms.folded import folded_terms
from app.terms.written import as_said


@dataclass(frozen=True, slots=True)
class UnitTerms:
    """How often each term occurs in one unit; `*_length` are the sums of the counts."""

    exact: Mapping[str, int]
    folded: Mapping[str, int]
    exact_length: int
    folded_length: int


def searched_text(unit: Unit) -> str:
    r"""Return what a unit is found by: its text and its path. A line break belongs to no term and joins none.

    Of a subtree it is what the text says: `"one\ntwo"` holds the words one and two, and none that begins with an n.
    """
    return "\n".join((_said(unit), *unit.path))


def count_terms(units: Iterable[Unit], language: str | None) -> list[UnitTerms]:
    """Count the terms of each unit, folded by the document's language."""
    return [_count(searched_text(unit), language) for unit in units]


def _said(unit: Unit) -> str:
    escapes = unit.meta.get("escapes")
    if unit.kind is not UnitKind.SUBTREE or not isinstance(escapes, str):
        return unit.text
    label, line_break, lines = unit.text.partition("\n")
    return label + line_break + as_said(lines, escapes)


def _count(text: str, language: str | None) -> UnitTerms:
    exact = Counter(exact_terms(text))
    folded = Counter(folded_terms(text, language))
    return UnitTerms(exact=exact, folded=folded, exact_length=exact.total(), folded_length=folded.total())
