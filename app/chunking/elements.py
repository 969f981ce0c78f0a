"""A document as strategy `budget` sees it: a text, and in it the stretches that its blocks take.

Where the reader gives offsets, the text is the source, so that chunks hold it as it was written; elsewhere it is the
blocks' own texts, one after the other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.chunking.sections import attributed
from app.chunking.view import View, removals
from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.budget import BudgetOptions
from app.documents.chunk import Heading

#: What may stand between two blocks without being text of its own: white space and the marks of quotes.
_BLANK = re.compile(r"[\s>]*\Z")
_MARKDOWN = frozenset({"markdown", "mdx"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: its section's number, and the headings in effect there."""

    section: int
    path: tuple[str, ...] = ()
    level: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """A block, or what stands between two blocks of a source, such as a link's definition or a rule."""

    block: Block
    #: Index of the block in the input; None when it is no block of the reader's.
    index: int | None
    #: Span in the view.
    start: int
    end: int
    place: Place

    @property
    def is_heading(self) -> bool:
        """True for headings."""
        return self.block.type is BlockType.HEADING


@dataclass(frozen=True, slots=True)
class Elements:
    """A document's text with its elements, in order, and its outline."""

    view: View
    #: True when the view is the source.
    literal: bool
    elements: tuple[Element, ...]
    outline: tuple[Heading, ...]


def elements_of(parsed: ParsedDocument, document_format: str, options: BudgetOptions) -> Elements:
    """Return the elements of a document. Every block that isn't blank is one."""
    indexed = [(index, block) for index, block in enumerate(parsed.blocks) if block.text.strip()]
    source = parsed.source if _stands_in_source(indexed) else None
    if source is not None:
        view, spanned = _in_source(source, parsed.body_start, indexed, document_format, options)
    else:
        view, spanned = _in_texts(indexed)
    outline: list[Heading] = []
    elements = tuple(_placed(spanned, outline))
    return Elements(view, source is not None, elements, tuple(outline))


def _stands_in_source(indexed: Sequence[tuple[int, Block]]) -> bool:
    """True when every block but a title that the reader made up has its offsets."""
    unplaced = [block for _, block in indexed if block.start is None]
    return len(unplaced) < len(indexed) and all(block.type is BlockType.HEADING for block in unplaced)


_Spanned = tuple[int | None, Block, int, int]


def _in_texts(indexed: Sequence[tuple[int, Block]]) -> tuple[View, list[_Spanned]]:
    """Lay the blocks' texts out one after the other; a speaker's name stands in front where he begins to speak."""
    spanned: list[_Spanned] = []
    parts: list[str] = []
    at = 0
    speaker: object = None
    for index, block in indexed:
        shown = block if block.type is BlockType.HEADING else attributed(block, speaker)
        speaker = block.meta.get("speaker")
        parts.append(shown.text)
        spanned.append((index, shown, at, at + len(shown.text)))
        at += len(shown.text) + 2
    return View("\n\n".join(parts)), spanned


def _in_source(
    source: str, body_start: int, indexed: Sequence[tuple[int, Block]], document_format: str, options: BudgetOptions
) -> tuple[View, list[_Spanned]]:
    """Find the blocks in the source, in its order, and what stands between them.

    A title that the reader took from the front matter has no text there, but heads what follows.
    """
    placed = sorted((entry for entry in indexed if entry[1].start is not None), key=lambda entry: entry[1].start or 0)
    blocks = _apart([_from_line_start(source, block) for _, block in placed])
    markdown = document_format in _MARKDOWN
    view = View(
        source,
        removals(
            source,
            blocks,
            data_uris=markdown and options.strip_data_uri,
            comments=markdown and options.strip_html_comments,
        ),
    )
    first = view.of_source(blocks[0].start or 0)
    spanned: list[_Spanned] = [(index, block, first, first) for index, block in indexed if block.start is None]
    # Keys and values in front of the text describe the document and are none of it.
    end = view.of_source(body_start)
    for (index, _), block in zip(placed, blocks, strict=True):
        start, stop = view.of_source(block.start or 0), view.of_source(block.end or 0)
        spanned += _between(view.text, end, start)
        spanned.append((index, block, start, stop))
        end = stop
    spanned += _between(view.text, end, len(view.text))
    return view, spanned


def _from_line_start(source: str, block: Block) -> Block:
    """Let a block begin with what stands in front of it on its line: a note's label, a definition's mark."""
    start = block.start or 0
    line = source.rfind("\n", 0, start) + 1
    return block if _BLANK.match(source, line, start) else replace(block, start=line)


def _apart(blocks: Sequence[Block]) -> list[Block]:
    """Let no block begin before the one in front of it ends; one inside another keeps its place, and no text."""
    apart: list[Block] = []
    end = 0
    for block in blocks:
        start, stop = max(block.start or 0, end), max(block.end or 0, end)
        apart.append(block if start == block.start else replace(block, start=start, end=stop))
        end = stop
    return apart


def _between(text: str, start: int, end: int) -> Iterator[_Spanned]:
    """Yield what stands between two blocks, unless it is only white space and marks of a quote."""
    if start >= end or _BLANK.match(text, start, end):
        return
    stretch = text[start:end]
    first, last = end - len(stretch.lstrip()), start + len(stretch.rstrip())
    yield None, Block(type=BlockType.PARAGRAPH, text=text[first:last], start=first, end=last), first, last


def _placed(spanned: Sequence[_Spanned], outline: list[Heading]) -> Iterator[Element]:
    """Give elements their places, and collect the headings."""
    open_headings: dict[int, str] = {}
    place = Place(0)
    for index, block, start, end in spanned:
        if block.type is BlockType.HEADING:
            level = block.level or 1
            open_headings = {depth: title for depth, title in open_headings.items() if depth < level}
            open_headings[level] = block.text
            outline.append(Heading(block=index or 0, title=block.text, level=level))
            path = tuple(open_headings[key] for key in sorted(open_headings))
            place = Place(len(outline), path, level)
        yield Element(block, index, start, end, place)
