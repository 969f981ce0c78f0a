"""Flow collections of YAML that are too long for their line, printed a node per line (markup design, section 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.markup.measure import INDENT
from app.markup.outline import Node
from app.markup.printed import Printer, print_tree


@dataclass(slots=True)
class Flow:
    """A flow collection that is to be printed."""

    node: Node
    #: Line and column where its text starts, and where it ends.
    start: tuple[int, int]
    end: tuple[int, int]
    #: Its opening bracket as it is written, with anchor and tag.
    opening: str
    #: True when it is all that a document holds.
    root: bool


class Layout:
    """The lines of a file with some flow collections printed; nodes are moved to where they are now.

    Args:
        lines: The file's.
        flows: What is to be printed, in order; no two share a line.
        written: What stands before the value of each node in a flow, and the value or its opening bracket.
    """

    def __init__(self, lines: Sequence[str], flows: Sequence[Flow], written: Mapping[Node, tuple[str, str]]) -> None:
        self._lines = lines
        self._flows = flows
        self._written = written
        self._printer = Printer()
        #: Where each line of the file starts by now, and where it ends.
        self._first: list[int] = []
        self._last: list[int] = []

    def print(self, root: Node) -> tuple[list[str], bytearray]:
        """Return the new lines, and which of them are bare as far as printing knows."""
        for flow in self._flows:
            (first, column), (last, end) = flow.start, flow.end
            self._copy(first)
            self._first += [self._printer.at] * (last - first + 1)
            self._print(flow, self._lines[first][:column], self._lines[last][end:])
            self._last += [self._printer.at - 1] * (last - first + 1)
        self._copy(len(self._lines))
        self._move(root)
        return self._printer.lines, self._printer.bare

    def _copy(self, end: int) -> None:
        for line in self._lines[len(self._first) : end]:
            self._first.append(self._printer.at)
            self._last.append(self._printer.at)
            self._printer.plain(line)

    def _print(self, flow: Flow, prefix: str, suffix: str) -> None:
        node = flow.node
        span = node.start, node.opening, node.end
        indent = prefix[: len(prefix) - len(prefix.lstrip(INDENT))]
        closing = "}" if flow.opening.endswith("{") else "]"
        if node.children:
            self._printer.open(node, prefix + flow.opening, bare=flow.root and len(flow.opening) == 1)
            print_tree(self._printer, node, f"{indent}  ", self._written.__getitem__)
            self._printer.close(node, indent + closing + suffix, bare=not suffix.strip())
        else:
            self._printer.leaf(node, prefix + flow.opening + closing + suffix)
            self._printer.bare[-1] = flow.root and not suffix.strip()
        # It is moved like every node of the file; what lies below it has its place already.
        node.start, node.opening, node.end = span

    def _move(self, root: Node) -> None:
        printed = {flow.node for flow in self._flows}
        stack = [root]
        while stack:
            node = stack.pop()
            if node.opening >= 0:
                node.opening = self._first[node.opening]
            if node.end > node.start:
                node.start, node.end = self._first[node.start], self._last[node.end - 1] + 1
            if node not in printed:
                stack += node.children
