"""Cuts an outline into pieces that fit a size (markup design, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.markup import SubtreeSizes
from app.errors import TooLarge
from app.markup.labels import Labels
from app.markup.measure import INDENT, Measure, Range, Size, quarters
from app.markup.outline import Node, Outline

#: Units that a document may have (ruling 3).
MOST_UNITS = 50_000


@dataclass(slots=True)
class Piece:
    """What becomes a unit: lines of a node's span, or a part of one line."""

    node: Node
    ranges: list[Range]
    #: Behind the last label: the range of children, or which part it is.
    suffix: str = ""
    part: tuple[int, int] | None = None
    #: The text, where it is less than the lines.
    text: str | None = None


@dataclass(slots=True)
class _Run:
    """Neighbouring lines that stay together: small children, or what lies between them."""

    start: int
    end: int
    first: Node | None = None
    last: Node | None = None


def cut(outline: Outline, measure: Measure, labels: Labels, sizes: SubtreeSizes) -> list[Piece]:
    """Return the pieces of an outline; a node's own lines come before its children.

    Raises:
        TooLarge: there are more than a document may have.
    """
    cutter = _Cutter(outline, measure, labels, sizes)
    if outline.records:
        cutter.records(outline.root)
    else:
        cutter.split(outline.root)
    return cutter.pieces


class _Cutter:
    def __init__(self, outline: Outline, measure: Measure, labels: Labels, sizes: SubtreeSizes) -> None:
        self._lines = outline.lines
        self._measure = measure
        self._labels = labels
        self._most, self._small = sizes.most, min(sizes.small, sizes.most)
        self.pieces: list[Piece] = []

    def records(self, root: Node) -> None:
        """Rule 6: large records on their own, runs of small ones packed."""
        run: list[Node] = []
        size = Size()
        for record in root.children:
            own = self._measure.size(record.start, record.end) if record.end > record.start else Size()
            grown = size.plus(own)
            if run and (own.tokens > self._small or grown.tokens > self._most):
                self._pack(root, run)
                run, grown = [], own
            if own.tokens > self._small:
                self._cut(record)
                size = Size()
            else:
                run.append(record)
                size = grown
        if run:
            self._pack(root, run)

    def _pack(self, root: Node, run: list[Node]) -> None:
        ranges = [(record.start, record.end) for record in run]
        if len(run) == 1:
            self._add(Piece(run[0], ranges))
        else:
            self._add(Piece(root, ranges, self._range_of(run[0], run[-1])))

    def _cut(self, node: Node) -> None:
        """Rule 1."""
        if self._measure.tokens(node.start, node.end) <= self._most:
            self._add(Piece(node, [(node.start, node.end)]))
        else:
            self.split(node)

    def split(self, node: Node) -> None:
        """Rules 2 to 4: the node's own lines, then its large children."""
        inside = self._inside(node)
        if not inside:
            self._own_lines(node, [_Run(node.start, node.end)])
            return
        large = self._large(node, inside)
        self._own_lines(node, self._runs(node, inside, large))
        for detached in (False, True):
            for child in inside:
                if child in large and _is_detached(child, node) == detached:
                    self._cut(child)

    def _inside(self, node: Node) -> list[Node]:
        """Return the nodes directly inside a node's lines, in order.

        One on its parent's opening line (`- block:`) can't be cut from it; when it is too large to stay either, what
        lies inside it is taken for its parent's.
        """
        inside = [child for child in (node.children if node.inside is None else node.inside) if child.start < child.end]
        while any(self._stands_for_its_parent(child, node) for child in inside):
            inside = [
                one
                for child in inside
                for one in (
                    [below for below in child.children if below.start < below.end]
                    if self._stands_for_its_parent(child, node)
                    else [child]
                )
            ]
        return inside

    def _stands_for_its_parent(self, child: Node, node: Node) -> bool:
        return (
            child.start <= node.opening < child.end
            and child.children != []
            and node.end - node.start > 1
            and child.end - child.start > 1
            and self._measure.tokens(child.start, child.end) > self._most
        )

    def _large(self, node: Node, inside: Sequence[Node]) -> set[Node]:
        large = set()
        before = node.opening + 1
        for position, child in enumerate(inside):
            alone = child.start >= before and (position + 1 == len(inside) or inside[position + 1].start >= child.end)
            before = max(before, child.end)
            if alone and self._measure.tokens(child.start, child.end) > self._small:
                large.add(child)
        return large

    @staticmethod
    def _runs(node: Node, inside: Sequence[Node], large: set[Node]) -> list[_Run]:
        """Return what large children leave of a node's lines."""
        runs: list[_Run] = []
        at = node.start
        for child in inside:
            if child.start > at:
                runs.append(_Run(at, child.start))
            if child in large:
                at = child.end
            elif child.start < at and runs and runs[-1].last is not None:
                runs[-1].end = max(runs[-1].end, child.end)
                runs[-1].last = child
                at = runs[-1].end
            else:
                runs.append(_Run(max(at, child.start), child.end, child, child))
                at = child.end
        if at < node.end:
            runs.append(_Run(at, node.end))
        return runs

    def _own_lines(self, node: Node, runs: Sequence[_Run]) -> None:
        """Rule 3: one piece, or several that are filled in order."""
        if not self._measure.has_content((run.start, run.end) for run in runs):
            return
        sizes = [self._measure.size(run.start, run.end) for run in runs]
        whole = Size()
        for size in sizes:
            whole = whole.plus(size)
        if whole.tokens <= self._most:
            self._add(Piece(node, [(run.start, run.end) for run in runs]))
            return
        pack: list[_Run] = []
        packed = Size()
        for run, size in zip(runs, sizes, strict=True):
            grown = packed.plus(size)
            if pack and grown.tokens > self._most:
                self._add_pack(node, pack)
                pack, grown = [], size
            if size.tokens > self._most:
                self._parts(run.first if run.first is not None and run.first is run.last else node, run.start, run.end)
                packed = Size()
            else:
                pack.append(run)
                packed = grown
        self._add_pack(node, pack)

    def _add_pack(self, node: Node, pack: Sequence[_Run]) -> None:
        named = [run for run in pack if run.first is not None]
        first, last = (named[0].first, named[-1].last) if named else (None, None)
        suffix = self._range_of(first, last) if first is not None and last is not None else ""
        self._add(Piece(node, [(run.start, run.end) for run in pack], suffix))

    def _range_of(self, first: Node, last: Node) -> str:
        if first is last:
            return f"({self._labels.label(first)})"
        return f"({self._labels.label(first)} … {self._labels.label(last)})"

    def _parts(self, node: Node, start: int, end: int) -> None:
        """Rule 5: cut at line ends, and lines that are too long at spaces."""
        parts: list[Piece] = []
        at = start
        size = Size()
        for number in range(start, end):
            own = self._measure.size(number, number + 1)
            grown = size.plus(own)
            if grown.tokens > self._most:
                parts.append(Piece(node, [(at, number)]))
                at, grown = number, own
            if own.tokens > self._most:
                line = self._lines[number].lstrip(INDENT)
                parts += [Piece(node, [(number, number + 1)], text=text) for text in pieces_of(line, self._most)]
                at, grown = number + 1, Size()
            size = grown
        parts.append(Piece(node, [(at, end)]))
        parts = [part for part in parts if self._measure.has_content(part.ranges)]
        for number, part in enumerate(parts, start=1):
            if len(parts) > 1:
                part.suffix = f"(part {number} of {len(parts)})"
                part.part = (number, len(parts))
            self._add(part)

    def _add(self, piece: Piece) -> None:
        piece.ranges = self._measure.trimmed(piece.ranges)
        if not self._measure.has_content(piece.ranges):
            return
        self.pieces.append(piece)
        check_units(len(self.pieces))


