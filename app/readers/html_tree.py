"""HTML and XHTML as one small tree, whichever parser built it."""

import html
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import IntFlag
from sys import intern

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from app.readers.html_guard import guarded

_XHTML = "http://www.w3.org/1999/xhtml"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
#: What a document that should be read as XML opens with.
_XML_OPENING = re.compile(
    rf"\s*+(?:<\?xml\s|(?:<!--(?:(?!-->).)*+-->\s*+)*+(?:<!doctype[^>\[]*+>\s*+)?+"
    rf"<html\s[^>]*\bxmlns\s*=\s*[\"']{re.escape(_XHTML)}[\"'])",
    re.IGNORECASE | re.DOTALL,
)
_XML_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*>")
_NAMED_REFERENCE = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")
_XML_NAMES = frozenset({"lt;", "gt;", "amp;", "quot;", "apos;"})


class Holds(IntFlag):
    """What an element has among its descendants."""

    NOTHING = 0
    SECTION = 1
    HEADING = 2
    MATH = 4
    PRE = 8
    TABLE = 16
    QUOTE = 32
    SPEAKER = 64


_HELD = {
    "article": Holds.SECTION,
    "main": Holds.SECTION,
    **{f"h{level}": Holds.HEADING for level in range(1, 7)},
    "math": Holds.MATH,
    "pre": Holds.PRE,
    "xmp": Holds.PRE,
    "listing": Holds.PRE,
    "table": Holds.TABLE,
    "blockquote": Holds.QUOTE,
}


#: Shared, as most elements have none.
_NO_ATTRIBUTES: dict[str, str] = {}


class Element:
    """An element with its attributes, and its children in order: elements and texts."""

    __slots__ = ("attributes", "children", "holds", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None") -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element | str] = []
        self.holds = 0

    @property
    def classes(self) -> list[str]:
        """Class tokens as written."""
        return self.attributes.get("class", "").split()

    @property
    def role(self) -> str:
        """The role, trimmed and in lower case."""
        return self.attributes.get("role", "").strip().lower()

    def elements(self) -> Iterator["Element"]:
        """Child elements."""
        return (child for child in self.children if isinstance(child, Element))

    def descendants(self) -> Iterator["Element"]:
        """Elements inside, in document order."""
        stack = [child for child in reversed(self.children) if isinstance(child, Element)]
        while stack:
            element = stack.pop()
            yield element
            stack += [child for child in reversed(element.children) if isinstance(child, Element)]

    def texts(self, skipped: Set["Element"], most: int | None = None) -> Iterator[str]:
        """Yield the texts inside, but for what stands in `skipped` elements.

        Where there are more than `most` elements and texts, the last one yielded is "…".
        """
        stack = [iter(self.children)]
        seen = 0
        while stack:
            child = next(stack[-1], None)
            seen += 1
            if child is None:
                stack.pop()
            elif most is not None and seen > most:
                yield "…"
                return
            elif isinstance(child, str):
                yield child
            elif child not in skipped:
                stack.append(iter(child.children))

    def is_small(self, limit: int) -> bool:
        """True when the elements and the characters inside are at most `limit` together; no more are looked at."""
        size = 0
        stack: list[Element | str] = [self]
        while stack and size <= limit:
            child = stack.pop()
            if isinstance(child, str):
                size += len(child)
            else:
                size += 1
                stack += child.children[: limit - size + 1]
        return size <= limit

    def text(self, without: frozenset[str] = frozenset()) -> str:
        """All text inside, as it is, but for what stands in elements of the tags `without`."""
        parts: list[str] = []
        stack = self.children[::-1]
        while stack:
            child = stack.pop()
            if isinstance(child, str):
                parts.append(child)
            elif child.tag not in without:
                stack += reversed(child.children)
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed document: its root, and every element in document order."""

    root: Element
    elements: list[Element]
    warnings: tuple[str, ...] = ()


def parse_document(source: str, *, xml: bool) -> Tree:
    """Parse a page; as XML first when it is said or says itself to be XHTML.

    Raises:
        TooDeep: more elements are open at once than a page may have.
    """
    if xml or _XML_OPENING.match(source):
        text, warnings = guarded(source, xml=True)
        root = _parse_xml(text) if not warnings else None
        if root is not None:
            return _from_lxml(root)
    text, warnings = guarded(source)
    root_node = LexborHTMLParser(text, scripting=True).root
    return _from_lexbor(root_node, warnings)


def parse_fragment(source: str) -> Tree:
    """Parse HTML as it may stand inside a `div`.

    Raises:
        TooDeep: see `parse_document`.
    """
    text, warnings = guarded(source)
    return _from_lexbor(LexborHTMLParser(f"<body>{text}", scripting=True).root, warnings)


def note_held(elements: list[Element]) -> None:
    """Tell every element what its children hold; elements come in document order."""
    for element in reversed(elements):
        if element.parent is not None:
            element.parent.holds |= element.holds | _HELD.get(element.tag, 0)


def _from_lexbor(node: LexborNode | None, warnings: tuple[str, ...]) -> Tree:
    root = Element("html", {}, None)
    elements = [root]
    if node is None:
        return Tree(root, elements, warnings)
    root.attributes = {name: value or "" for name, value in node.attributes.items()}
    stack = [(node, root)]
    while stack:
        node, element = stack.pop()
        children = element.children
        opened = []
        for child in node.iter(include_text=True):
            tag = child.tag
            if tag == "-text":
                children.append(child.text_content or "")
            elif tag is not None and tag[0] != "-":
                written = child.attributes
                attributes = {name: value or "" for name, value in written.items()} if written else _NO_ATTRIBUTES
                # Pages have many elements, of few tags.
                inner = Element(intern(tag), attributes, element)
                children.append(inner)
                opened.append((child, inner))
        stack += reversed(opened)
        if element is not root:
            elements.append(element)
    return Tree(root, elements, warnings)


def _parse_xml(source: str) -> "etree._Element | None":
    """Parse XHTML as XML, or return None when it is not well formed. Nothing outside the document is read."""
    if re.search(r"<!(?:entity|doctype[^>\[]*\[)", source[:100_000], re.IGNORECASE):
        return None
    source = _XML_DECLARATION.sub("", source, count=1)
    source = _NAMED_REFERENCE.sub(lambda match: match[0] if match[1] in _XML_NAMES else html.unescape(match[0]), source)
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(source.encode(), parser)
    except etree.XMLSyntaxError:
        return None
    return root if etree.QName(root).localname.lower() == "html" else None


def _from_lxml(top: "etree._Element") -> Tree:
    root = Element("html", {}, None)
    elements: list[Element] = []
    stack = [(top, root)]
    while stack:
        node, element = stack.pop()
        elements.append(element)
        element.attributes = {_local(str(name)): str(value) for name, value in node.attrib.items()}
        opened = []
        if node.text:
            element.children.append(node.text)
        for child in node:
            if isinstance(child.tag, str):
                inner = Element(_local(child.tag), {}, element)
                element.children.append(inner)
                opened.append((child, inner))
            if child.tail:
                element.children.append(child.tail)
        stack += reversed(opened)
    return Tree(root, elements)


def _local(name: str) -> str:
    """Return a name without its namespace, in lower case; `xml:lang` is `lang`."""
    return "lang" if name == _XML_LANG else name.rpartition("}")[2].lower()
