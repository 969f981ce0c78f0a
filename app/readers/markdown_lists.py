"""The lines of a list block while it is being read (readers design, section 5, "Lists" and "Definition lists")."""

from dataclasses import dataclass, field

_INDENT = "  "


@dataclass(slots=True)
class _List:
    """An open list, ordered when `number` is set, and the state of its open item."""

    number: int | None
    #: What the item's first line opens with, until there is one.
    marker: str | None = None
    #: True while further text joins the item's line.
    joins: bool = False
    item_start: int = 0
    #: Of a definition list: the terms that the next definition is for, and whether they have got one.
    terms: list[str] = field(default_factory=list)
    defined: bool = False


@dataclass(slots=True)
class OpenLists:
    """Nested open lists and the lines of the block that they make. Offsets are whatever the caller counts in."""

    #: How many lists are open.
    depth: int = 0
    _lists: list[_List] = field(default_factory=list)
    #: The lines in parts, line breaks and all.
    _parts: list[str] = field(default_factory=list)
    _start: int = 0
    _end: int = 0

    @property
    def goes_on(self) -> bool:
        """True when the next text goes on with an item in a new block."""
        return bool(self._lists) and not self._parts and self._lists[-1].marker is None

    @property
    def item_start(self) -> int:
        """Where the innermost list's item starts that was opened last."""
        return self._lists[-1].item_start

    def open_list(self, number: int | None) -> None:
        """Open a list, inside the open item if there is one; `number` is that of the first item, None for bullets."""
        if self._lists:
            self._lists[-1].marker, self._lists[-1].joins = None, False
        self._lists.append(_List(number))
        self.depth += 1

    def close_list(self) -> None:
        """Close the innermost list."""
        closed = self._lists[-1]
        if closed.terms and not closed.defined:
            self._define(closed)
            self.text("", closed.item_start, closed.item_start)
        self._lists.pop()
        self.depth -= 1
        if self._lists:
            self._lists[-1].joins = False

    def open_item(self, start: int) -> None:
        """Open an item of the innermost list."""
        top = self._lists[-1]
        indent = _INDENT * (self.depth - 1)
        if top.number is None:
            top.marker = f"{indent}- "
        else:
            top.marker = f"{indent}{top.number}. "
            top.number += 1
        top.joins, top.item_start = False, start

    def close_item(self, start: int, end: int) -> None:
        """Close the innermost item. One without text leaves no line, a definition without text leaves its term."""
        top = self._lists[-1]
        if top.marker is not None and top.terms:
            self.text("", start, end)
        top.marker, top.joins = None, False

    def open_term(self, start: int) -> None:
        """A term of a definition list starts; it joins the terms before it that wait for their definition."""
        top = self._lists[-1]
        if top.defined:
            top.terms, top.defined = [], False
        if not top.terms:
            top.item_start = start

    def add_term(self, term: str) -> None:
        """Note a term's text."""
        self._lists[-1].terms.append(term)

    def open_definition(self, start: int) -> None:
        """A definition of the terms before it starts."""
        top = self._lists[-1]
        if top.defined:
            top.item_start = start
        self._define(top)
        top.joins, top.defined = False, True

    def text(self, text: str, start: int, end: int) -> None:
        """Add text to the open item: to its line, or after a nested list or code as a line one level deeper."""
        top = self._lists[-1]
        if top.joins:
            self._parts.append(f" {text}")
        else:
            if self._parts:
                self._parts.append("\n")
            else:
                self._start = start if top.marker is None else top.item_start
            marker = _INDENT * self.depth if top.marker is None else top.marker
            self._parts.append(marker + text if text else marker.rstrip())
            top.marker, top.joins = None, True
        self._end = end

    def take(self) -> tuple[str, int, int] | None:
        """Return the block so far with its span, or None without lines; lists that are open go on in a new one."""
        for open_list in self._lists:
            open_list.joins = False
        if not self._parts:
            return None
        text = "".join(self._parts)
        self._parts.clear()
        return text, self._start, self._end

    def _define(self, top: _List) -> None:
        top.marker = f"{_INDENT * (self.depth - 1)}- {', '.join(top.terms)}: "
