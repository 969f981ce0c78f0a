"""YAML to an outline, from the events of the C parser (markup design, sections 3, 8 and 9)."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import yaml
from yaml import CSafeLoader

from app.markup.json_outline import json_outline
from app.markup.links import keyed_references, may_refer
from app.markup.measure import INDENT, quarters
from app.markup.outline import DEEPEST, Escapes, Link, Node, Outline, Reference, too_deep
from app.markup.syntax import BadSyntax
from app.markup.yaml_layout import Flow, Layout
from app.markup.yaml_templates import without_marks
from app.text.whitespace import squash

#: The C parser takes these for line ends; an equally long text without them has the same positions.
_OTHER_LINE_ENDS = {0x85: " ", 0x2028: " ", 0x2029: " "}
_ESCAPED_NUL = re.compile(r"\\(?:0|x00|u0000|U00000000)")
_DOCUMENT_MARK = re.compile(r"(?:---|\.\.\.)\s*\Z")
#: What may follow a key, or make up an item's line, that opens a collection and says nothing else.
_BARE_BEHIND_KEY = re.compile(r"\s*+:?\s*+(?:&\S++\s*+)?[\[{]?\s*+\Z")
_BARE_ITEM = re.compile(r"\s*+(?:[-?]\s++)*?-\s*+(?:&\S++\s*+)?[\[{]?\s*+\Z")
_BARE_CLOSING = re.compile(r"[\s\]},]*+\Z")
#: Longest text of a key that is a collection.
_LONGEST_KEY = 1000
_TOO_DEEP = "exceeded maximum nesting depth"


#: The parser's own; as it is typed, every mark might be missing.
Event: TypeAlias = Any
Mark: TypeAlias = Any
_STARTS = frozenset({yaml.MappingStartEvent, yaml.SequenceStartEvent})
_ENDS = frozenset({yaml.MappingEndEvent, yaml.SequenceEndEvent})


def yaml_outline(text: str, most: int) -> Outline:
    """Read a YAML stream. `most` is the size in tokens above which a flow collection on a line is printed.

    Raises:
        BadSyntax: the parser refuses it, also with its template marks masked.
        TooDeep: it is nested too deeply.
    """
    source = text.translate(_OTHER_LINE_ENDS) if not text.isascii() else text
    try:
        return _Reader(source, text, most).outline()
    except BadSyntax as refused:
        masked = without_marks(source)
        if masked != source:
            return _Reader(masked, text, most, masked=True).outline()
        if not text.lstrip().startswith(("{", "[")):
            raise
        # Every JSON text should be YAML; this parser knows no escaped surrogates and few tabs.
        try:
            return json_outline(text)
        except BadSyntax:
            raise refused from None


class _Reader:
    """Builds the outline of one stream.

    Args:
        parsed: What the parser reads.
        source: What lines and texts are taken from; as long as `parsed`, line by line.
        most: See `yaml_outline`.
        masked: Whether texts may have to be taken from `source`.
    """

    def __init__(self, parsed: str, source: str, most: int, *, masked: bool = False) -> None:
        self._parsed = parsed
        self._source = source
        self._lines = source.split("\n")
        if not self._lines[-1]:
            self._lines.pop()
        self._most = most
        self._replaced = 0
        self._checked = bool(_ESCAPED_NUL.search(parsed))
        self._masked_lines = parsed.split("\n") if masked else None
        self._events: Iterator[Event] = iter(())
        #: Nodes by anchor, of this document and so far.
        self._anchors: dict[str, Node] = {}
        self._aliases: dict[Node, Node] = {}
        self._references: list[Reference] = []
        #: Collections with the column behind their key, -1 for items; their opening line may turn out bare.
        self._openers: list[tuple[Node, int]] = []
        self._closers: list[Node] = []
        #: What stands before the value of a node in a flow collection, and the value or its opening bracket.
        self._written: dict[Node, tuple[str, str]] = {}
        self._flows: list[Flow] = []

    def outline(self) -> Outline:
        """Read the stream.

        Raises:
            BadSyntax: the parser refuses it.
            TooDeep: it is nested too deeply.
        """
        root = Node("", None, None, start=0, end=len(self._lines), opening=-1)
        try:
            self._events = yaml.parse(self._parsed, Loader=CSafeLoader)
            documents = self._documents(root)
        except yaml.YAMLError as error:
            raise self._refused(error) from None
        several = len(documents) > 1
        if several:
            root.children = documents
            for number, document in enumerate(documents):
                document.index = number
        elif documents:
            root = documents[0]
            root.index = root.parent = None
        lines, bare = self._lines, bytearray(len(self._lines))
        if self._flows:
            lines, bare = Layout(self._lines, self._flows, self._written).print(root)
        self._mark_bare(lines, bare)
        outline = Outline(
            lines=lines,
            bare=bare,
            root=root,
            references=self._references,
            printed=bool(self._flows),
            escapes=Escapes.IN_QUOTES,
        )
        outline.records = several or any(flow.node is root and flow.opening.endswith("[") for flow in self._flows)
        outline.separate = several
        outline.documents = len(documents) if several else None
        if self._replaced:
            outline.warnings = (f"{self._replaced} NUL characters were replaced by U+FFFD.",)
        if may_refer(self._parsed):
            outline.references += keyed_references(outline)
        return outline

    def _refused(self, error: yaml.YAMLError) -> Exception:
        if isinstance(error, yaml.reader.ReaderError):
            before = self._parsed.encode()[: error.position].decode("utf-8", "ignore")
            return BadSyntax(str(error.reason), before.count("\n") + 1, len(before) - before.rfind("\n"))
        problem, mark = getattr(error, "problem", None) or str(error), getattr(error, "problem_mark", None)
        if _TOO_DEEP in problem:
            return too_deep()
        context = getattr(error, "context", None)
        what = f"{problem} {context}" if context else problem
        return BadSyntax(what) if mark is None else BadSyntax(what, mark.line + 1, mark.column + 1)

    # Documents

    def _documents(self, stream: Node) -> list[Node]:
        documents: list[Node] = []
        boundary = 0
        for event in self._events:
            if not _is(event, yaml.DocumentStartEvent):
                continue
            start = event.start_mark.line if event.explicit and documents else boundary
            if documents:
                documents[-1].end = start
            document = Node("", len(documents), stream, start=start, opening=start - 1)
            documents.append(document)
            self._anchors = {}
            self._content(document, next(self._events), 0, in_flow=False)
            ending = next(self._events)
            boundary = ending.end_mark.line + 1 if ending.explicit else document.end
            document.end = len(self._lines)
        return [document for document in documents if self._says_something(document)]

    def _says_something(self, document: Node) -> bool:
        lines = self._lines[document.start : document.end]
        return any(line.strip() and not _DOCUMENT_MARK.match(line) for line in lines)

    # Nodes

    def _content(self, node: Node, event: Event, depth: int, *, in_flow: bool) -> None:
        """Read what a node holds, from its first event on."""
        if _is(event, yaml.AliasEvent):
            node.end = event.end_mark.line + 1
            target = self._anchors.get(event.anchor)
            if target is not None:
                node.value = target.value
                self._aliases[node] = target
                self._references.append(Reference(node, Link.ALIAS, target=target))
            return
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        if _is(event, yaml.ScalarEvent):
            node.value = self._text(event)
            node.end = self._end_of_scalar(node, event)
            return
        if depth >= DEEPEST:
            raise too_deep()
        flow = bool(event.flow_style)
        inside = in_flow or flow
        if _is(event, yaml.MappingStartEvent):
            ending = self._mapping(node, depth, in_flow=inside)
        else:
            ending = self._sequence(node, depth, in_flow=inside)
        if flow:
            node.end = ending.end_mark.line + 1
            self._closers.append(node)
            if not in_flow:
                self._finish_flow(node, event, ending, root=depth == 0)
        else:
            node.end = max(node.opening + 1, node.children[-1].end if node.children else 0)

    def _mapping(self, node: Node, depth: int, *, in_flow: bool) -> Event:
        """Read entries; returns the event that ends them."""
        children: list[Node] = []
        node.children = children
        floor = node.opening + 1
        for event in self._events:
            if _is(event, yaml.MappingEndEvent):
                return event
            key, end = self._key(event)
            line = event.start_mark.line
            child = Node(key, None, node, opening=line, start=self._with_comments(line, floor))
            children.append(child)
            if _is(event, yaml.ScalarEvent) and event.anchor is not None:
                self._anchors[event.anchor] = child
            value = next(self._events)
            self._content(child, value, depth + 1, in_flow=in_flow)
            floor = child.end = max(child.end, end.line + 1 if end.column else end.line)
            if key == "<<":
                node.merged += tuple(self._aliases[one] for one in (child, *child.children) if one in self._aliases)
            if in_flow:
                self._write(child, f"{self._slice(event.start_mark, end)}: ", value)
            if child.children and end.line == line and not self._lines[line][: event.start_mark.column].strip(" \t-?"):
                self._openers.append((child, end.column))
        raise AssertionError("a mapping ends with an event")

    def _sequence(self, node: Node, depth: int, *, in_flow: bool) -> Event:
        """Read items; returns the event that ends them."""
        children: list[Node] = []
        node.children = children
        floor = node.opening + 1
        for event in self._events:
            if _is(event, yaml.SequenceEndEvent):
                return event
            line = event.start_mark.line if in_flow else self._line_of_item(event.start_mark)
            child = Node("", len(children), node, opening=line, start=self._with_comments(line, floor))
            children.append(child)
            self._content(child, event, depth + 1, in_flow=in_flow)
            floor = child.end
            if in_flow:
                self._write(child, "", event)
            if child.children:
                self._openers.append((child, -1))
        raise AssertionError("a sequence ends with an event")

    def _key(self, event: Event) -> tuple[str, Mark]:
        """Return a key's text and where it ends; a collection is read to its end, and its text is the key."""
        if _is(event, yaml.ScalarEvent):
            return self._text(event), event.end_mark
        if _is(event, yaml.AliasEvent):
            target = self._anchors.get(event.anchor)
            return (target.value if target is not None else None) or f"*{event.anchor}", event.end_mark
        depth, last = 1, event
        while depth:
            last = next(self._events)
            depth += type(last) in _STARTS
            depth -= type(last) in _ENDS
            if depth > DEEPEST:
                raise too_deep()
        return squash(self._slice(event.start_mark, last.end_mark))[:_LONGEST_KEY], last.end_mark

    # Texts and lines

    def _text(self, event: Event) -> str:
        """Return a scalar's decoded text; where the parser saw a masked mark, the text as it is written."""
        text: str = event.value
        start, end = event.start_mark, event.end_mark
        # An empty value may stand behind the last line.
        if self._masked_lines is not None and start.line == end.line < len(self._lines):
            written: str = self._lines[start.line][start.column : end.column]
            if written != self._masked_lines[start.line][start.column : end.column]:
                quoted = event.style in ("'", '"')
                return written[1:-1] if quoted else written
        if self._checked and "\x00" in text:
            self._replaced += text.count("\x00")
            text = text.replace("\x00", "\ufffd")
        return text

    def _slice(self, start: Mark, end: Mark) -> str:
        if start.line == end.line:
            return self._lines[start.line][start.column : end.column] if start.line < len(self._lines) else ""
        between = self._lines[start.line + 1 : end.line]
        last = self._lines[end.line][: end.column] if end.line < len(self._lines) else ""
        return "\n".join([self._lines[start.line][start.column :], *between, last])

    def _end_of_scalar(self, node: Node, event: Event) -> int:
        start, end = event.start_mark, event.end_mark
        if start.index == end.index:
            # Nothing is written: the mark may stand at whatever follows.
            return node.opening + 1
        last = end.line if end.column else end.line - 1
        if event.style in ("|", ">"):
            while last > start.line and not self._lines[last].strip():
                last -= 1
        return int(max(last, node.opening)) + 1

    def _line_of_item(self, mark: Mark) -> int:
        """Return the line of the dash in front of an item."""
        line: int = mark.line
        if line >= len(self._lines) or self._lines[line][: mark.column].rstrip(INDENT).endswith("-"):
            return min(line, len(self._lines) - 1)
        for above in range(line - 1, -1, -1):
            text = self._lines[above].lstrip(INDENT)
            if text.startswith("-"):
                return above
            if text and not text.startswith("#"):
                break
        return line

    def _with_comments(self, line: int, floor: int) -> int:
        """Return the first of the comment lines directly above a line, down to `floor`."""
        while line > floor and self._lines[line - 1].lstrip(INDENT).startswith("#"):
            line -= 1
        return line

    # Flow collections

    def _write(self, node: Node, head: str, event: Event) -> None:
        """Note how a node of a flow collection is printed."""
        written = self._slice(event.start_mark, event.end_mark)
        if type(event) in _STARTS:
            brackets = "{}" if _is(event, yaml.MappingStartEvent) else "[]"
            # A pair in a sequence (`[a: b]`) has no brackets of its own.
            written = squash(written)
            written = written if written.endswith(brackets[0]) else brackets[0]
            written += "" if node.children else brackets[1]
        elif "\n" in written:
            written = json.dumps(node.value, ensure_ascii=False)
        self._written[node] = (squash(head) + " " if head else "", written)

    def _finish_flow(self, node: Node, start: Event, end: Event, *, root: bool) -> None:
        """Decide whether a flow collection stays as it stands, or is printed a node per line."""
        lines = self._lines[start.start_mark.line : end.end_mark.line + 1]
        if root or any(quarters(line.strip()) > 4 * self._most for line in lines):
            opening = squash(self._slice(start.start_mark, start.end_mark))
            first, last = start.start_mark, end.end_mark
            self._flows.append(Flow(node, (first.line, first.column), (last.line, last.column), opening, root))
        else:
            # Only what is printed needs to be known: by it those nodes are told from the others.
            for child in _below(node):
                del self._written[child]

    def _mark_bare(self, lines: list[str], bare: bytearray) -> None:
        for number, line in enumerate(lines):
            if line.startswith(("---", "...")) and _DOCUMENT_MARK.match(line):
                bare[number] = 1
        for node, column in self._openers:
            line = lines[node.opening]
            says_nothing = _BARE_ITEM.match(line) if column < 0 else _BARE_BEHIND_KEY.match(line, column)
            if node not in self._written and node.children[0].opening > node.opening and says_nothing:
                bare[node.opening] = 1
        for node in self._closers:
            if node not in self._written and node.end - 1 > node.opening and _BARE_CLOSING.match(lines[node.end - 1]):
                bare[node.end - 1] = 1


def _is(event: Event, kind: type[yaml.Event]) -> bool:
    return type(event) is kind


def _below(node: Node) -> Iterator[Node]:
    stack = list(node.children)
    while stack:
        one = stack.pop()
        yield one
        stack += one.children
