"""Markdown events to blocks (readers design, sections 5 and 7)."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers import cleaning
from app.readers.markdown_html import Draft, Endings, OpenHtml, Piece, Span, html_blocks
from app.readers.markdown_inline import Inline
from app.readers.markdown_lists import OpenLists
from app.readers.markdown_masks import COLON, PARSER, Directive, Masked, mask
from app.readers.speaker_names import parts_at_names

_ANCHOR = re.compile(r"\s*\{[#.][^{}]*\}\s*\Z")
_FENCE_LANGUAGE = re.compile(r"\{\s*\.?([\w+#.-]+)|([^\s{,:]+)")
_FENCE_TITLE = re.compile(r"\btitle=(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
#: A line that may open with a speaker's name, right under a line of text.
_NAMED_LINE = re.compile(rb"\S\n(?:\*\*|__|\[)?[^\s*_#>|`~:+-][^\n:]{0,80}?(?::(?:\*\*|__)?[ \t]|\xef\xbc\x9a)\S")
_ADMONITIONS = frozenset(
    """
    note tip info warning danger caution important hint error attention seealso success question example abstract
    quote bug failure todo admonition
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


@dataclass(slots=True)
class _State:
    """Where the reader stands; a footnote's body is read in a state of its own."""

    drafts: list[Draft] = field(default_factory=list)
    lists: OpenLists = field(default_factory=OpenLists)
    #: Open quotes, outermost first: the kind of an alert, or None.
    quotes: list[str | None] = field(default_factory=list)
    #: Label of the footnote that is being read.
    note: str | None = None

    @property
    def nested(self) -> bool:
        """True where a heading is ordinary text."""
        return bool(self.lists.depth or self.quotes or self.note is not None)


