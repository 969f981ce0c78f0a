"""TOML to an outline: the standard parser decodes, a scanner of its own finds the lines (markup design, section 8)."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.markup.links import keyed_references, may_refer
from app.markup.measure import INDENT
from app.markup.outline import DEEPEST, Escapes, Node, Outline, too_deep
from app.markup.syntax import BadSyntax

_BASIC, _LITERAL = r'"(?:[^"\\\n]|\\.)*+"', r"'[^'\n]*+'"
_KEY = re.compile(rf"[ \t]*+({_BASIC}|{_LITERAL}|[A-Za-z0-9_-]++)[ \t]*+(\.?)")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    rf"|{_BASIC}|{_LITERAL}"
)
#: A number, a boolean, or a date, which may have a space before its time.
_WORD = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[^\s,\]}#]*+|[^\s,\]}#]++")
_BLANK = re.compile(r"(?:[ \t\n]++|#[^\n]*+)*+")
_POSITION = re.compile(
    r"^(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL
)
_WITHOUT_STRINGS = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?(?:"""|\Z)'
    r"|'''(?:.|\n)*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+(?:"|$)|\'[^\'\n]*+(?:\'|$)|#[^\n]*+',
    re.MULTILINE,
)
#: More dots in one key than levels are allowed; the parser takes quadratic time for them.
_ENDLESS_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")


def toml_outline(text: str) -> Outline:
    """Read a TOML document.

    Raises:
        BadSyntax: the parser refuses it.
        TooDeep: it is nested too deeply.
    """
    return _Scanner(text, _parsed(text)).outline()


def _parsed(text: str) -> dict[str, Any]:
    if _ENDLESS_KEY.search(_WITHOUT_STRINGS.sub("s", text)):
        raise too_deep()
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise too_deep() from None
    except ValueError as error:
        place = _POSITION.match(str(error))
        if place is None:
            raise BadSyntax(str(error)) from None
        if place["line"] is not None:
            raise BadSyntax(place["what"], int(place["line"]), int(place["column"])) from None
        raise BadSyntax(place["what"], text.count("\n") + 1, len(text) - text.rfind("\n")) from None


