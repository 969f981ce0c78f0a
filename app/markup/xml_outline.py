"""XML to an outline, in the printed layout (markup design, sections 3 and 9)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from app.markup.outline import DEEPEST, Link, Node, Outline, Reference, too_deep
from app.markup.printed import Printer
from app.markup.syntax import BadSyntax
from app.text.whitespace import squash

#: Longest text of an entity that is put in its place, and of a comment.
_LONGEST_ENTITY, _LONGEST_COMMENT = 1000, 300
#: Elements whose white space means something, by local name.
_AS_WRITTEN = frozenset({"pre", "code", "programlisting", "screen"})
_REFERENCES = frozenset({"ref", "idref", "idrefs", "linkend"})
_LINKS = frozenset({"href", "target"})
_CDATA = "<![CDATA["
#: Private-use characters; one that the text lacks marks where a CDATA section starts.
_MARKS = [chr(code) for code in range(0xE000, 0xF8FF)]
_XML = "{http://www.w3.org/XML/1998/namespace}"
_LEADING_BLANK_LINES = re.compile(r"\A(?:[ \t]*+\n)++")
_SPACES = re.compile(r"\s+")


def xml_outline(text: str) -> Outline:
    """Read an XML document. Nothing is opened and no entity grows: only short plain ones are put in place.

    Raises:
        BadSyntax: it is not well formed, or uses an external entity.
        TooDeep: it is nested too deeply.
    """
    mark = next((mark for mark in _MARKS if mark not in text), "") if _CDATA in text else ""
    root = _parsed(text.replace(_CDATA, _CDATA + mark) if mark else text, mark)
    # Looking for declarations at every element takes time, and few documents declare any below their root.
    return _Tree(root, mark, declares_below=text.count("xmlns") > len(root.nsmap)).outline()


def _parsed(text: str, mark: str) -> etree._Element:
    data = text.encode()
    parser = _parser(recover=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        # Prefixes that nobody declared come first, whatever else is wrong.
        undefined = etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE
        wrong = next((entry for entry in parser.error_log if entry.type != undefined), None)
        if wrong is None:
            return etree.fromstring(data, _parser(recover=True))
        if wrong.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT and "depth" in wrong.message:
            raise too_deep() from None
        what = wrong.message.replace(mark, "") if mark else wrong.message
        lines = text.split("\n")
        before = lines[wrong.line - 1][: wrong.column] if 0 < wrong.line <= len(lines) else ""
        column = wrong.column - (before.count(mark) if mark else 0)
        raise BadSyntax(what.strip(), wrong.line, max(1, column)) from None


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_pis=True,
        recover=recover,
    )


class _Tree:
    """Prints elements and makes their nodes."""

    def __init__(self, root: etree._Element, mark: str, *, declares_below: bool) -> None:
        self._root = root
        self._mark = mark
        self._declares_below = declares_below
        self._printer = Printer()
        self._references: list[Reference] = []
        dtd = root.getroottree().docinfo.internalDTD
        self._entities = {} if dtd is None else {entity.name: entity for entity in dtd.iterentities()}  # type: ignore[attr-defined]  # the stubs lack it

    def outline(self) -> Outline:
        """Print the document."""
        document = Node("", None, None, opening=-1)
        node = Node(_tag(self._root), None, document)
        document.children = [node]
        before = [one for one in self._root.itersiblings(preceding=True) if _kind(one) is etree.Comment]
        self._element(node, self._root, 1, before[::-1], as_written=False)
        document.end = node.end
        return Outline(
            lines=self._printer.lines,
            bare=self._printer.bare,
            root=document,
            references=self._references,
            printed=True,
            xml=True,
        )

    def _element(
        self, node: Node, element: etree._Element, depth: int, comments: Sequence[etree._Element], *, as_written: bool
    ) -> None:
        """Print an element with the comments before it."""
        if depth > DEEPEST:
            raise too_deep()
        indent = "  " * (depth - 1)
        start = self._printer.at
        for comment in comments:
            self._printer.plain(f"{indent}<!-- {self._comment(comment)} -->")
        attributes, written = self._attributes(node, element)
        tag = node.key + written
        as_written = self._is_as_written(element, as_written)
        if any(text.strip() for text in self._texts(element)):
            self._on_one_line(node, element, f"{indent}<{tag}>", depth, as_written=as_written)
        elif any(isinstance(child.tag, str) for child in element):
            self._printer.open(node, f"{indent}<{tag}>", bare=not written)
            self._children(node, element, depth, as_written=as_written)
            self._printer.close(node, f"{indent}</{node.key}>")
        else:
            self._printer.leaf(node, f"{indent}<{tag}/>")
        for attribute in attributes:
            attribute.start = attribute.end = attribute.opening = node.opening
        node.children = [*attributes, *node.children] if attributes else node.children
        node.start = start

    def _children(self, node: Node, element: etree._Element, depth: int, *, as_written: bool) -> None:
        children: list[Node] = []
        node.children = children
        comments: list[etree._Element] = []
        for child, below in _numbered(node, element):
            if below is None:
                if _kind(child) is etree.Comment:
                    comments.append(child)
                continue
            children.append(below)
            self._element(below, child, depth + 1, comments, as_written=as_written)
            comments = []

    def _on_one_line(self, node: Node, element: etree._Element, tag: str, depth: int, *, as_written: bool) -> None:
        """Print an element that has text of its own: on one line, unless its line breaks mean something."""
        inside: list[Node] = []
        content = self._inline(node, element, depth, inside)
        own = "".join(self._texts(element))
        if as_written and "\n" in content:
            content = _LEADING_BLANK_LINES.sub("", content).rstrip()
            node.value = own
        else:
            content = _SPACES.sub(" ", content).strip()
            node.value = squash(own)
        self._printer.block(node, f"{tag}{content}</{node.key}>".split("\n"))
        for one in inside:
            one.opening = node.opening
            one.start, one.end = (node.start, node.start) if one.key.startswith("@") else (node.start, node.end)

    def _inline(self, node: Node, element: etree._Element, depth: int, inside: list[Node]) -> str:
        """Return what an element holds, in its line; the nodes found are appended to `inside`."""
        parts = [_escaped(self._text(element.text))]
        children: list[Node] = []
        for child, below in _numbered(node, element):
            if below is not None:
                if depth >= DEEPEST:
                    raise too_deep()
                children.append(below)
                attributes, written = self._attributes(below, child)
                content = self._inline(below, child, depth + 1, inside)
                below.value = squash("".join(self._texts(child)))
                below.children = [*attributes, *below.children]
                inside += [below, *attributes]
                parts.append(
                    f"<{below.key}{written}>{content}</{below.key}>" if content else f"<{below.key}{written}/>"
                )
            elif _kind(child) is etree.Entity:
                parts.append(self._entity(child))
            parts.append(_escaped(self._text(child.tail)))
        node.children = children
        return "".join(parts)

    def _attributes(self, node: Node, element: etree._Element) -> tuple[list[Node], str]:
        """Return the nodes of an element's attributes and how they are written, declarations of prefixes first."""
        nodes, written = [], [self._declared(element)] if self._declares_below or element is self._root else []
        for name, value in element.attrib.items():
            local = _local(str(name))
            prefixed = self._prefixed(element, str(name), local)
            text = squash(str(value))
            attribute = Node(f"@{prefixed}", None, node, value=text)
            nodes.append(attribute)
            escaped = _escaped(text).replace('"', "&quot;")
            written.append(f' {prefixed}="{escaped}"')
            if local.lower() in _REFERENCES:
                names = text.split()
            else:
                names = [text] if local.lower() in _LINKS and text.startswith("#") else []
            self._references += [Reference(attribute, Link.ID, one.removeprefix("#")) for one in names]
        return nodes, "".join(written)

    @staticmethod
    def _declared(element: etree._Element) -> str:
        parent = element.getparent()
        above: Mapping[str | None, str] = {} if parent is None else parent.nsmap
        declared = [(prefix, url) for prefix, url in element.nsmap.items() if above.get(prefix) != url]
        return "".join(f' xmlns{f":{prefix}" if prefix else ""}="{url}"' for prefix, url in declared)

    @staticmethod
    def _prefixed(element: etree._Element, name: str, local: str) -> str:
        if not name.startswith("{"):
            # Also a prefix that nobody declared.
            return name
        if name.startswith(_XML):
            return f"xml:{local}"
        url = name[1:].partition("}")[0]
        prefix = next((prefix for prefix, known in element.nsmap.items() if known == url and prefix), None)
        return f"{prefix}:{local}" if prefix else local

    def _is_as_written(self, element: etree._Element, above: bool) -> bool:
        space = element.get(f"{_XML}space")
        if space is not None:
            return space == "preserve"
        if above or _local(str(element.tag)) in _AS_WRITTEN:
            return True
        return bool(self._mark) and any(
            self._mark in text for text in (element.text, *(child.tail for child in element)) if text
        )

    def _texts(self, element: etree._Element) -> Iterator[str]:
        """Yield the element's own texts."""
        yield self._text(element.text)
        for child in element:
            if _kind(child) is etree.Entity:
                yield self._entity(child)
            yield self._text(child.tail)

    def _text(self, text: str | None) -> str:
        if not text:
            return ""
        return text.replace(self._mark, "") if self._mark else text

    def _comment(self, comment: etree._Element) -> str:
        text = squash(comment.text or "")
        text = text.replace(self._mark, "") if self._mark else text
        return text if len(text) <= _LONGEST_COMMENT else f"{text[:_LONGEST_COMMENT]}…"

    def _entity(self, entity: etree._Element) -> str:
        """Return the text of a short plain entity, and any other as it is written."""
        name = entity.name  # type: ignore[attr-defined]  # entities have one
        declared = self._entities.get(name)
        if declared is not None and declared.content is None:
            parent: Any = entity.getparent()
            raise BadSyntax(f"the external entity {name!r} is used", parent.sourceline)
        content = None if declared is None else declared.content
        if content is None or len(content) > _LONGEST_ENTITY or "<" in content or "&" in content:
            return f"&{name};"
        return str(content)


def _numbered(parent: Node, element: etree._Element) -> Iterator[tuple[etree._Element, Node | None]]:
    """Yield what an element holds besides text: elements with their nodes, numbered where several share their tag."""
    several = Counter(child.tag for child in element)
    seen: Counter[object] = Counter()
    for child in element:
        if not isinstance(child.tag, str):
            yield child, None
            continue
        index = seen[child.tag] if several[child.tag] > 1 else None
        seen[child.tag] += 1
        yield child, Node(_tag(child), index, parent)


def _kind(node: etree._Element) -> object:
    """Return the tag, or what makes comments and entities."""
    return node.tag


def _tag(element: etree._Element) -> str:
    if not element.tag.startswith("{"):
        return str(element.tag)
    local = _local(str(element.tag))
    return f"{element.prefix}:{local}" if element.prefix else local


def _local(name: str) -> str:
    """Return a name without namespace or prefix."""
    return name.rpartition("}")[2].rpartition(":")[2]


def _escaped(text: str) -> str:
    """Keep text from being read as a tag; `&` stays plain, so that terms match."""
    return text.replace("<", "&lt;")