class Builder:
    """Turns the parser's events into blocks, in one pass.

    Args:
        masked: What the parser read.
        clean: True when the source holds nothing that prose is cleaned of.
        asides: True when the source may hold `^[` notes.
    """

    def __init__(self, masked: Masked, *, clean: bool, asides: bool) -> None:
        self._data = masked.data
        self._directives = deque(masked.directives)
        self._asides = asides
        self._colons = masked.colons
        #: True when lines may open with speakers' names, so that it matters where they break.
        self._dialogue = _NAMED_LINE.search(self._data) is not None
        self._inline = Inline(clean=clean, colons=masked.colons)
        self._state = _State()
        self._outer: list[_State] = []
        #: Open `:::` containers, by kind; an empty kind is one that means nothing to us.
        self._containers: list[str] = []
        #: What the next paragraph opens with, and how many lists are open where it stands.
        self._prefix = ""
        self._prefix_depth = 0
        self._code: list[str] = []
        self._info = ""
        self._html: list[str] = []
        self._open_html: OpenHtml | None = None
        self._endings = Endings(masked.data)
        self._table: list[list[str]] = []
        self._row: list[str] = []
        self._display: str | None = None
        self._in_code = False
        self._in_term = False
        self._notes: dict[str, list[Draft]] = {}
        self._references: dict[str, None] = {}
        self._starts: Mapping[str, Callable[[Any, int, int], None]] = {
            "Link": self._start_link,
            "Image": self._start_image,
            "List": self._start_list,
            "Item": self._start_item,
            "CodeBlock": self._start_code,
            "Table": self._start_table,
            "TableHead": self._start_row,
            "TableRow": self._start_row,
            "BlockQuote": self._start_quote,
            "HtmlBlock": self._start_html,
            "Heading": self._start_block,
            "Paragraph": self._start_block,
            "DefinitionList": self._start_list,
            "DefinitionListTitle": self._start_title,
            "DefinitionListDefinition": self._start_definition,
            "FootnoteDefinition": self._start_note,
        }
        self._ends: Mapping[str, Callable[[Any, int, int], None]] = {
            "Link": self._end_link,
            "Image": self._end_link,
            "Paragraph": self._end_paragraph,
            "Heading": self._end_heading,
            "Item": self._end_item,
            "List": self._end_list,
            "CodeBlock": self._end_code,
            "TableCell": self._end_cell,
            "TableHead": self._end_row,
            "TableRow": self._end_row,
            "Table": self._end_table,
            "BlockQuote": self._end_quote,
            "HtmlBlock": self._end_html,
            "DefinitionList": self._end_list,
            "DefinitionListTitle": self._end_title,
            "DefinitionListDefinition": self._end_item,
            "FootnoteDefinition": self._end_note,
        }

    def feed(self, events: Iterable[tuple[Any, Any]]) -> None:  # noqa: C901 - a flat dispatch, called for every event
        """Take in the parser's events with their ranges."""
        inline, parts, starts, ends, asides = self._inline, self._inline.parts, self._starts, self._ends, self._asides
        line_break = "\n" if self._dialogue else " "
        for event, span in events:
            if event.__class__ is str:
                # A soft or a hard break reads as a space, and parts two terms; a thematic break stands between blocks.
                parts.append(", " if self._in_term else line_break)
                continue
            [(kind, value)] = event.items()
            if kind == "Text":
                if self._in_code:
                    self._code.append(value)
                elif asides:
                    inline.text_with_asides(value)
                else:
                    parts.append(value)
            elif kind == "Start":
                name, detail = (value, None) if value.__class__ is str else next(iter(value.items()))
                if handler := starts.get(name):
                    handler(detail, span["start"], span["end"])
            elif kind == "End":
                name, detail = (value, None) if value.__class__ is str else next(iter(value.items()))
                if handler := ends.get(name):
                    handler(detail, span["start"], span["end"])
            elif kind == "Code":
                parts.append(value)
            else:
                self._rare(kind, value)

    def finish(self) -> list[Draft]:
        """Return the blocks: the document's, then its notes in the order of their first marks."""
        state = self._state
        self._give_up_html()
        self._apply_directives(len(self._data) + 1)
        for label in [*self._references, *(label for label in self._notes if label not in self._references)]:
            state.drafts += _note(label, self._notes.get(label, []))
        return state.drafts

    def _rare(self, kind: str, value: Any) -> None:  # noqa: ANN401 - the parser's own payload
        if kind == "InlineHtml":
            self._inline.html(value)
        elif kind == "Html":
            self._html.append(value)
        elif kind == "InlineMath":
            self._inline.parts.append(f"${value}$")
        elif kind == "DisplayMath":
            self._display = f"$${value}$$"
            self._inline.parts.append(self._display)
        elif kind == "FootnoteReference":
            self._references.setdefault(value)
            self._inline.parts.append(f"[{value}]")
        elif kind == "TaskListMarker":
            self._inline.parts.append("[x] " if value else "[ ] ")

    # Links and images

    def _start_link(self, link: Mapping[str, Any], _start: int, _end: int) -> None:
        self._inline.open_link(link["dest_url"])

    def _start_image(self, _image: object, _start: int, _end: int) -> None:
        self._inline.open_link(None)

    def _end_link(self, _detail: object, _start: int, _end: int) -> None:
        self._inline.close_link()

    # Paragraphs and headings

    def _start_block(self, _detail: object, start: int, _end: int) -> None:
        self._flush(start)

    def _end_paragraph(self, _detail: object, start: int, end: int) -> None:
        parts = self._inline.parts
        if self._display is not None and len(parts) == 1 and parts[0] is self._display and not self._state.lists.depth:
            self._inline.take()
            self._emit_code(self._display[2:-2].strip(), "latex", self._trim(start, end))
        elif self._dialogue and "\n" in parts and not self._state.nested:
            self._spoken_lines(start, end)
        else:
            text = self._inline.take()
            if text:
                self._paragraph(text, start, end)
        self._display = None

    def _spoken_lines(self, start: int, end: int) -> None:
        """Put a paragraph where it stands, parted where its lines open with names."""
        lines = [cleaning.prose(line) for line in "".join(self._inline.parts).replace(COLON, ":").split("\n")]
        written = self._data[start:end].rstrip().split(b"\n")
        text = self._inline.take()
        parts = parts_at_names(lines) if len(lines) == len(written) else []
        if not parts and text:
            self._paragraph(text, start, end)
        for first, last in parts:
            before, inside = b"\n".join(written[:first]), b"\n".join(written[first:last])
            at = start + (len(before) + 1 if first else 0)
            self._emit_paragraph(" ".join(lines[first:last]), self._trim(at, at + len(inside)))

    def _end_heading(self, level: str, start: int, end: int) -> None:
        text = self._inline.take()
        if self._data[start:end].rstrip(b"# \t\r\n=-").endswith(b"}"):
            text = _ANCHOR.sub("", text)
        state = self._state
        if not text:
            return
        if state.nested:
            self._paragraph(text, start, end)
        else:
            self._emit(BlockType.HEADING, text, self._trim(start, end), level=int(level[1]))

    def _paragraph(self, text: str, start: int, end: int) -> None:
        """Put a paragraph where it stands: into the open list, a quote, or the document."""
        state = self._state
        if state.lists.depth:
            if self._prefix and self._prefix_depth == state.lists.depth:
                text, self._prefix = self._prefix + text, ""
            state.lists.text(text, start, end)
        else:
            self._emit_paragraph(text, self._trim(start, end))

    def _emit_paragraph(self, text: str, span: Span) -> None:
        quotes = self._state.quotes
        self._emit(BlockType.QUOTE if quotes and quotes[-1] is None else BlockType.PARAGRAPH, text, span)

    def _flush(self, start: int) -> None:
        """A block starts: what stands before it in a list item without paragraphs is complete."""
        if self._inline.parts:
            self._loose_text(start, start)

    def _loose_text(self, start: int, end: int) -> None:
        text = self._inline.take()
        if text:
            drafts = self._state.drafts
            if self._state.lists.goes_on and drafts and (last := drafts[-1].span):
                # It stands behind the code or table that cut the item.
                written = self._data[last[1] : end]
                start = last[1] + len(written) - len(written.lstrip(b" \t\n>"))
            self._paragraph(text, start, end)

    # Lists

    def _start_list(self, number: int | None, start: int, _end: int) -> None:
        self._flush(start)
        self._state.lists.open_list(number)

    def _end_list(self, _detail: object, _start: int, _end: int) -> None:
        lists = self._state.lists
        lists.close_list()
        if not lists.depth:
            self._emit_list()

    def _start_item(self, _detail: object, start: int, _end: int) -> None:
        self._state.lists.open_item(start)

    def _end_item(self, _detail: object, start: int, end: int) -> None:
        if self._inline.parts:
            self._loose_text(start, end)
        self._state.lists.close_item(start, end)

    def _start_title(self, _detail: object, start: int, _end: int) -> None:
        self._state.lists.open_term(start)
        self._in_term = True

    def _end_title(self, _detail: object, _start: int, _end: int) -> None:
        self._state.lists.add_term(self._inline.take())
        self._in_term = False

    def _start_definition(self, _detail: object, start: int, _end: int) -> None:
        self._state.lists.open_definition(start)

    def _emit_list(self) -> None:
        """End the list block; if lists are still open, they go on in a new one."""
        if taken := self._state.lists.take():
            text, start, end = taken
            self._emit(BlockType.LIST, text, self._trim(start, end))

    # Code, tables, HTML

    def _start_code(self, kind: str | Mapping[str, str], start: int, _end: int) -> None:
        self._flush(start)
        self._in_code = True
        self._info = kind["Fenced"] if isinstance(kind, Mapping) else ""

    def _end_code(self, _detail: object, start: int, end: int) -> None:
        self._in_code = False
        text = "".join(self._code)
        self._code.clear()
        self._emit_list()
        title = _FENCE_TITLE.search(self._info)
        caption = cleaning.prose(title[1] or title[2] or title[3] or "") if title else ""
        if caption:
            self._emit(BlockType.PARAGRAPH, caption, None)
        language = _FENCE_LANGUAGE.match(self._info)
        self._emit_code(text, (language[1] or language[2]).lower() if language else None, self._trim(start, end))

    def _emit_code(self, text: str, language: str | None, span: Span) -> None:
        if self._colons:
            text = text.replace(COLON, ":")
        text = cleaning.code(text)
        if text:
            self._emit(BlockType.CODE, text, span, meta={"language": language} if language else {})

    def _start_table(self, _detail: object, start: int, _end: int) -> None:
        self._flush(start)
        self._table = []

    def _start_row(self, _detail: object, _start: int, _end: int) -> None:
        self._row = []

    def _end_cell(self, _detail: object, _start: int, _end: int) -> None:
        self._row.append(self._inline.take())

    def _end_row(self, _detail: object, _start: int, _end: int) -> None:
        self._table.append(self._row)

    def _end_table(self, _detail: object, start: int, end: int) -> None:
        self._emit_list()
        header, *rows = self._table
        rows = [row for row in rows if any(row)]
        header = header if any(header) else []
        lines = [" | ".join(row).rstrip() for row in ([header, *rows] if header else rows)]
        if lines:
            meta: JsonObject = {"caption": "", "header": header, "rows": rows}
            self._emit(BlockType.TABLE, "\n".join(lines), self._trim(start, end), meta=meta)

    def _start_html(self, _detail: object, start: int, _end: int) -> None:
        self._flush(start)
        self._html.clear()

    def _end_html(self, _detail: object, start: int, end: int) -> None:
        source = "".join(self._html)
        if self._colons:
            source = source.replace(COLON, ":")
        span = self._trim(start, end)
        state = self._state
        if state.nested or (self._open_html is None and not self._endings.opened(source, end)):
            self._emit_html(html_blocks(source), span)
            return
        opened = self._open_html = self._open_html or OpenHtml()
        if opened.add(Piece(len(state.drafts), source, span)):
            first = opened.pieces[0]
            blocks = opened.read(state.drafts)
            del state.drafts[first.at :]
            self._open_html = None
            self._emit_html(blocks, (first.span[0], span[1]))

    def _emit_html(self, blocks: Iterable[Block], span: Span) -> None:
        state = self._state
        for block in blocks:
            is_text = block.type is BlockType.PARAGRAPH or (block.type is BlockType.HEADING and state.nested)
            if is_text and state.lists.depth:
                self._paragraph(block.text, *span)
            elif is_text:
                is_quoted = bool(state.quotes) and state.quotes[-1] is None
                self._emit(BlockType.QUOTE if is_quoted else BlockType.PARAGRAPH, block.text, span)
            else:
                self._emit_list()
                self._emit(block.type, block.text, span, level=block.level, meta=block.meta)

    def _give_up_html(self) -> None:
        """A structure of HTML never closed: its pieces are read where they stand."""
        opened, self._open_html = self._open_html, None
        if opened is None:
            return
        drafts = self._state.drafts
        at = first = opened.pieces[0].at
        after = drafts[first:]
        del drafts[first:]
        for piece in opened.pieces:
            drafts += after[at - first : piece.at - first]
            self._emit_html(html_blocks(piece.source), piece.span)
            at = piece.at
        drafts += after[at - first :]

    # Quotes, alerts, containers, notes

    def _start_quote(self, kind: str | None, start: int, _end: int) -> None:
        self._flush(start)
        state = self._state
        state.quotes.append(kind.lower() if kind else None)
        if kind:
            self._prefix, self._prefix_depth = f"{kind}: ", state.lists.depth

    def _end_quote(self, _detail: object, _start: int, _end: int) -> None:
        if self._state.quotes.pop() is not None:
            self._prefix = ""

    def _apply_directives(self, before: int) -> None:
        """Open and close the `:::` containers whose lines stand before a byte offset."""
        while self._directives and self._directives[0].start < before:
            directive = self._directives.popleft()
            if directive.is_paragraph:
                if text := _plain(directive.title):
                    self._emit(BlockType.PARAGRAPH, text, (directive.start, directive.end))
            elif directive.kind or directive.title:
                self._open_container(directive)
            elif self._containers:
                self._containers.pop()
                self._prefix = ""

    def _open_container(self, directive: Directive) -> None:
        kind = directive.kind if directive.kind in _ADMONITIONS else ""
        self._containers.append(kind)
        title = _plain(directive.title)
        label = f"{kind.capitalize()}: " if kind else ""
        self._prefix, self._prefix_depth = ("" if title else label), 0
        if title:
            self._append(BlockType.PARAGRAPH, label + title, None, self._admonition(), (directive.start, directive.end))

    def _admonition(self) -> JsonObject:
        quotes = self._state.quotes
        kind = (quotes[-1] if quotes else None) or (self._containers[-1] if self._containers else "")
        return {"admonition": kind} if kind else {}

    def _start_note(self, label: str, start: int, _end: int) -> None:
        self._flush(start)
        self._outer.append(self._state)
        self._state = _State(note=label)

    def _end_note(self, _detail: object, _start: int, _end: int) -> None:
        self._notes.setdefault(self._state.note or "", []).extend(self._state.drafts)
        self._state = self._outer.pop()

    # Blocks

    def _emit(
        self, kind: BlockType, text: str, span: Span | None, *, level: int | None = None, meta: JsonObject | None = None
    ) -> None:
        if self._directives and span is not None:
            self._apply_directives(span[0])
        if self._prefix and kind is BlockType.PARAGRAPH and not self._state.lists.depth:
            text, self._prefix = self._prefix + text, ""
        if self._containers or self._state.quotes:
            meta = {**(meta or {}), **self._admonition()}
        self._append(kind, text, level, meta or {}, span)

    def _append(self, kind: BlockType, text: str, level: int | None, meta: JsonObject, span: Span | None) -> None:
        self._state.drafts.append(Draft(kind, text, level, meta, span))

    def _trim(self, start: int, end: int) -> Span:
        """Widen a range to the start of its line where only marks stand before it, and cut white space at its end."""
        data = self._data
        line = data.rfind(b"\n", 0, start) + 1
        if line < start and not data[line:start].strip(b" \t>"):
            start = line
        written = data[start:end].rstrip()
        return start, start + len(_without_empty_lines(written) if self._state.quotes else written)