class _Scanner:
    """Finds tables, keys and values in a text that is known to be TOML."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self._text = text
        self._data = data
        self._lines = text.split("\n")
        if not self._lines[-1]:
            self._lines.pop()
        self._bare = bytearray(len(self._lines))
        self._at = 0
        self._line = 0
        #: Line after the last statement: comments above the next one reach up to here.
        self._floor = 0
        self._root = Node("", None, None, end=len(self._lines), opening=-1, children=[], inside=[])
        self._by_key: dict[Node, dict[str, Node]] = {}
        #: Tables whose header line says nothing but their name.
        self._headers: list[Node] = []
        #: The tables that the scanner is in, outermost first; each lies in the lines of the one before.
        self._open: list[Node] = [self._root]

    def outline(self) -> Outline:
        """Read all statements."""
        table, values = self._root, self._data
        while self._skip_blank():
            if self._text[self._at] == "[":
                table, values = self._header()
            else:
                self._entry(table, values)
        for header in self._headers:
            # An empty table is content.
            self._bare[header.opening] = bool(header.inside)
        outline = Outline(lines=self._lines, bare=self._bare, root=self._root, escapes=Escapes.IN_QUOTES)
        if may_refer(self._text):
            outline.references = list(keyed_references(outline))
        return outline

    # Statements

    def _header(self) -> tuple[Node, dict[str, Any]]:
        """Read `[a.b]` or `[[a.b]]`; returns the table, and what the parser found in it."""
        line = self._line
        of_array = self._text.startswith("[[", self._at)
        self._at += 2 if of_array else 1
        keys = list(self._keys())
        self._at += 2 if of_array else 1
        node, values = self._table(keys[:-1], self._root, self._data)
        node, found = self._below(node, keys[-1]), values[keys[-1]]
        start = self._with_comments(line)
        if of_array:
            array, index = node, len(node.children)
            node, found = Node("", index, array, children=[]), found[index]
            array.children.append(node)  # type: ignore[attr-defined]  # tables are made with lists
            if array.start == array.end:
                array.start, array.end, array.opening, array.inside = start, line + 1, -1, []
                self._enter(array)
        node.start, node.opening, node.inside = start, line, []
        self._enter(node)
        self._reach(line + 1)
        if not self._text_to_line_end().strip():
            self._headers.append(node)
        return node, found

    def _table(self, keys: Sequence[str], node: Node, values: Mapping[str, Any]) -> tuple[Node, Mapping[str, Any]]:
        """Follow keys down, in arrays of tables to the last table so far."""
        for key in keys:
            node, found = self._below(node, key), values[key]
            if isinstance(found, list):
                node, found = node.children[-1], found[len(node.children) - 1]
            values = found
        return node, values

    def _entry(self, table: Node, values: Mapping[str, Any]) -> None:
        """Read `key = value`."""
        line = self._line
        keys = list(self._keys())
        self._at += 1
        parent, found = table, values
        for key in keys[:-1]:
            parent, found = self._below(parent, key), found[key]
        node = self._below(parent, keys[-1])
        node.start = self._with_comments(line)
        node.opening = line
        self._value(node, found[keys[-1]], _depth(node), starts_line=True)
        assert self._open[-1].inside is not None  # noqa: S101 - set when it was entered
        self._open[-1].inside.append(node)
        self._reach(node.end)

    def _enter(self, node: Node) -> None:
        """Open a table: those that its path doesn't lead through are left."""
        above = set()
        parent = node.parent
        while parent is not None:
            above.add(parent)
            parent = parent.parent
        while self._open[-1] not in above:
            self._open.pop()
        assert self._open[-1].inside is not None  # noqa: S101 - set when it was entered
        self._open[-1].inside.append(node)
        self._open.append(node)

    def _reach(self, end: int) -> None:
        """Let the open tables reach to a line."""
        self._floor = end
        for node in self._open[1:]:
            node.end = end

    def _below(self, node: Node, key: str) -> Node:
        """Return the child of that key; one without lines is made where there is none."""
        known = self._by_key.setdefault(node, {})
        if key not in known:
            known[key] = Node(key, None, node, children=[])
            node.children.append(known[key])  # type: ignore[attr-defined]  # tables are made with lists
            if _depth(known[key]) > DEEPEST:
                raise too_deep()
        return known[key]

    # Values

    def _value(self, node: Node, value: object, depth: int, *, starts_line: bool = False) -> None:
        """Read the value that stands here into a node whose start is set.

        `starts_line` says that nothing but its key stands before it on its line.
        """
        self._skip_blank()
        first = self._text[self._at]
        if first in "[{":
            if depth > DEEPEST:
                raise too_deep()
            opening = self._line
            self._at += 1
            opens_bare = first == "[" and self._text_to_line_end().strip() == ""
            opens_bare = opens_bare and (starts_line or self._lines[opening].strip() == "[")
            if isinstance(value, Mapping):
                self._inline_table(node, value, depth)
            else:
                self._array(node, value, depth)  # type: ignore[arg-type]  # what the parser found here
            self._at += 1
            if opens_bare and node.children:
                self._bare[opening] = 1
            if self._line > opening and self._lines[self._line].strip() in {"]", "],"}:
                self._bare[self._line] = 1
        elif match := _STRING.match(self._text, self._at):
            self._advance(match.end())
            node.value = str(value)
        else:
            match = _WORD.match(self._text, self._at)
            assert match is not None  # noqa: S101 - the parser found a value here
            node.value = match[0]
            self._advance(match.end())
        node.end = self._line + 1

    def _array(self, node: Node, values: Sequence[object], depth: int) -> None:
        children: list[Node] = []
        node.children = children
        floor = self._line + 1
        for position, value in enumerate(values):
            self._skip_blank()
            child = Node("", position, node, opening=self._line, start=self._with_comments(self._line, floor))
            children.append(child)
            self._value(child, value, depth + 1)
            floor = child.end
            self._skip_comma()
        self._skip_blank()

    def _inline_table(self, node: Node, values: Mapping[str, Any], depth: int) -> None:
        children: list[Node] = []
        node.children = children
        while self._skip_blank() and self._text[self._at] != "}":
            line = self._line
            keys = list(self._keys())
            self._at += 1
            parent, found = node, values
            for key in keys[:-1]:
                parent, found = self._below(parent, key), found[key]
            child = self._below(parent, keys[-1])
            child.start = child.opening = line
            self._value(child, found[keys[-1]], depth + len(keys))
            self._skip_comma()

    # Text

    def _keys(self) -> Iterator[str]:
        dotted = True
        while dotted:
            match = _KEY.match(self._text, self._at)
            assert match is not None  # noqa: S101 - the parser found a key here
            self._at = match.end()
            dotted = bool(match[2])
            yield _decoded(match[1])

    def _skip_blank(self) -> bool:
        """Go to what comes next that is neither white space nor comment; False at the end."""
        match = _BLANK.match(self._text, self._at)
        assert match is not None  # noqa: S101 - it matches nothing, too
        self._advance(match.end())
        return self._at < len(self._text)

    def _skip_comma(self) -> None:
        self._skip_blank()
        if self._text[self._at] == ",":
            self._at += 1

    def _advance(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _text_to_line_end(self) -> str:
        end = self._text.find("\n", self._at)
        return self._text[self._at : end if end >= 0 else len(self._text)]

    def _with_comments(self, line: int, floor: int | None = None) -> int:
        """Return the first of the comment lines directly above a line."""
        floor = self._floor if floor is None else floor
        while line > floor and self._lines[line - 1].lstrip(INDENT).startswith("#"):
            line -= 1
        return line


def _decoded(key: str) -> str:
    """Return what a key says, quoted or not."""
    if key[0] == "'" or (key[0] == '"' and "\\" not in key):
        return key[1:-1]
    return key if key[0] != '"' else next(iter(tomllib.loads(f"{key} = 0")))


def _depth(node: Node) -> int:
    depth = 0
    above = node.parent
    while above is not None:
        depth, above = depth + 1, above.parent
    return depth
