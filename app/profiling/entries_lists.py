"""Lists of terms: one entry per item (retrieval design, "Reference sections become entries")."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: A longer beginning of an item is no term.
TERM_CHARS = 60

_MARKER = re.compile(r"(?:-|\w{1,8}[.)])\s++(?:\[[ xX]\]\s++)?")
_TERM = re.compile(rf"(?P<term>\S(?:[^\n]{{0,{TERM_CHARS - 1}}}?\S)?)(?:\s*[:：](?=\s|$)|\s+[-–—](?=\s))")  # noqa: RUF001 - as lists have them


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list with everything nested in it."""

    #: Its term; without one, its first line.
    name: str
    text: str


def term_items(text: str) -> Sequence[Item]:
    """Return the items of a list block's text, or none when not more than half of them open with a term.

    A bullet is taken off, the number of an item stays.
    """
    items = list(_items(text))
    terms = [_TERM.match(_unmarked(item)) for item in items]
    if 2 * sum(term is not None for term in terms) <= len(items):
        return ()
    return [
        Item(name=term["term"] if term else _unmarked(item).partition("\n")[0], text=item.removeprefix("- "))
        for item, term in zip(items, terms, strict=True)
    ]


def _items(text: str) -> Iterator[str]:
    """Yield the lines of each top item; what is indented belongs to the item above."""
    item: list[str] = []
    for line in text.split("\n"):
        if item and not line.startswith(" ") and line.strip():
            yield "\n".join(item)
            item = []
        item.append(line)
    yield "\n".join(item)


def _unmarked(item: str) -> str:
    marker = _MARKER.match(item)
    return item[marker.end() :] if marker else item
