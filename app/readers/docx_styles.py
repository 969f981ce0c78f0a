"""Styles of a DOCX document: what a paragraph or run inherits (readers design, section 11)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.readers.docx_package import Element, W

_MOST_STEPS = 20
_HEADING = re.compile(r"heading ?([1-9])\Z")
#: Word's own list styles: their numberings have one level, their number says how deep they are set.
_LIST = re.compile(r"list (?:bullet|number) ([2-5])\Z")
_CODE_NAMES = ("code", "source", "preformatted")
_NUMBER = re.compile(r"-?\d{1,9}\Z")
_OFF = frozenset({"0", "false", "off", "none"})
_HIGHEST_OUTLINE = 8
_LOWEST_HEADING = 6
_VALUE = f"{W}val"
_BASED_ON = f"{W}basedOn"
_DEFAULT = f"{W}default"
_NAME = f"{W}name"
_P_PR = f"{W}pPr"
_R_PR = f"{W}rPr"
_STYLE = f"{W}style"
_STYLE_ID = f"{W}styleId"
_TYPE = f"{W}type"


def value(element: Element | None) -> str | None:
    """Return an element's `w:val`."""
    return None if element is None else element.get(_VALUE)


def number(text: str | None, otherwise: int | None = None) -> int | None:
    """Return a whole number as an attribute holds it, or `otherwise`."""
    return int(text) if text is not None and _NUMBER.match(text) else otherwise


def toggle(parent: Element | None, name: str) -> bool | None:
    """Return whether a property that is on or off is on, or None when the parent says nothing of it."""
    element = None if parent is None else parent.find(f"{W}{name}")
    return None if element is None else element.get(_VALUE, "1").lower() not in _OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What a style says with all that it is based on."""

    identifier: str = ""
    #: Lower case.
    name: str = ""
    #: As a heading, or None.
    heading: int | None = None
    #: Numbering and level in it, as far as they are said.
    numbering: str | None = None
    level: int | None = None
    #: The style that says the numbering: levels are linked to it.
    numbered_by: str = ""
    hidden: bool | None = None

    @property
    def is_heading(self) -> bool:
        """True when the name itself makes a heading."""
        return _HEADING.match(self.name) is not None

    @property
    def list_depth(self) -> int:
        """How deep a list in this style is set, beside the levels of its numbering."""
        named = _LIST.match(self.name)
        return int(named[1]) - 1 if named else 0

    @property
    def is_code(self) -> bool:
        """True for what shows source text."""
        return any(word in self.name for word in _CODE_NAMES)


class Styles:
    """The styles of a document, by identifier."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._known: dict[str, Style] = {}
        self._default = ""
        for element in root.iterchildren(_STYLE) if root is not None else ():
            identifier = element.get(_STYLE_ID, "")
            self._elements.setdefault(identifier, element)
            if element.get(_TYPE) == "paragraph" and element.get(_DEFAULT, "0") not in _OFF:
                self._default = identifier

    def paragraph(self, identifier: str | None) -> Style:
        """Return the style of a paragraph that names it, or the default."""
        return self.get(identifier if identifier is not None else self._default)

    def get(self, identifier: str) -> Style:
        """Return a style; one that is not defined goes by its identifier."""
        style = self._known.get(identifier)
        if style is None:
            style = self._known[identifier] = self._resolve(identifier)
        return style

    def _resolve(self, identifier: str) -> Style:
        heading = numbering = level = hidden = None
        outline_said, numbered_by = False, ""
        for element in self._chain(identifier):
            properties = element.find(_P_PR)
            if not outline_said:
                named = _HEADING.match(_name(element) or "")
                outline = number(value(_find(properties, "outlineLvl")))
                outline_said = named is not None or outline is not None
                heading = int(named[1]) if named else heading_level(outline)
            own = _find(properties, "numPr")
            if numbering is None and (numbering := value(_find(own, "numId"))) is not None:
                numbered_by = element.get(_STYLE_ID, "")
            level = number(value(_find(own, "ilvl"))) if level is None else level
            hidden = toggle(element.find(_R_PR), "vanish") if hidden is None else hidden
        name = _name(self._elements.get(identifier)) or identifier.lower()
        if identifier not in self._elements and (named := _HEADING.match(name)):
            heading = int(named[1])
        return Style(
            identifier=identifier,
            name=name,
            heading=None if heading is None else min(heading, _LOWEST_HEADING),
            numbering=numbering,
            level=level,
            numbered_by=numbered_by,
            hidden=hidden,
        )

    def _chain(self, identifier: str) -> Iterator[Element]:
        """Yield a style's element and those it is based on; a circle ends by the number of steps."""
        element = self._elements.get(identifier)
        for _ in range(_MOST_STEPS + 1):
            if element is None:
                return
            yield element
            element = self._elements.get(value(element.find(_BASED_ON)) or "")


def heading_level(outline: int | None) -> int | None:
    """Return the level of a heading with an outline level; 9 means body text."""
    if outline is None or not 0 <= outline <= _HIGHEST_OUTLINE:
        return None
    return min(outline + 1, _LOWEST_HEADING)


def _name(element: Element | None) -> str | None:
    name = value(element.find(_NAME)) if element is not None else None
    return None if name is None else " ".join(name.lower().split())


def _find(parent: Element | None, name: str) -> Element | None:
    return None if parent is None else parent.find(f"{W}{name}")
