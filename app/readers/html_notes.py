"""Footnotes in HTML: marks, and the bodies kept apart (readers design, section 5, "Notes", and section 10)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.readers.cleaning import prose
from app.readers.html_tree import Element, Holds

_BODIES = frozenset({"li", "p", "div", "dd", "aside"})
_INLINE = frozenset({"a", "b", "cite", "em", "i", "span", "strong", "sup"})
_BACK_CLASSES = frozenset(
    {"footnote-backref", "footnote-back", "reversefootnote", "mw-cite-backlink", "fn-backref", "data-footnote-backref"}
)
_MARK_CLASSES = frozenset({"footnote-ref", "footnote-reference", "noteref"})
_ARROWS = frozenset("↩ ↩︎ ↑ ^ ⏎ ⤴ ↵".split())  # noqa: SIM905 - a list of quoted words reads worse
#: Text of links back and of permalinks.
_NO_LABELS = _ARROWS | set("#§¶")
_BETWEEN_MARKS = re.compile(r"[\s,;\-\u2013\u2014\[\]()]*\Z")
#: The label that a note's text opens with: `[1]`, `(1)`, `1.` or the `^` of a link back.
_OWN_LABEL = re.compile(
    r"(?:\^ )?(?:\[ ?([^\[\]]{0,60}?) ?\][.:]?|\(([^()]{1,60})\)|(\S{1,60}?)[.):\]](?= )|\^(?= )) ?"
)
#: How far above an anchor the element that holds its note may be.
_ABOVE = 4
#: Nodes and characters of the longest mark.
_LONGEST_MARK = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """A link to a note: the note's label as it is shown, and the name of its anchor."""

    link: Element
    label: str
    anchor: str


@dataclass(slots=True)
class Notes:
    """The notes of a page: which elements are their bodies, and which links lead back."""

    #: By the element that holds a note's body: the note's anchor.
    bodies: dict[Element, str] = field(default_factory=dict)
    back_links: set[Element] = field(default_factory=set)


def marks(element: Element) -> list[Mark]:
    """Return the marks that a `sup` consists of: links to an anchor and what parts them. Empty for any other `sup`."""
    if not element.is_small(_LONGEST_MARK):
        return []
    found: list[Mark] = []
    for child in _content(element):
        if isinstance(child, str):
            if not _BETWEEN_MARKS.match(child):
                return []
        elif (mark := _mark(child)) is None:
            return []
        else:
            found.append(mark)
    return found


def linked_mark(link: Element) -> Mark | None:
    """Return the mark that a link is: one that says so, or one around a lone `sup`."""
    attributes = link.attributes
    says_so = (
        link.role == "doc-noteref"
        or "noteref" in attributes.get("epub:type", attributes.get("type", "")).split()
        or not _MARK_CLASSES.isdisjoint(link.classes)
    )
    content = [child for child in link.children if not isinstance(child, str) or child.strip()]
    if says_so or (len(content) == 1 and isinstance(content[0], Element) and content[0].tag == "sup"):
        return _mark(link)
    return None


def find_notes(elements: Sequence[Element]) -> Notes:
    """Find the bodies of the notes that marks lead to.

    A body comes after its mark; a link to what comes before leads back.
    """
    notes = Notes()
    sources = [(element, mark) for element in elements for mark in _marks_of(element)]
    if not sources:
        return notes
    anchors: dict[str, Element] = {}
    places: dict[Element, int] = {}
    for place, element in enumerate(elements):
        places[element] = place
        for name in {
            element.attributes.get("id", ""),
            element.attributes.get("name", "") if element.tag == "a" else "",
        }:
            if name:
                anchors.setdefault(name, element)
    seen: set[str] = set()
    for element, mark in sources:
        if mark.anchor in seen:
            continue
        seen.add(mark.anchor)
        body = _body(anchors.get(mark.anchor), places, places[element])
        if body is not None and body not in notes.bodies:
            notes.bodies[body] = mark.anchor
    for element in elements:
        if element.tag == "a" and _leads_back(element, anchors, places):
            notes.back_links.add(element)
    return notes


def is_back_link(element: Element, notes: Notes) -> bool:
    """True for what leads from a note back to its mark; only asked inside a note."""
    return element in notes.back_links or not _BACK_CLASSES.isdisjoint(element.classes)


def labelled(label: str, text: str) -> str:
    """Return a note's paragraph, with its label in front once."""
    own = _OWN_LABEL.match(text)
    if own is not None and next(filter(None, own.groups()), label) == label:
        text = text[own.end() :]
    return f"[{label}] {text}"


def _marks_of(element: Element) -> list[Mark]:
    if element.tag == "sup":
        return marks(element)
    if element.tag == "a" and (mark := linked_mark(element)) is not None:
        return [mark]
    return []


def _content(element: Element) -> list[Element | str]:
    """Return what an element holds; wrappers without a link of their own are opened."""
    found: list[Element | str] = []
    stack: list[Element | str] = element.children[::-1]
    while stack:
        child = stack.pop()
        if isinstance(child, Element) and child.tag != "a":
            stack += reversed(child.children)
        else:
            found.append(child)
    return found


def _mark(link: Element) -> Mark | None:
    _, sign, anchor = link.attributes.get("href", "").partition("#")
    text = prose(link.text()) if sign and link.is_small(_LONGEST_MARK) else ""
    label = text.removeprefix("[").removesuffix("]").strip() if text.startswith("[") and text.endswith("]") else text
    return Mark(link, label, anchor) if label and label not in _NO_LABELS else None


def _body(target: Element | None, places: dict[Element, int], after: int) -> Element | None:
    """Return the element that holds the note at an anchor, if it comes after its mark."""
    for _ in range(_ABOVE):
        if target is None or target.tag not in _INLINE:
            break
        target = target.parent
    if target is None or target.tag not in _BODIES or places[target] <= after or target.holds & Holds.HEADING:
        return None
    return target


def _leads_back(link: Element, anchors: dict[str, Element], places: dict[Element, int]) -> bool:
    href = link.attributes.get("href", "")
    if not href.startswith("#"):
        return False
    if not _BACK_CLASSES.isdisjoint(link.classes) or link.attributes.get("role", "").strip() == "doc-backlink":
        return True
    target = anchors.get(href[1:])
    if target is not None and places[target] < places[link] and target.tag in _INLINE:
        return True
    return link.is_small(_LONGEST_MARK) and link.text().strip() in _ARROWS
