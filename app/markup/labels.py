"""How paths are shown to people: items go by a name of their own (markup design, section 5)."""

import re
from collections.abc import Callable, Iterable, Iterator, Set

from app.markup.outline import Node, Outline, SharedFields
from app.text.whitespace import squash

#: A label longer than the first is cut to the second.
_LONGEST, _CUT = 60, 40
#: Raw segments of a path are kept up to this length.
_LONGEST_RAW = 1000
_WORDS = ("name", "id", "title", "key")
_XML_FIELDS = tuple(field for word in _WORDS for field in (f"@{word}", word))
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")

TOP = "(top level)"


class Labels:
    """Labels of the nodes of one outline. What several nodes need is looked up once."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._fields = _XML_FIELDS if outline.xml else _WORDS
        self._paths: dict[Node, tuple[str, ...]] = {outline.root: ()}
        self._raw: dict[Node, tuple[str, ...]] = {outline.root: ()}
        #: By group of siblings and kind of field: hashes of (field, value) that more than one sibling has.
        self._shared: dict[tuple[Node, str, Callable[[Node], bool]], Set[int]] = {}

    def path(self, node: Node) -> tuple[str, ...]:
        """Return the labels from below the root down to a node."""
        return self._along(node, self._paths, self.label)

    def raw(self, node: Node) -> tuple[str, ...]:
        """Return the segments from below the root down to a node, as they are written."""
        return self._along(node, self._raw, lambda one: one.segment[:_LONGEST_RAW])

    def label(self, node: Node) -> str:
        """Return the label of a node's last segment."""
        if node.index is None:
            return shown(node.key) or '""'
        name = self._name(node)
        key = shown(node.key)
        if name is None:
            return f"{key}[{node.index}]"
        return f"{key}[{name}]"

    @staticmethod
    def _along(node: Node, known: dict[Node, tuple[str, ...]], label: Callable[[Node], str]) -> tuple[str, ...]:
        unknown = []
        above: Node | None = node
        while above is not None and above not in known:
            unknown.append(above)
            above = above.parent
        path = known[above] if above is not None else ()
        for one in reversed(unknown):
            path = (*path, label(one))
            known[one] = path
        return path

    def _name(self, item: Node) -> str | None:
        if self._outline.documents is not None and item.parent is self._outline.root:
            name = _resource(item)
            if name is not None:
                return name
        fields = list(_fields(item))
        for wanted in self._fields:
            for field in fields:
                if field.key == wanted:
                    return _named(field)
        for suits in (_ends_in_a_word, _any):
            suitable = [field for field in fields if suits(field)]
            if suitable:
                shared = self._shared_values(item, suits)
                return _named(
                    next((field for field in suitable if _hash(field.key, field.value) not in shared), suitable[0])
                )
        return None

    def _shared_values(self, item: Node, suits: Callable[[Node], bool]) -> Set[int]:
        parent = item.parent
        assert parent is not None  # noqa: S101 - an item is in a sequence
        known = self._outline.shared
        if known is not None and parent is self._outline.root:
            return known.words if suits is _ends_in_a_word else known.every
        group = (parent, item.key, suits)
        shared = self._shared.get(group)
        if shared is None:
            siblings = (one for one in parent.children if one.index is not None and one.key == item.key)
            shared = self._shared[group] = _repeated(
                {_hash(field.key, field.value) for field in _fields(sibling) if suits(field)} for sibling in siblings
            )
        return shared


def shown(text: str) -> str:
    """Return a key or value as labels show it: on one line, and cut when it is long."""
    text = squash(_CONTROLS.sub(" ", text[: 10 * _LONGEST]))
    return text if len(text) <= _LONGEST else f"{text[:_CUT]}…"


def _fields(item: Node) -> Iterator[Node]:
    """Yield what may name an item: its scalars of one line, then those it takes over and doesn't have itself."""
    own = set()
    for child in item.children:
        if _may_name(child):
            own.add(child.key)
            yield child
    for source in item.merged:
        for child in source.children:
            if _may_name(child) and child.key not in own:
                own.add(child.key)
                yield child


def shared_fields(records: Callable[[], Iterable[Iterable[tuple[str, str]]]]) -> SharedFields | None:
    """Return what records share, given the scalars of each by their keys; None when each has a name of its own.

    The records are gone through up to three times: what is kept of them must not grow with their fields.
    """
    if all(any(key in _WORDS and _is_one_line(value) for key, value in record) for record in records()):
        return None
    return SharedFields(
        frozenset(
            _repeated(
                {_hash(key, value) for key, value in record if _is_one_line(value) and key.lower().endswith(_WORDS)}
                for record in records()
            )
        ),
        frozenset(
            _repeated({_hash(key, value) for key, value in record if _is_one_line(value)} for record in records())
        ),
    )


def _repeated(groups: Iterable[set[int]]) -> set[int]:
    """Return what is in more than one of the groups."""
    seen: set[int] = set()
    repeated: set[int] = set()
    for group in groups:
        repeated |= group & seen
        seen |= group
    return repeated


def _may_name(child: Node) -> bool:
    return child.index is None and child.value is not None and _is_one_line(child.value)


def _is_one_line(value: str) -> bool:
    return "\n" not in value and value != "" and not value.isspace()


def _ends_in_a_word(field: Node) -> bool:
    return field.key.lower().endswith(_WORDS)


def _any(_field: Node) -> bool:
    return True


def _hash(key: str, value: str | None) -> int:
    return hash((key, value))


def _named(field: Node) -> str:
    return f"{shown(field.key.removeprefix('@'))}={shown(field.value or '')}"


def _resource(document: Node) -> str | None:
    """Return kind and name of a document that describes a Kubernetes resource."""
    kind = next((child.value for child in document.children if child.key == "kind" and _may_name(child)), None)
    metadata = next((child for child in document.children if child.key == "metadata"), None)
    name = next((c.value for c in metadata.children if c.key == "name" and _may_name(c)), None) if metadata else None
    return f"{shown(kind)}/{shown(name)}" if kind and name else None
