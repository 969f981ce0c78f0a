"""Whole elements into chunks of a hard maximum size (chunking design, strategy `budget`)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.chunking.budget_parts import BY_LINES, Part, line_parts, prose_parts, whole
from app.chunking.elements import Element, Elements, Place
from app.chunking.headers import Header, header_of
from app.chunking.measure import Measure
from app.documents.budget import BudgetOptions, Embed

#: Share of a chunk that its header takes at most.
_HEADER_SHARE = 3

_BEFORE_HEADINGS = Place(0)


@dataclass(frozen=True, slots=True)
class Room:
    """What a chunk has for its body at one place."""

    header: Header
    #: Size that a body may have when it repeats nothing of the chunk before.
    body: int
    #: Size that may be repeated, and that a body may have beside it.
    overlap: int
    beside_overlap: int


class Rooms:
    """How much of a chunk is left for its body, by section."""

    def __init__(self, options: BudgetOptions, measure: Measure) -> None:
        self._options = options
        self._measure = measure
        self._blank_line = measure.size("\n\n")
        self._found: dict[int, Room] = {}

    def at(self, place: Place) -> Room:
        """Return the room in a section."""
        found = self._found.get(place.section)
        if found is None:
            found = self._found[place.section] = self._measured(place)
        return found

    def _measured(self, place: Place) -> Room:
        options, measure = self._options, self._measure
        header = header_of(place.path, options.header, options.chunk_size // _HEADER_SHARE, measure)
        shown = header.text and options.embed is not Embed.CONTENT
        taken = measure.size(f"{header.text}\n\n") if shown else 0
        body = max(1, options.chunk_size - taken - options.reserved)
        overlap = min(options.overlap, body // 2 - self._blank_line)
        return Room(header, body, overlap, body - overlap - self._blank_line if options.overlap else body)


@dataclass(slots=True)
class Group:
    """The parts of one chunk while it is filled."""

    parts: list[Part] = field(default_factory=list)
    size: int = 0
    #: True when the chunk goes on with prose of the section that the chunk before ended in, whose end it repeats.
    overlaps: bool = False
    #: True when something other than headings is in it.
    has_body: bool = False
    #: Where the chunk stands: at its first text that is no heading, else at its last heading.
    place: Place = _BEFORE_HEADINGS

    def append(self, part: Part, gap: int) -> None:
        """Add a part that stands behind white space of the size `gap`, which counts between parts only."""
        self.size += part.size + (gap if self.parts else 0)
        if not self.has_body:
            self.place, self.has_body = part.element.place, not part.element.is_heading
        self.parts.append(part)


class Packer:
    """Fills chunks in order. Elements are kept whole where a chunk can hold them."""

    def __init__(self, document: Elements, options: BudgetOptions, measure: Measure) -> None:
        self.rooms = Rooms(options, measure)
        self._view = document.view.text
        self._literal = document.literal
        self._options = options
        self._measure = measure
        self._gaps: dict[str, int] = {}
        self._done: list[Group] = []
        self._open = Group()

    def pack(self, elements: Sequence[Element]) -> list[Group]:
        """Return the groups of all elements."""
        for element in elements:
            self._add(element)
        self._close()
        return self._absorbed()

    def group(self, parts: Sequence[Part], *, overlaps: bool) -> Group:
        """Return a group of these parts."""
        group = Group(overlaps=overlaps)
        for part in parts:
            group.append(part, self.gap(group.parts[-1], part) if group.parts else 0)
        return group

    def gap(self, before: Part, after: Part) -> int:
        """Return the size of the white space between two parts."""
        text = self._view[before.end : after.start]
        found = self._gaps.get(text)
        if found is None:
            found = self._gaps[text] = self._measure.size(text)
        return found

    def _add(self, element: Element) -> None:
        part = whole(element, self._view, self._measure)
        enough = self._open.size >= self._options.min_chunk_size
        if element.is_heading and self._options.split_on_headings and enough and self._open.has_body:
            self._close()
        if self._fits(part):
            self._append(part)
        elif part.size <= self.rooms.at(element.place).body:
            self._close_before_headings()
            if self._fits(part):
                self._append(part)
            else:
                self._add_in_parts(element)
        else:
            if enough:
                self._close_before_headings()
            self._add_in_parts(element)

    def _add_in_parts(self, element: Element) -> None:
        room = self.rooms.at(element.place)
        if element.block.type in BY_LINES:
            body = room.body
            left = body - self._open.size
            parts = line_parts(element, self._view, left, body, self._measure, literal=self._literal)
            for number, part in enumerate(parts):
                if number > 0 or not self._fits(part):
                    self._close()
                self._append(part)
        else:
            for part in prose_parts(element, self._view, room.beside_overlap, self._measure):
                if not self._fits(part):
                    self._close()
                self._append(part)

    def _fits(self, part: Part) -> bool:
        group = self._open
        if not group.parts:
            return part.size <= self._room(part.element.place, self._would_overlap(part))
        place = group.place if group.has_body else part.element.place
        return group.size + self.gap(group.parts[-1], part) + part.size <= self._room(place, group.overlaps)

    def _room(self, place: Place, overlaps: bool) -> int:
        room = self.rooms.at(place)
        return room.beside_overlap if overlaps else room.body

    def _append(self, part: Part) -> None:
        group = self._open
        if not group.parts:
            group.overlaps = self._would_overlap(part)
        group.append(part, self.gap(group.parts[-1], part) if group.parts else 0)

    def _would_overlap(self, part: Part) -> bool:
        """True when a chunk that begins with this part repeats the end of the chunk before."""
        if not self._done or self._options.overlap == 0:
            return False
        before = self._done[-1].parts[-1]
        same_section = before.element.place.section == part.element.place.section
        return same_section and before.is_prose and not part.opening and not part.element.is_heading

    def _close(self) -> None:
        if self._open.parts:
            self._done.append(self._open)
            self._open = Group()

    def _close_before_headings(self) -> None:
        """Close the chunk, and take headings at its end along to what they head."""
        parts = self._open.parts
        count = len(parts)
        while count and parts[count - 1].element.is_heading:
            count -= 1
        if count == 0:
            return
        body, headings = parts[:count], parts[count:]
        if headings:
            self._open = self.group(body, overlaps=self._open.overlaps)
        self._close()
        for part in headings:
            self._append(part)

    def _absorbed(self) -> list[Group]:
        """Join chunks under the minimum to the one before where that has room."""
        groups: list[Group] = []
        for group in self._done:
            if groups and group.size < self._options.min_chunk_size:
                before = groups[-1]
                size = before.size + self.gap(before.parts[-1], group.parts[0]) + group.size
                if size <= self._room(before.place, before.overlaps):
                    groups[-1] = self.group([*before.parts, *group.parts], overlaps=before.overlaps)
                    continue
            groups.append(group)
        return groups
