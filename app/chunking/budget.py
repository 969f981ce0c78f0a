"""Chunks of a hard maximum size, packed from whole blocks (chunking design, strategy `budget`; seed 004)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.chunking.budget_parts import Part, framed, word_parts
from app.chunking.elements import Element, Elements, elements_of
from app.chunking.facts import types_of
from app.chunking.measure import Measure
from app.chunking.overlap import overlap_tail
from app.chunking.packing import Group, Packer
from app.documents.block import ParsedDocument
from app.documents.budget import BudgetOptions
from app.documents.chunk import Chunk, Chunking, breadcrumb, composed

_PAGE_END = "\f"


def chunk_by_budget(
    parsed: ParsedDocument, document_format: str, options: BudgetOptions, measure: Measure, tokens: Measure
) -> Chunking:
    """Cut a document into chunks that never exceed `options.chunk_size`, header and overlap included.

    Every block belongs to the chunks that its text is in, and every character of its text to exactly one.

    Args:
        parsed: What a reader returned.
        document_format: Its format; comments and embedded files are only looked for in Markdown.
        options: How to cut.
        measure: Counts in `options.unit`.
        tokens: Counts what chunks report as their tokens.
    """
    document = elements_of(parsed, document_format, options)
    packer = Packer(document, options, measure)
    maker = _Maker(document, options, measure, tokens, packer)
    for group in packer.pack(document.elements):
        maker.make(group)
    return Chunking(chunks=tuple(maker.chunks), outline=document.outline)


@dataclass(frozen=True, slots=True)
class _Text:
    """What is embedded of a group, with what it repeats."""

    content: str
    overlap: str
    text: str
    size: int


@dataclass(slots=True)
class _Counted:
    """How far ends of pages have been counted."""

    element: Element
    at: int
    page: int


class _Maker:
    """Makes chunks of groups, in order."""

    def __init__(
        self, document: Elements, options: BudgetOptions, measure: Measure, tokens: Measure, packer: Packer
    ) -> None:
        self._document = document
        self._view = document.view.text
        self._options = options
        self._measure = measure
        self._tokens = tokens
        self._packer = packer
        self._most = options.chunk_size - options.reserved
        self.chunks: list[Chunk] = []
        #: What the chunk before is made of, for the overlap.
        self._before: Sequence[Part] = ()
        self._counted: _Counted | None = None

    def make(self, group: Group) -> None:
        """Make a group's chunk, or several where tokens of the whole come out more than those of its parts."""
        made = self._text(group, self._overlap(group))
        if made.size > self._most and made.overlap:
            made = self._text(group, "")
        if made.size <= self._most:
            self.chunks.append(self._chunk(group, made))
            self._before = group.parts
        else:
            for smaller in self._smaller(group, made.size - self._most):
                self.make(smaller)

    def _smaller(self, group: Group, excess: int) -> Iterator[Group]:
        *others, last = group.parts
        if others:
            yield self._packer.group(others, overlaps=group.overlaps)
            yield self._packer.group([last], overlaps=False)
            return
        limit = max(1, last.size - self._measure.size(framed(last.opening, "", last.closing)) - excess - 1)
        for part in word_parts(last.element, last.start, last.end, self._view, limit, self._measure):
            yield self._packer.group([replace(part, opening=last.opening, closing=last.closing)], overlaps=False)

    def _text(self, group: Group, overlap: str) -> _Text:
        content = self._content(group.parts)
        header = self._packer.rooms.at(group.place).header.text
        text = composed(self._options.embed, header=header, context="", overlap=overlap, content=content)
        return _Text(content, overlap, text, self._measure.size(text))

    def _content(self, parts: Sequence[Part]) -> str:
        if not parts[0].opening and not parts[-1].closing:
            return self._view[parts[0].start : parts[-1].end]
        texts = [parts[0].rendered(self._view)]
        for before, part in pairwise(parts):
            texts += (self._view[before.end : part.start], part.rendered(self._view))
        return "".join(texts)

    def _overlap(self, group: Group) -> str:
        if not group.overlaps or not self._before:
            return ""
        last = self._before[-1]
        start = last.start
        for part in reversed(self._before):
            if not part.is_prose or part.opening or part.element.place.section != last.element.place.section:
                break
            start = part.start
        return overlap_tail(self._view[start : last.end], self._packer.rooms.at(group.place).overlap, self._measure)

    def _chunk(self, group: Group, made: _Text) -> Chunk:
        parts, place = group.parts, group.place
        header = self._packer.rooms.at(place).header
        elements = list(dict.fromkeys(part.element for part in parts))
        held = [element for element in elements if element.index is not None]
        literal, view = self._document.literal, self._document.view
        first, last = parts[0].start, parts[-1].end
        start, end = view.span_in_source(first, last) if literal else (None, None)
        return Chunk(
            index=len(self.chunks),
            text=made.text,
            content=made.content,
            header=header.text,
            blocks=tuple(sorted(element.index for element in held if element.index is not None)),
            block_types=types_of(element.block for element in held),
            pages=self._pages(parts),
            path=header.path,
            path_truncated=header.truncated,
            heading_level=place.level,
            section=parts[0].element.place.section,
            sections=self._sections(elements),
            tokens=made.size if self._tokens is self._measure else self._tokens.size(made.text),
            overlap_text=made.overlap,
            overlap=self._measure.size(made.overlap),
            start=start,
            end=end,
            synthetic=any(part.opening or part.closing for part in parts) or not view.is_literal(first, last),
        )

    def _sections(self, elements: Sequence[Element]) -> tuple[str, ...]:
        paths = dict.fromkeys(element.place.path for element in elements)
        return tuple(breadcrumb(path) for path in paths if path)

    def _pages(self, parts: Sequence[Part]) -> tuple[int, ...]:
        """Return the pages that parts stand on; a block that a page's end cuts begins on one and ends on the next."""
        pages: dict[int, None] = {}
        for part in parts:
            page = part.element.block.meta.get("page")
            if isinstance(page, int):
                first = self._page_of(part.element, page, part.start)
                last = self._page_of(part.element, page, part.end)
                pages.update(dict.fromkeys(range(first, last + 1)))
        return tuple(pages)

    def _page_of(self, element: Element, page: int, at: int) -> int:
        """Return the page of a place in an element that begins on `page`; asked in order, so that all is read once."""
        if self._counted is None or self._counted.element is not element:
            self._counted = _Counted(element, element.start, page)
        counted = self._counted
        counted.page += self._view.count(_PAGE_END, counted.at, at)
        counted.at = at
        return counted.page
