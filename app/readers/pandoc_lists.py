"""Lists of Pandoc's tree (readers design, sections 5 and 13)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from app.readers.list_tree import BULLET, Item, ItemContent, NestedList, defined, numbered
from app.readers.numerals import letters, roman
from app.readers.pandoc_dialect import Dialect, Node
from app.readers.pandoc_inlines import InlineReader, at_line_breaks
from app.readers.pandoc_marks import ITEM_MARKER

_BOXES = {"\u2610": "[ ]", "\u2611": "[x]", "\u2612": "[x]"}
_STYLES: dict[str, Callable[[int], str]] = {
    "LowerAlpha": letters,
    "UpperAlpha": lambda number: letters(number).upper(),
    "LowerRoman": roman,
    "UpperRoman": lambda number: roman(number).upper(),
}

#: Reads the blocks of an item.
Content = Callable[[Sequence[Node]], list[ItemContent]]


def bullet_list(items: Sequence[Any], content: Content) -> NestedList:
    """Return a `BulletList`."""
    return NestedList(tuple(_item(BULLET, content(blocks)) for blocks in items))


def ordered_list(value: Any, content: Content) -> NestedList:  # noqa: ANN401 - a node's own payload
    """Return an `OrderedList`, its items numbered as their reader sees them."""
    (start, style, _), items = value
    shown = _STYLES.get(style["t"], str)
    return NestedList(
        tuple(_item(numbered(shown(number)), content(blocks)) for number, blocks in enumerate(items, start))
    )


def definition_list(value: Any, content: Content, inlines: InlineReader, dialect: Dialect) -> NestedList:  # noqa: ANN401
    """Return a `DefinitionList`: an item for every definition."""
    return NestedList(tuple(_definitions(value, content, inlines, dialect)))


def _item(marker: str, content: list[ItemContent]) -> Item:
    if content and isinstance(content[0], str):
        text = content[0]
        if text[0] in _BOXES:
            text = _BOXES[text[0]] + text[1:]
        elif own := ITEM_MARKER.match(text):
            marker, text = f"{own[1].strip()} ".lstrip() or BULLET, text[own.end() :]
        content[0:1] = [text] if text else []
    return Item(marker, tuple(content))


def _definitions(value: Any, content: Content, inlines: InlineReader, dialect: Dialect) -> Iterator[Item]:  # noqa: ANN401
    waiting: list[str] = []
    for term, definitions in value:
        waiting += filter(None, (inlines.text(part) for part in at_line_breaks(term)))
        bodies = [body for blocks in definitions if (body := content(blocks))]
        if not bodies and dialect.joins_terms:
            continue
        for body in bodies or [[]]:
            yield Item(defined(waiting), tuple(body)) if waiting else _item(dialect.without_term, body)
        waiting = []
    if waiting:
        yield Item(defined(waiting))
