"""From references to links between pieces (markup design, section 6)."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from app.markup.cut import Piece
from app.markup.outline import Link, Node, Outline, Reference, walk

_POINTER_KEYS = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "operationRef"})
_ANCHOR_KEYS = frozenset({"$anchor", "$dynamicAnchor", "$id", "id"})
_FILE_ENDINGS = (".json", ".yaml", ".yml")


@dataclass(slots=True)
class Links:
    """The links by position of the pieces, and what points out of the document, as it is written."""

    pairs: list[tuple[int, int]]
    external: dict[int, list[str]] = field(default_factory=dict)


def may_refer(text: str) -> bool:
    """True when a text that is to be parsed holds a key that makes references."""
    return any(key in text for key in (*_POINTER_KEYS, "discriminator"))


def keyed_references(outline: Outline) -> Iterator[Reference]:
    """Yield the references that are told by their key: `$ref` and its like, and a discriminator's mapping."""
    for node in walk(outline.root):
        if not node.value:
            continue
        if node.key in _POINTER_KEYS:
            yield Reference(node, Link.POINTER, node.value)
        elif (
            node.parent is not None
            and node.parent.key == "mapping"
            and node.parent.parent is not None
            and node.parent.parent.key == "discriminator"
        ):
            yield Reference(node, Link.SCHEMA, node.value)


def link(outline: Outline, pieces: Sequence[Piece]) -> Links:
    """Return the links, ascending, none twice and none to itself."""
    if not outline.references:
        return Links([])
    owners = _Owners(len(outline.lines), pieces)
    targets = _Targets(outline)
    found: set[tuple[int, int]] = set()
    external: dict[int, list[str]] = {}
    for reference in outline.references:
        source = owners.of_line(reference.source.opening)
        if source is None:
            continue
        target = reference.target or targets.find(reference)
        if target is not None:
            owner = owners.of_node(target)
            if owner is not None and owner != source:
                found.add((source, owner))
        elif _points_outside(reference):
            external.setdefault(source, []).append(reference.written)
    return Links(sorted(found), {source: list(dict.fromkeys(written)) for source, written in external.items()})


def _points_outside(reference: Reference) -> bool:
    """True when a reference that leads nowhere in its document may lead to another file."""
    written = reference.written
    if written.startswith("#"):
        return False
    if reference.kind is Link.POINTER:
        return any(sign in written for sign in "/#.:")
    return reference.kind is Link.SCHEMA and ("/" in written or "#" in written or written.endswith(_FILE_ENDINGS))


class _Owners:
    """Which piece holds a line."""

    def __init__(self, lines: int, pieces: Sequence[Piece]) -> None:
        self._owner = array("i", [-1]) * (lines + 1)
        for number, piece in enumerate(pieces):
            for start, end in piece.ranges:
                # Parts of one line share it; the first stands for all.
                if piece.text is None or self._owner[start] < 0:
                    self._owner[start:end] = array("i", [number]) * (end - start)
        self._next: array[int] | None = None

    def of_line(self, line: int) -> int | None:
        owner = self._owner[line]
        return None if owner < 0 else owner

    def of_node(self, node: Node) -> int | None:
        """Return the owner of a node's first line; else the first piece below it, else the one above."""
        at: Node | None = node
        while at is not None:
            owner = self._first_in(at) if at.start < at.end else self._first_below(at)
            if owner is not None:
                return owner
            at = at.parent
        return None

    def _first_in(self, node: Node) -> int | None:
        if self._owner[node.start] >= 0:
            return self._owner[node.start]
        if self._next is None:
            self._next = array("i", range(len(self._owner)))
            for line in range(len(self._owner) - 2, -1, -1):
                if self._owner[line] < 0:
                    self._next[line] = self._next[line + 1]
        owned = self._next[node.start]
        return self.of_line(owned) if owned < node.end else None

    def _first_below(self, node: Node) -> int | None:
        """Return the owner of the line that an attribute stands on, or the first piece below a table without lines."""
        if not node.children:
            return self.of_line(node.opening)
        return next((self._first_in(below) for below in walk(node) if below.start < below.end), None)


class _Targets:
    """Finds what references name. Children and names are indexed when they are first asked for."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._children: dict[Node, dict[str, Node]] = {}
        self._names: dict[Node, dict[str, Node]] = {}

    def find(self, reference: Reference) -> Node | None:
        root = self._root_of(reference.source)
        written = reference.written
        if reference.kind is Link.ID:
            return self._named(root, written)
        if written == "#" or written.startswith("#/"):
            return self._at(root, written[1:])
        if reference.kind is Link.SCHEMA and not written.startswith("#"):
            schemas = self._at(root, "/components/schemas")
            return None if schemas is None else self._child(schemas, written)
        return self._named(root, unquote(written.removeprefix("#"))) or self._named(root, written)

    def _root_of(self, node: Node) -> Node:
        """Return what a pointer starts from: the document, or the record that the reference stands in."""
        root = self._outline.root
        if not self._outline.separate:
            return root
        while node.parent is not None and node.parent is not root:
            node = node.parent
        return node

    def _at(self, root: Node, pointer: str) -> Node | None:
        node: Node | None = root
        for token in pointer.split("/")[1:]:
            if node is None:
                return None
            node = self._child(node, unquote(token).replace("~1", "/").replace("~0", "~"))
        return node

    def _child(self, node: Node, token: str) -> Node | None:
        if node not in self._children:
            # The last of equal keys wins, as in parsers.
            known = self._children[node] = {}
            for child in node.children:
                known[child.key if child.index is None or child.key else str(child.index)] = child
        return self._children[node].get(token)

    def _named(self, root: Node, name: str) -> Node | None:
        if root not in self._names:
            names = self._names[root] = {}
            xml = self._outline.xml
            keys = ("@id", "@xml:id") if xml else _ANCHOR_KEYS
            for node in walk(root):
                if node.key in keys and node.value and node.parent is not None:
                    names.setdefault(node.value if xml else node.value.removeprefix("#"), node.parent)
        return self._names[root].get(name)