def check_units(count: int) -> None:
    """Raise `TooLarge` when a document has more units than it may have."""
    if count > MOST_UNITS:
        raise TooLarge(f"The document makes more than {MOST_UNITS:,} units, the most that a document may have.")


def _is_detached(child: Node, holder: Node) -> bool:
    """True when a node lies inside another's lines and is not below it by its path (TOML)."""
    if holder.inside is None:
        return False
    above = child.parent
    while above is not None and above.start == above.end:
        above = above.parent
    return above is not holder


def pieces_of(line: str, tokens: int) -> list[str]:
    """Cut a line at spaces into pieces of at most so many tokens; a word that is longer is cut as well."""
    pieces = []
    at, most = 0, 4 * tokens
    while at < len(line):
        end = _reach(line, at, most)
        if end < len(line) and line[end] != " ":
            space = line.rfind(" ", at + 1, end)
            end = space if space > 0 else end
        piece = line[at:end].strip(" ")
        if piece:
            pieces.append(piece)
        at = end
    return pieces


def _reach(line: str, start: int, most: int) -> int:
    """Return how far a piece can reach that starts there: at least one character."""
    window = line[start : start + most]
    if quarters(window) <= most:
        return start + len(window)
    used = 0
    for offset, character in enumerate(window):
        used += quarters(character)
        if used > most:
            return start + max(1, offset)
    return start + len(window)
