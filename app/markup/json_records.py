"""JSON Lines and JSON arrays to subtrees, a few records at a time (markup design, section 4, rule 6).

The nodes and lines of a large file take many times its size in memory. Where no reference leads out of a record they
are needed for a moment only: a record that is too large to be packed, or a run of small ones, is an outline of its own.
"""

from collections.abc import Callable, Iterable, Iterator

from app.documents.markup import ParsedMarkup, SubtreeSizes
from app.markup.json_outline import Tree, outline_of
from app.markup.json_values import SPACE, Value, parse, parse_leniently, scalar_text
from app.markup.labels import shared_fields
from app.markup.links import keyed_references, may_refer
from app.markup.measure import Size, size_of
from app.markup.outline import Escapes, Node, Outline, SharedFields, walk
from app.markup.printed import Printer
from app.markup.subtrees import Collection, subtrees
from app.markup.syntax import BadSyntax


def json_subtrees(text: str, sizes: SubtreeSizes) -> ParsedMarkup:
    """Read a JSON document into subtrees.

    Raises:
        BadSyntax: it is not JSON.
        TooDeep: it is nested too deeply.
        TooLarge: it makes too many units.
    """
    value, lenient = parse_leniently(text)
    if not isinstance(value, list) or not value or may_refer(text):
        outline = outline_of(value, text)
        outline.lenient = lenient
        return subtrees(outline, "json", sizes)
    records = _Records(text, sizes, _shared(lambda: value), depth=1, first_line=1)
    # The last is the first to be popped: let go of each as it is printed.
    value.reverse()
    while value:
        record = value.pop()
        records.add(record, "," if value else "")
    return records.finish().parsed("json", printed=True, lenient=lenient, warnings=records.warnings)


def json_lines_subtrees(text: str, sizes: SubtreeSizes) -> ParsedMarkup:
    """Read JSON Lines into subtrees: a record per line that is not blank.

    Raises:
        BadSyntax: a line is not JSON.
        TooDeep: a line is nested too deeply.
        TooLarge: it makes too many units.
    """
    records = _Records(text, sizes, _shared(lambda: _lines(text)), depth=0, first_line=0)
    for value in _lines(text):
        records.add(value, "")
    return records.finish().parsed("jsonl", printed=True, warnings=records.warnings)


def _lines(text: str) -> Iterator[Value]:
    start, number = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        start, number = start + len(line) + 1, number + 1
        if line.strip(SPACE):
            try:
                yield parse(line)
            except BadSyntax as refused:
                raise BadSyntax(refused.what, number, refused.column) from None


def _shared(values: Callable[[], Iterable[Value]]) -> SharedFields | None:
    return shared_fields(lambda: map(_scalars, values()))


def _scalars(value: Value) -> Iterator[tuple[str, str]]:
    """Yield the scalars of a record as its nodes will have them."""
    if isinstance(value, tuple):
        for key, member in value:
            text = scalar_text(member)
            if text is not None:
                yield key, text


class _Records:
    """Prints records, and hands them on in runs that are cut by themselves."""

    def __init__(
        self, text: str, sizes: SubtreeSizes, shared: SharedFields | None, *, depth: int, first_line: int
    ) -> None:
        self._sizes = sizes
        self._shared = shared
        self._refers = may_refer(text)
        self._depth = depth
        self._tree = Tree(text)
        self._collection = Collection(sizes)
        #: The number of the run's first line.
        self._first_line = first_line
        self._count = 0
        self._root = Node("", None, None, opening=-1)
        self._run: list[Node] = []
        self._size = Size()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was replaced so far."""
        return self._tree.warnings

    def add(self, value: Value, tail: str) -> None:
        """Print the next record, and end the run where rule 6 says so."""
        record = Node("", self._count, self._root)
        self._count += 1
        printer = self._tree.printer
        start = printer.at
        self._tree.add(record, value, self._depth, "  " * self._depth, tail)
        size = size_of(printer.lines[start:])
        large = size.tokens > self._small
        if start and (large or self._size.plus(size).tokens > self._sizes.most):
            self._end_run_before(record, start)
        self._run.append(record)
        self._size = self._size.plus(size)
        if large:
            self._end_run()

    def finish(self) -> Collection:
        """End the last run and return what came of all."""
        self._end_run()
        return self._collection

    @property
    def _small(self) -> int:
        return min(self._sizes.small, self._sizes.most)

    def _start_run(self) -> None:
        self._root = Node("", None, None, opening=-1)
        self._run = []
        self._size = Size()
        self._tree.printer = Printer()

    def _end_run_before(self, record: Node, start: int) -> None:
        """End the run without its last record, which starts the next."""
        printer = self._tree.printer
        lines, bare = printer.lines[start:], printer.bare[start:]
        del printer.lines[start:], printer.bare[start:]
        self._end_run()
        self._tree.printer = Printer(lines, bare)
        record.parent = self._root
        for node in walk(record):
            node.start, node.end, node.opening = node.start - start, node.end - start, node.opening - start

    def _end_run(self) -> None:
        printer = self._tree.printer
        if self._run:
            self._root.children = self._run
            self._root.end = len(printer.lines)
            outline = Outline(
                lines=printer.lines,
                bare=printer.bare,
                root=self._root,
                printed=True,
                records=True,
                separate=True,
                shared=self._shared,
                escapes=Escapes.EVERYWHERE,
            )
            if self._refers:
                outline.references = list(keyed_references(outline))
            self._collection.add(outline, self._first_line)
            self._first_line += len(printer.lines)
            for node in walk(self._root):
                # Without a way up from its nodes a run is freed at once, not when cycles are next looked for.
                node.parent = None
        self._start_run()
