"""What differs between the formats that become blocks by Pandoc's tree (readers design, section 13)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol, TypeAlias

from app.documents.block import Block
from app.readers.list_tree import ItemContent

#: A node as Pandoc's JSON has it.
Node: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DisplayMath:
    """Mathematics on a line of its own: it parts the paragraph that it stands in."""

    tex: str


#: Inline text: a stretch of it, or mathematics that parts it.
Part: TypeAlias = str | DisplayMath


class Where(Enum):
    """What blocks stand in."""

    TOP = auto()
    #: A list item, a cell or a note: paragraphs are strings that somebody joins.
    INSIDE = auto()
    QUOTE = auto()


class GroupReader(Protocol):
    """Reads what stands in a group, for a dialect that knows the group."""

    def content(self, nodes: Sequence[Node], where: Where) -> list[ItemContent]:
        """Return what blocks read as: paragraphs as strings, lists as their items, the rest as blocks."""

    def heading(self, text: str, level: int) -> Block:
        """Return a heading where it stands."""

    def line(self, nodes: Sequence[Node]) -> str:
        """Return blocks on one line."""

    def verse(self, inlines: Sequence[Node]) -> str:
        """Return inline text with its line breaks."""


class Dialect:
    """What a format has of its own; the defaults suit most."""

    #: True where people type the markup: the address of a link follows its text.
    keeps_addresses = True
    #: True where a table without a marked header has it in its first row.
    first_row_is_header = False
    #: True where a term without a definition shares that of the next one.
    joins_terms = False
    #: The marker of a definition without a term.
    without_term = ""
    #: True where small raised digits mean powers.
    raises_digits = False
    #: True where the label of a heading stands behind it, and Pandoc takes it for the start of the next paragraph.
    labels_follow_headings = False
    #: True where a section is referred to as a source is, and Pandoc tells them apart only in one run.
    cites_sections = False
    #: What Pandoc calls an image without an alternative text.
    unnamed_image = ""

    def heading(self, text: str, level: int) -> tuple[str, int]:
        """Return a heading's text without what its format adds to it, and its level."""
        return text, level

    def identifier(self, text: str) -> str:  # noqa: ARG002
        """Return the label that a heading with this text has when it has none of its own."""
        return ""

    def caption(self, text: str) -> str:
        """Return a listing's caption, which Pandoc hands on as it is written."""
        return text

    def language(self, name: str) -> str:
        """Return a programming language by the name that others call it."""
        return name

    def math(self, tex: str) -> str:
        """Return mathematics without what is no part of it."""
        return tex

    def raw(self, format_name: str, text: str) -> Sequence[Part]:  # noqa: ARG002 - for those that know some
        """Return what markup that Pandoc does not know reads as."""
        return ()

    def siblings(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Return blocks that follow each other, with lists in one that Pandoc parts and their readers see as one."""
        return nodes

    def code_lines(self, inlines: Sequence[Node]) -> str | None:  # noqa: ARG002
        """Return the code that a paragraph of nothing else is, or None where it is a paragraph."""
        return None

    def div(self, classes: Sequence[str], blocks: Sequence[Node], reader: GroupReader) -> list[ItemContent] | None:  # noqa: ARG002
        """Return what a group of blocks reads as, or None where it is an ordinary one."""
        return None

    def skips(self, classes: Sequence[str], pairs: Mapping[str, str]) -> bool:  # noqa: ARG002
        """True for inline text with these classes and attributes that is no text."""
        return False

    def page(self, attributes: Any, text: str) -> int | None:  # noqa: ANN401, ARG002 - a node's own payload
        """Return the number of the page that begins at a mark with these attributes and this text, if it is one."""
        return None


def joined_lists(nodes: Sequence[Node], kinds: Mapping[str, str]) -> Sequence[Node]:
    """Return blocks with lists put together: those of a kind that go on in the next block, by kind."""
    if not any(node["t"] in kinds for node in nodes):
        return nodes
    found: list[Node] = []
    for node in nodes:
        last = found[-1] if found else None
        if last is None or kinds.get(last["t"]) != node["t"]:
            found.append(node)
        elif last["t"] == "OrderedList":
            found[-1] = {"t": last["t"], "c": [last["c"][0], [*last["c"][1], *node["c"][1]]]}
        elif last["t"] == node["t"]:
            found[-1] = {"t": last["t"], "c": [*last["c"], *node["c"]]}
        else:
            # An item without a term among those that have one.
            found[-1] = {"t": last["t"], "c": [*last["c"], *([[], [item]] for item in node["c"])]}
    return found
