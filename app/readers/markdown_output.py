"""Where Markdown's blocks go: into the document, a list, a quote, a container or a note (readers design, section 5)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers.code_points import CodePoints
from app.readers.markdown_lists import OpenLists
from app.readers.markdown_masks import Directive

#: Offsets in bytes.
Span = tuple[int, int]

_ADMONITIONS = frozenset(
    """
    note tip info warning danger caution important hint error attention seealso success question example abstract
    quote bug failure todo admonition
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_TAB = 4
#: Shared, as most blocks have none and documents have many blocks.
NO_META: JsonObject = {}


@dataclass(slots=True)
class Place:
    """Where the reader stands in the document; a footnote's body is read at a place of its own."""

    blocks: list[Block] = field(default_factory=list)
    lists: OpenLists = field(default_factory=OpenLists)
    #: Open quotes, outermost first: the kind of an alert, or None.
    quotes: list[str | None] = field(default_factory=list)
    #: Label of the footnote that is being read.
    note: str | None = None
    #: Where the last block ends, if it stands in the source.
    last_end: int | None = None

    @property
    def nested(self) -> bool:
        """True where a heading is ordinary text."""
        return bool(self.lists.depth or self.quotes or self.note is not None)


class Output:
    """Takes blocks in as they end, and knows what they stand in.

    Args:
        data: What the parser reads, which its offsets count in.
        code_points: Tells where in the source bytes stand.
        directives: The container lines of the document, in order.
        plain: Tells what a line of Markdown reads as.
    """

    def __init__(
        self,
        data: bytes,
        code_points: CodePoints,
        directives: Iterable[Directive],
        plain: Callable[[str], str],
    ) -> None:
        self.place = Place()
        self._data = data
        self._code_points = code_points
        self._directives = iter(directives)
        self._next_directive = next(self._directives, None)
        self._plain = plain
        self._outer: list[Place] = []
        #: Open `:::` containers, by kind; an empty kind is one that means nothing to us.
        self._containers: list[str] = []
        #: What the next paragraph opens with, and how many lists are open where it stands.
        self._prefix = ""
        self._prefix_depth = 0
        self._notes: dict[str, list[Block]] = {}
        self._references: dict[str, None] = {}

    def finish(self) -> list[Block]:
        """Return the blocks: the document's, then its notes in the order of their first marks."""
        self._apply_directives(len(self._data) + 1)
        blocks = self.place.blocks
        for label in [*self._references, *(label for label in self._notes if label not in self._references)]:
            blocks += _note(label, self._notes.get(label, []))
        return blocks

    # Blocks

    def paragraph(self, text: str, start: int, end: int) -> None:
        """Put a paragraph where it stands: into the open list, a quote, or the document."""
        lists = self.place.lists
        if lists.depth:
            self.settle(start)
            if self._prefix and self._prefix_depth == lists.depth:
                text, self._prefix = self._prefix + text, ""
            lists.text(text, start, end)
        else:
            self.own_paragraph(text, self._trim(start, end))

    def own_paragraph(self, text: str, span: Span) -> None:
        """Put a paragraph in a block of its own."""
        quotes = self.place.quotes
        self.emit(BlockType.QUOTE if quotes and quotes[-1] is None else BlockType.PARAGRAPH, text, span)

    def settle(self, before: int) -> None:
        """Put paragraphs that stand before a byte offset, in an open list or between its items, where they stand."""
        self.settle_inside(before)
        waiting = self._next_directive
        if waiting is not None and waiting.is_paragraph and waiting.start < before:
            self.end_list()
            self._apply_directives(before)

    def settle_inside(self, before: int) -> None:
        """Put those of them into the open item that are indented further than the item."""
        lists = self.place.lists
        while (waiting := self._next_directive) is not None and waiting.is_paragraph and waiting.start < before:
            if not lists.depth or waiting.indent <= self._column(lists.item_start):
                return
            self._next_directive = next(self._directives, None)
            if text := self._plain(waiting.title):
                lists.text(text, waiting.start, waiting.end)

    def _column(self, at: int) -> int:
        line = self._data.rfind(b"\n", 0, at) + 1
        return len(self._data[line:at].expandtabs(_TAB))

    def end_list(self) -> None:
        """End the list block; if lists are still open, they go on in a new one."""
        if taken := self.place.lists.take():
            text, start, end = taken
            self.emit(BlockType.LIST, text, self._trim(start, end))

    def emit(
        self,
        kind: BlockType,
        text: str,
        span: Span | None,
        *,
        level: int | None = None,
        meta: JsonObject = NO_META,
    ) -> None:
        """Put a block of its own into the document."""
        if self._next_directive is not None and span is not None:
            self._apply_directives(span[0])
        place = self.place
        if self._prefix and kind is BlockType.PARAGRAPH and not place.lists.depth:
            text, self._prefix = self._prefix + text, ""
        if self._containers or place.quotes:
            meta = {**meta, **self._admonition()}
        if span is None:
            place.last_end = None
            place.blocks.append(Block(type=kind, text=text, level=level, meta=meta))
            return
        place.last_end = span[1]
        start, end = self._code_points.span(*span)
        place.blocks.append(Block(type=kind, text=text, level=level, meta=meta, start=start, end=end))

    def _trim(self, start: int, end: int) -> Span:
        """Widen a range to the start of its line where only marks stand before it, and cut white space at its end."""
        data = self._data
        line = data.rfind(b"\n", 0, start) + 1
        if line < start and not data[line:start].strip(b" \t>"):
            start = line
        written = data[start:end].rstrip()
        return start, start + len(_without_empty_lines(written) if self.place.quotes else written)

    def start_behind_last(self, start: int, end: int) -> int:
        """Return where text of an item starts that ends at `end`: behind the code or table that cut the item, if any.

        Args:
            start: Where the item starts.
            end: Where the text ends.
        """
        last = self.place.last_end
        if last is None or not self.place.lists.goes_on:
            return start
        written = self._data[last:end]
        return last + len(written) - len(written.lstrip(b" \t\n>"))

    # Quotes, alerts, containers

    def open_quote(self, kind: str | None) -> None:
        """Open a quote, or an alert of a kind."""
        self.place.quotes.append(kind.lower() if kind else None)
        if kind:
            self._prefix, self._prefix_depth = f"{kind}: ", self.place.lists.depth

    def close_quote(self) -> None:
        """Close the innermost quote or alert."""
        if self.place.quotes.pop() is not None:
            self._prefix = ""

    def _apply_directives(self, before: int) -> None:
        """Open and close the `:::` containers whose lines stand before a byte offset."""
        while (directive := self._next_directive) is not None and directive.start < before:
            self._next_directive = next(self._directives, None)
            if directive.is_paragraph:
                if text := self._plain(directive.title):
                    self.emit(BlockType.PARAGRAPH, text, (directive.start, directive.end))
            elif directive.kind or directive.title:
                self._open_container(directive)
            elif self._containers:
                self._containers.pop()
                self._prefix = ""

    def _open_container(self, directive: Directive) -> None:
        kind = directive.kind if directive.kind in _ADMONITIONS else ""
        self._containers.append(kind)
        title = self._plain(directive.title)
        label = f"{kind.capitalize()}: " if kind else ""
        self._prefix, self._prefix_depth = ("" if title else label), 0
        if title:
            self.emit(BlockType.PARAGRAPH, label + title, (directive.start, directive.end))

    def _admonition(self) -> JsonObject:
        quotes = self.place.quotes
        kind = (quotes[-1] if quotes else None) or (self._containers[-1] if self._containers else "")
        return {"admonition": kind} if kind else {}

    # Notes

    def refer_to_note(self, label: str) -> None:
        """Note that a mark leads to a note."""
        self._references.setdefault(label)

    def open_note(self, label: str) -> None:
        """The body of a note starts."""
        self._outer.append(self.place)
        self.place = Place(note=label)

    def close_note(self) -> None:
        """The body of a note ends."""
        self._notes.setdefault(self.place.note or "", []).extend(self.place.blocks)
        self.place = self._outer.pop()


def _without_empty_lines(written: bytes) -> bytes:
    """Cut lines at the end that hold nothing but the marks of a quote."""
    while written.endswith(b">") and (last := written.rfind(b"\n")) > 0 and not written[last:].strip(b" \t\n>"):
        written = written[:last].rstrip()
    return written


def _note(label: str, body: list[Block]) -> Iterable[Block]:
    """Return a note's blocks: its paragraphs as one, `[label] text`, then what else it holds."""
    paragraphs = [block for block in body if block.type is BlockType.PARAGRAPH]
    others = [block for block in body if block.type is not BlockType.PARAGRAPH]
    if not body:
        return []
    text = " ".join((f"[{label}]", *(block.text for block in paragraphs)))
    placed = [block for block in paragraphs if block.start is not None]
    start, end = (placed[0].start, placed[-1].end) if placed else (None, None)
    return [Block(type=BlockType.PARAGRAPH, text=text, meta=NO_META, start=start, end=end), *others]
