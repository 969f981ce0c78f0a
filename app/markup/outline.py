"""The outline: lines, and the tree of nodes that they hold (markup design, section 3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from app.errors import TooDeep

#: Nested collections or elements beyond this many are refused.
DEEPEST = 200


@dataclass(slots=True, eq=False)
class Node:
    """A mapping entry, item, element, attribute, table or document, with its lines."""

    #: A mapping's key, a tag, `@` and an attribute's name; "" for an item of a sequence and for the root.
    key: str
    #: Position of an item among its siblings, from 0; elements have one when siblings share their tag.
    index: int | None
    #: The node that its path goes on from; None for the root.
    parent: "Node | None"
    #: First line, comments above included, and the line after the last. Equal for a node without lines of its own.
    start: int = 0
    end: int = 0
    #: The line that its key, opening bracket or tag stands on.
    opening: int = 0
    #: Decoded text of a scalar, as the design's table says for each format.
    value: str | None = None
    children: Sequence["Node"] = ()
    #: Nodes that this one takes entries over from (YAML `<<`).
    merged: tuple["Node", ...] = ()
    #: What lies directly inside its lines, where those are other nodes than its children (TOML).
    inside: list["Node"] | None = None

    @property
    def segment(self) -> str:
        """The last segment of its path as it is written: a key, `[i]`, or `tag[i]`."""
        return self.key if self.index is None else f"{self.key}[{self.index}]"


@dataclass(frozen=True, slots=True)
class SharedFields:
    """Hashes of the fields (key and value) that more than one record has: of those named like a name, and of all."""

    words: frozenset[int]
    every: frozenset[int]


class Escapes(StrEnum):
    """Where in a format's lines a backslash opens an escape; by this name a subtree's `escapes` says so."""

    #: JSON: it stands in strings only, and strings are all quoted.
    EVERYWHERE = "everywhere"
    IN_QUOTES = "in quotes"


class Link(Enum):
    """How a reference names its target."""

    #: A JSON Pointer or an anchor's name behind `#`, or another file.
    POINTER = auto()
    #: One of the two before, or the name of a schema.
    SCHEMA = auto()
    #: Known while reading.
    ALIAS = auto()
    #: The id of an XML element.
    ID = auto()


@dataclass(slots=True)
class Reference:
    """A reference as it was found; `written` names its target unless that is known."""

    source: Node
    kind: Link
    written: str = ""
    target: Node | None = None


@dataclass(slots=True, kw_only=True)
class Outline:
    """A data file as lines and nodes."""

    lines: list[str]
    #: Per line, 1 where it holds nothing but a node's opening or closing: keys that the paths repeat, brackets, tags.
    bare: bytearray
    root: Node
    references: list[Reference] = field(default_factory=list)
    #: False where the lines are the file's own.
    printed: bool = False
    #: True when the root's children are records, to be packed (section 4, rule 6).
    records: bool = False
    #: What the records share with others of the document, where those are in other outlines.
    shared: SharedFields | None = None
    #: True when references stay within a record.
    separate: bool = False
    #: How many documents a YAML stream of several holds.
    documents: int | None = None
    #: True when the text needed to be put right before its parser took it.
    lenient: bool = False
    xml: bool = False
    #: Where in the lines characters may be written with a backslash: nowhere, everywhere, or in quotes.
    escapes: Escapes | None = None
    warnings: tuple[str, ...] = ()


def too_deep() -> TooDeep:
    """Return the error that names the limit."""
    return TooDeep(f"The document is nested over {DEEPEST} levels deep.")


def walk(root: Node) -> Iterator[Node]:
    """Yield a node and all below it, each before its children, in source order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))
