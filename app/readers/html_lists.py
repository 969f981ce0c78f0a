"""Lists in HTML: what stands before an item, and what kind of list a `dl` is (readers design, section 10)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from app.readers.cleaning import prose
from app.readers.html_tree import Element, Holds
from app.readers.list_tree import BULLET, numbered

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")
_LETTERS = 26
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LARGEST_ROMAN = 3999
_POINT = re.compile(r"\(?(?:\d{1,3}|[a-z]{1,2}|[ivxlcdm]{1,6})[.)]\Z|[-\u2013•*·]\Z", re.IGNORECASE)
#: Nodes and characters of the largest enumeration mark.
_LARGEST_POINT = 100


class Terms(Enum):
    """What a `dl` is used for."""

    DEFINITIONS = auto()
    #: Points of a statute: the terms are enumeration marks.
    POINTS = auto()
    #: Entries of a reference: the terms are signatures.
    SIGNATURES = auto()
    #: Speeches: what it holds is read as if there were no list.
    SPEECHES = auto()


@dataclass(slots=True)
class Numbering:
    """Gives out the markers of a list's items."""

    ordered: bool
    style: str = "1"
    next: int = 1
    step: int = 1

    def marker(self, item: Element) -> str:
        """Return an item's marker."""
        if not self.ordered:
            return BULLET
        value = _integer(item.attributes.get("value"))
        at = self.next if value is None else value
        self.next = at + self.step
        return numbered(_label(at, self.style))


def numbering(element: Element) -> Numbering:
    """Return how a list counts, by its `start`, `type` and `reversed`."""
    if element.tag != "ol":
        return Numbering(ordered=False)
    attributes = element.attributes
    step = -1 if "reversed" in attributes else 1
    start = _integer(attributes.get("start"))
    if start is None:
        start = sum(child.tag == "li" for child in element.elements()) if step < 0 else 1
    return Numbering(True, attributes.get("type", "").strip() or "1", start, step)


def terms_kind(element: Element, is_dropped: Callable[[Element], bool]) -> Terms:
    """Return what a `dl` is used for."""
    if element.holds & Holds.SPEAKER:
        return Terms.SPEECHES
    parts = list(_parts(element))
    terms = [part for part in parts if isinstance(part, Element) and part.tag == "dt" and not is_dropped(part)]
    if terms and "sig" in terms[0].classes:
        return Terms.SIGNATURES
    loose = any(isinstance(part, str) and part.strip() for part in parts)
    if (
        terms
        and not loose
        and all(term.is_small(_LARGEST_POINT) and _POINT.match(prose(term.text())) for term in terms)
    ):
        return Terms.POINTS
    return Terms.DEFINITIONS


def _parts(element: Element) -> Iterator[Element | str]:
    """Yield what a `dl` holds, with the content of the `div`s that group it."""
    for child in element.children:
        if isinstance(child, Element) and child.tag == "div":
            yield from child.children
        else:
            yield child


def _integer(written: str | None) -> int | None:
    match = _NUMBER.match(written or "")
    return int(match[1]) if match else None


def _label(number: int, style: str) -> int | str:
    if style in {"a", "A"} and number > 0:
        label = ""
        while number:
            number, letter = divmod(number - 1, _LETTERS)
            label = chr(ord("a") + letter) + label
        return label if style == "a" else label.upper()
    if style in {"i", "I"} and 0 < number <= _LARGEST_ROMAN:
        label = ""
        for value, digits in _ROMAN:
            count, number = divmod(number, value)
            label += digits * count
        return label if style == "i" else label.upper()
    return number
