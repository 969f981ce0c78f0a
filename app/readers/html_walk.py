"""The walk over a tree of HTML: a stack of open elements, the open paragraph, and where content goes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.documents.block import BlockType
from app.documents.values import JsonObject
from app.readers.html_content import Content, Frame, Items, Kind, Text, item_content, longest_link, one_line
from app.readers.html_paragraphs import paragraph_texts
from app.readers.html_speakers import Speaker, without_separators
from app.readers.html_tree import Element
from app.readers.list_tree import BULLET, Item

Leave = Callable[[], None]


@dataclass(slots=True)
class _Visit:
    element: Element
    children: Iterator[Element | str]
    leave: Leave | None


@dataclass(slots=True)
class Speech:
    """Who speaks, up to the end of which element, and the name as a text that stays when nothing is said there."""

    speaker: Speaker
    scope: Element
    name: Text


class Walk:
    """Goes through elements in document order, and keeps what is read on the way."""

    def __init__(self) -> None:
        #: Text of the open paragraph, as it is.
        self.parts: list[str] = []
        self.frames: list[Frame] = [Frame(Kind.FLOW)]
        self.speech: Speech | None = None
        #: Set right after a speaker's name: the signs that part it from what is said are cut.
        self.cuts_separators = False
        self._visits: list[_Visit] = []
        #: Words of the longest link in the open paragraph, and the text of a link that is open.
        self._longest_link = 0
        self._link: list[str] | None = None

    @property
    def frame(self) -> Frame:
        """The innermost open element that collects content."""
        return self.frames[-1]

    def run(self, enter: Callable[[Element], None]) -> list[Content]:
        """Go through what was visited; `enter` is called for every element and visits it, or not."""
        while self._visits:
            visit = self._visits[-1]
            child = next(visit.children, None)
            if child is None:
                self._visits.pop()
                if visit.leave is not None:
                    visit.leave()
                if self.speech is not None and self.speech.scope is visit.element:
                    self.flush()
                    self.speech = None
            elif isinstance(child, str):
                self.text(child)
            else:
                enter(child)
        self.flush()
        return self.frames[0].content

    def visit(self, element: Element, leave: Leave | None = None) -> None:
        """Read an element's children as part of what is being read."""
        self._visits.append(_Visit(element, iter(element.children), leave))

    def visit_children(self, element: Element, children: Iterator[Element | str], leave: Leave) -> None:
        """Read other children than an element has."""
        self._visits.append(_Visit(element, children, leave))

    def block(self, element: Element) -> None:
        """Read an element whose edges end paragraphs."""
        self.flush()
        self.visit(element, self.flush)

    def open(self, element: Element, frame: Frame, leave: Callable[[Frame], None]) -> None:
        """Read an element into a frame of its own, which `leave` gets when it is whole."""
        self.flush()
        self.push(frame)

        def close() -> None:
            self.flush()
            self.frames.pop()
            leave(frame)

        self.visit(element, close)

    def line(self, element: Element, leave: Callable[[str], None], heading: Element | None = None) -> None:
        """Read an element as one line of text, which `leave` gets."""
        self.open(element, Frame(Kind.LINE, heading=heading), lambda frame: leave(one_line(frame.content)))

    def push(self, frame: Frame) -> None:
        """Open a frame."""
        outer = self.frames[-1]
        frame.nested = outer.nested or frame.quote or frame.kind is not Kind.FLOW
        frame.in_note = outer.in_note or frame.kind is Kind.NOTE
        frame.in_admonition = outer.in_admonition or frame.in_admonition
        self.frames.append(frame)

    # Text

    def text(self, text: str) -> None:
        """Add to the open paragraph."""
        self.parts.append(text)
        if self._link is not None:
            self._link.append(text)

    @property
    def is_blank(self) -> bool:
        """True when the open paragraph has no text yet."""
        return not any(part.strip() for part in self.parts)

    @property
    def last_character(self) -> str:
        """The last character of the open paragraph, or ""."""
        return next((part[-1] for part in reversed(self.parts) if part), "")

    def link(self, element: Element) -> None:
        """Read a link. Only the outer one of nested links counts."""
        if self._link is not None:
            self.visit(element)
        else:
            self._link = []
            self.visit(element, self._leave_link)

    def _leave_link(self) -> None:
        self._longest_link = max(self._longest_link, len("".join(self._link or ()).split()))
        self._link = None

    def flush(self) -> None:
        """End the open paragraph."""
        if not self.parts:
            return
        text = "".join(self.parts)
        self.parts.clear()
        longest, self._longest_link = self._longest_link, 0
        if self._link is not None:
            longest = max(longest, len("".join(self._link).split()))
            self._link.clear()
        frame = self.frames[-1]
        may_speak = self.speech is None and frame.kind is Kind.FLOW and not frame.quote
        for found in paragraph_texts(text, at_names=may_speak):
            clean = found
            if self.cuts_separators:
                clean, self.cuts_separators = without_separators(clean), False
            if clean:
                self.paragraph(clean, longest)

    # Content

    def paragraph(self, text: str, longest: int = 0, meta: JsonObject | None = None) -> None:
        """Add a paragraph where it stands; in a quote it is one of the quote's."""
        frame = self.frames[-1]
        if self.speech is not None and not frame.quote and frame.kind is Kind.FLOW:
            meta = {**(meta or {}), **self.speech.speaker.meta}
            self.speech.name.gone = True
        kind = BlockType.QUOTE if frame.quote else BlockType.PARAGRAPH
        self.add(Text(kind, text, meta=meta or {}, longest_link=longest))

    def add(self, content: Content) -> None:
        """Add content where it stands. A list in a list but in no item belongs to the item before."""
        frame = self.frames[-1]
        if frame.kind is not Kind.LIST:
            frame.content.append(content)
            return
        items = frame.items.items
        frame.items.longest_link = max(frame.items.longest_link, longest_link(content))
        if isinstance(content, Items) and items:
            items[-1] = Item(items[-1].marker, (*items[-1].content, *item_content([content])))
        else:
            items.append(Item(BULLET, item_content([content])))
