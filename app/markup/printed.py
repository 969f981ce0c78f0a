"""The printed layout: a node per line, two spaces deeper per level (markup design, section 3)."""

from collections.abc import Callable, Sequence

from app.markup.outline import Node


class Printer:
    """Collects the lines of a layout and gives nodes their spans."""

    def __init__(self, lines: list[str] | None = None, bare: bytearray | None = None) -> None:
        self.lines: list[str] = [] if lines is None else lines
        self.bare = bytearray() if bare is None else bare
        #: The number of the next line. Nodes share it: a number by itself takes as much memory as a short text.
        self._at = len(self.lines)

    @property
    def at(self) -> int:
        """The number of the next line."""
        return self._at

    def plain(self, text: str) -> None:
        """Print a line that belongs to no node in particular."""
        self._at += 1
        self.lines.append(text)
        self.bare.append(0)

    def leaf(self, node: Node, text: str) -> None:
        """Print a node that has a line of its own."""
        node.start = node.opening = self._at
        self._at = node.end = self._at + 1
        self.lines.append(text)
        self.bare.append(0)

    def block(self, node: Node, texts: Sequence[str]) -> None:
        """Print a node that has some lines of its own."""
        node.start = node.opening = self._at
        self._at = node.end = self._at + len(texts)
        self.lines += texts
        self.bare += bytes(len(texts))

    def open(self, node: Node, text: str, *, bare: bool = True) -> None:
        """Print the line that a node with children opens with."""
        node.start = node.opening = self._at
        self._at += 1
        self.lines.append(text)
        self.bare.append(bare)

    def close(self, node: Node, text: str, *, bare: bool = True) -> None:
        """Print the line that it closes with."""
        self.lines.append(text)
        self.bare.append(bare)
        self._at = node.end = self._at + 1


def print_tree(printer: Printer, node: Node, indent: str, written: Callable[[Node], tuple[str, str]]) -> None:
    """Print what lies below a collection that is open: its children, each with what `written` says.

    Args:
        printer: Where to.
        node: A collection.
        indent: Of its children.
        written: Of a node, what stands before its value (`"key": `), and the value or its opening bracket.
    """
    last = len(node.children) - 1
    for position, child in enumerate(node.children):
        comma = "," if position < last else ""
        head, value = written(child)
        if child.children:
            printer.open(child, f"{indent}{head}{value}")
            print_tree(printer, child, f"{indent}  ", written)
            printer.close(child, f"{indent}{'}' if value.endswith('{') else ']'}{comma}")
        else:
            printer.leaf(child, f"{indent}{head}{value}{comma}")
