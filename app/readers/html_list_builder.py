"""Lists of HTML to content (readers design, section 5, "Lists" and "Definition lists", and section 10)."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.documents.values import JsonObject
from app.readers.html_content import Frame, Items, Kind, item_content, longest_link
from app.readers.html_lists import Terms, numbering, terms_kind
from app.readers.html_tree import Element, Holds
from app.readers.html_walk import Leave, Walk
from app.readers.list_tree import BULLET, Item, defined


@dataclass(slots=True)
class _Terms:
    """An open `dl`: its kind, the terms that wait for a definition, and whether they have got one."""

    kind: Terms
    terms: list[str] = field(default_factory=list)
    defined: bool = False


class ListBuilder:
    """Reads the elements that lists are made of.

    Args:
        walk: Over the document.
        drops: Tells what is no reading matter.
    """

    def __init__(self, walk: Walk, drops: Callable[[Element], bool]) -> None:
        self._walk = walk
        self._drops = drops
        self._terms: list[_Terms] = []

    def list(self, element: Element) -> None:
        """Read `ul`, `ol` or `menu`; one of speeches is read as if it were no list."""
        if element.holds & Holds.SPEAKER and self._walk.frame.kind is Kind.FLOW:
            self._walk.block(element)
        else:
            self._walk.open(element, Frame(Kind.LIST, numbering=numbering(element)), self._end_list)

    def item(self, element: Element) -> None:
        """Read `li`. Items outside of any list make one of their own."""
        frame = self._walk.frame
        if frame.kind is Kind.LIST:
            self._open_item(element, frame.numbering.marker(element))
        elif element.holds & Holds.SPEAKER and frame.kind is Kind.FLOW:
            self._walk.block(element)
        else:
            self._walk.flush()
            self._walk.push(Frame(Kind.LIST, items=Items([], bare=True)))
            self._open_item(element, BULLET, self._end_bare)

    def definitions(self, element: Element) -> None:
        """Read `dl`."""
        self._walk.flush()
        terms = _Terms(terms_kind(element, self._drops))
        self._terms.append(terms)
        if terms.kind in {Terms.SIGNATURES, Terms.SPEECHES}:
            self._walk.visit(element, self._end_entries)
        else:
            self._walk.open(element, Frame(Kind.LIST), self._end_definitions)

    def term(self, element: Element) -> None:
        """Read `dt`."""
        terms = self._terms[-1] if self._terms else None
        if terms is not None and terms.kind is Terms.SIGNATURES:
            self._walk.line(element, lambda text: self._signature(element, text))
        elif terms is None or terms.kind is Terms.SPEECHES or self._walk.frame.kind is not Kind.LIST:
            self._walk.block(element)
        else:
            self._walk.line(element, lambda text: self._end_term(terms, text))

    def definition(self, element: Element) -> None:
        """Read `dd`."""
        terms = self._terms[-1] if self._terms else None
        if terms is None or terms.kind in {Terms.SIGNATURES, Terms.SPEECHES} or self._walk.frame.kind is not Kind.LIST:
            self._walk.block(element)
            return
        if terms.kind is Terms.DEFINITIONS:
            marker = defined(terms.terms) if terms.terms else BULLET
        else:
            marker = f"{' '.join(terms.terms)} " if terms.terms and not terms.defined else ""
        terms.defined = True
        self._open_item(element, marker)

    def _end_list(self, frame: Frame) -> None:
        if not frame.items.items:
            return
        content = self._walk.frame.content
        before = content[-1] if content else None
        if frame.items.bare and isinstance(before, Items) and before.bare:
            before.items += frame.items.items
            before.longest_link = max(before.longest_link, frame.items.longest_link)
        else:
            self._walk.add(frame.items)

    def _end_bare(self) -> None:
        self._end_list(self._walk.frames.pop())

    def _open_item(self, element: Element, marker: str, then: Leave | None = None) -> None:
        items = self._walk.frame.items

        def leave(frame: Frame) -> None:
            items.items.append(Item(marker, item_content(frame.content)))
            items.longest_link = max(items.longest_link, *map(longest_link, frame.content), 0)
            if then is not None:
                then()

        self._walk.open(element, Frame(Kind.ITEM), leave)

    def _end_entries(self) -> None:
        self._walk.flush()
        self._terms.pop()

    def _end_definitions(self, frame: Frame) -> None:
        self._define_nothing(self._terms.pop(), frame.items)
        self._end_list(frame)

    def _end_term(self, terms: _Terms, text: str) -> None:
        if terms.defined:
            terms.terms, terms.defined = [], False
        elif terms.kind is Terms.POINTS:
            self._define_nothing(terms, self._walk.frame.items)
        if text:
            terms.terms.append(text if terms.kind is Terms.POINTS else text.rstrip(": ") or text)

    def _define_nothing(self, terms: _Terms, items: Items) -> None:
        """Add the terms that wait; they get no definition."""
        if terms.terms and not terms.defined:
            is_point = terms.kind is Terms.POINTS
            items.items.append(Item("", tuple(terms.terms)) if is_point else Item(defined(terms.terms)))
        terms.terms, terms.defined = [], False

    def _signature(self, element: Element, text: str) -> None:
        entry = element.attributes.get("id", "").strip()
        meta: JsonObject = {"entry": entry, "signature": text} if entry else {}
        if text:
            self._walk.paragraph(text, meta=meta)