def _without_empty_lines(written: bytes) -> bytes:
    """Cut lines at the end that hold nothing but the marks of a quote."""
    while written.endswith(b">") and (last := written.rfind(b"\n")) > 0 and not written[last:].strip(b" \t\n>"):
        written = written[:last].rstrip()
    return written


def _plain(markdown: str) -> str:
    """Return what a line of Markdown reads as."""
    if markdown.replace(" ", "").isalpha():
        return cleaning.prose(markdown)
    builder = Builder(mask(markdown), clean=False, asides=False)
    builder.feed(PARSER.events_with_range(markdown))
    return " ".join(draft.text for draft in builder.finish())


def _note(label: str, body: list[Draft]) -> list[Draft]:
    """Return a note's blocks: its paragraphs as one, `[label] text`, then what else it holds."""
    paragraphs = [draft for draft in body if draft.type is BlockType.PARAGRAPH]
    others = [draft for draft in body if draft.type is not BlockType.PARAGRAPH]
    if not body:
        return []
    text = " ".join((f"[{label}]", *(draft.text for draft in paragraphs)))
    spans = [draft.span for draft in paragraphs if draft.span]
    span = (spans[0][0], spans[-1][1]) if spans else None
    return [Draft(BlockType.PARAGRAPH, text, None, {}, span), *others]
