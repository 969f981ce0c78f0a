"""Text of a shape of a slide as paragraphs and lists (readers design, section 5)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.readers import cleaning
from app.readers.list_tree import BULLET, Item, ItemContent, NestedList, numbered
from app.readers.numerals import letters, roman
from app.readers.package_parts import Element

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MATHEMATICS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_TEXTS = frozenset({f"{A}t", _MATHEMATICS})
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
FALLBACK = f"{_MC}Fallback"
ALTERNATIVES = f"{_MC}AlternateContent"
_BULLETS = frozenset({f"{A}buChar", f"{A}buBlip"})
_NUMBERS, _NO_BULLET = f"{A}buAutoNum", f"{A}buNone"
_DEEPEST = 8
_SCHEMES: dict[str, Callable[[int], str]] = {
    "alphaLc": letters,
    "alphaUc": lambda number: letters(number).upper(),
    "romanLc": roman,
    "romanUc": lambda number: roman(number).upper(),
}


@dataclass(frozen=True, slots=True)
class _Entry:
    """An item of a list that is not nested yet."""

    level: int
    marker: str
    text: str


def text_content(body: Element | None, styles: Sequence[Element]) -> list[ItemContent]:
    """Return the text of a shape, a cell or a page of notes.

    Args:
        body: The element that holds its paragraphs.
        styles: Of its layout and its master, the nearest first: they tell which levels have bullets.
    """
    if body is None:
        return []
    own = body.find(f"{A}lstStyle")
    chain = [*([own] if own is not None else []), *styles]
    found: list[ItemContent] = []
    entries: list[_Entry] = []
    counters: dict[int, tuple[str, int]] = {}
    for paragraph in body.iterchildren(f"{A}p"):
        text = paragraph_text(paragraph)
        if not text:
            continue
        level = _level(paragraph)
        bullet = _bullet(paragraph, level, chain)
        if bullet is not None:
            entries.append(_Entry(level, _marker(bullet, level, counters), text))
            continue
        found += _lists(entries)
        entries, counters = [], {}
        found.append(text)
    return [*found, *_lists(entries)]


def nested(entries: Sequence[tuple[int, str]]) -> list[ItemContent]:
    """Return texts with their levels as a list with bullets."""
    return _lists([_Entry(level, BULLET, text) for level, text in entries])


def paragraph_text(paragraph: Element) -> str:
    """Return a paragraph on one line; of what it holds in two ways, the first."""
    parts: list[str] = []
    stack = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag in _TEXTS:
            parts.append(element.text or "")
        elif element.tag == f"{A}br":
            parts.append(" ")
        elif element.tag != FALLBACK:
            stack.append(iter(element))
    return cleaning.prose("".join(parts))


def number(value: str | None, otherwise: int) -> int:
    """Return an attribute's number."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 10 else otherwise  # noqa: PLR2004


def _lists(entries: Sequence[_Entry]) -> list[ItemContent]:
    return [NestedList(tuple(_items(entries)))] if entries else []


def _items(entries: Sequence[_Entry]) -> Iterator[Item]:
    at = 0
    while at < len(entries):
        entry = entries[at]
        behind = at + 1
        while behind < len(entries) and entries[behind].level > entry.level:
            behind += 1
        yield Item(entry.marker, (entry.text, *_lists(entries[at + 1 : behind])))
        at = behind


def _level(paragraph: Element) -> int:
    properties = paragraph.find(f"{A}pPr")
    return min(number(properties.get("lvl"), 0), _DEEPEST) if properties is not None else 0


def _bullet(paragraph: Element, level: int, styles: Sequence[Element]) -> Element | None:
    """Return what makes a paragraph an item: its own properties, else the nearest style that says something."""
    for properties in (paragraph.find(f"{A}pPr"), *(style.find(f"{A}lvl{level + 1}pPr") for style in styles)):
        for element in properties if properties is not None else ():
            if element.tag == _NO_BULLET:
                return None
            if element.tag in _BULLETS or element.tag == _NUMBERS:
                return element
    return None


def _marker(bullet: Element, level: int, counters: dict[int, tuple[str, int]]) -> str:
    """Return the marker of an item, and count it: deeper levels count anew behind it."""
    for deeper in [other for other in counters if other > level]:
        del counters[deeper]
    if bullet.tag != _NUMBERS:
        counters.pop(level, None)
        return BULLET
    scheme = bullet.get("type", "")
    last = counters.get(level)
    count = last[1] + 1 if last and last[0] == scheme else number(bullet.get("startAt"), 1)
    counters[level] = (scheme, count)
    shown = next((write for name, write in _SCHEMES.items() if scheme.startswith(name)), str)
    return numbered(shown(count))
