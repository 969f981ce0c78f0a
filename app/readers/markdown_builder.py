"""Markdown events to blocks (readers design, sections 5 and 7)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers import cleaning
from app.readers.code_points import CodePoints
from app.readers.markdown_html import HtmlBlocks
from app.readers.markdown_inline import Inline
from app.readers.markdown_masks import PARSER, Masked, mask
from app.readers.markdown_output import NO_META, Output, Span
from app.readers.speaker_names import parts_at_names
from app.text.whitespace import squash

_ANCHOR = re.compile(r"\s*\{[#.][^{}]*\}\s*\Z")
_FENCE_LANGUAGE = re.compile(r"\{\s*\.?([\w+#.-]+)|([^\s{,:]+)")
_FENCE_TITLE = re.compile(r"\btitle=(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
#: A line that may open with a speaker's name, right under a line of text. It opens with a line break, so that it is
#: looked for at line breaks only.
_NAMED_LINE = re.compile(
    rb"\n(?<=\S\n)(?:\*\*|__|\[)?[^\s*_#>|`~:+-][^\n:]{0,80}?(?::(?:\*\*|__)?[ \t]|\xef\xbc\x9a)\S"
)
#: What text holds in which a line below the first opens with a name; quicker to tell than where names are.
_MAY_NAME = re.compile("\n\\s*[^a-z\\s][^\n]*?(?:[:\uff1a\u25cb\u25ef\u25ce\u25cf]|\\.[^\\w\n]*[\u2013\u2014-])")


class Builder(Output):
    """Turns the parser's events into blocks, in one pass.

    Args:
        masked: What the parser reads.
        code_points: Tells where in the source bytes stand.
        asides: True when the source may hold `^[` notes.
    """

    def __init__(self, masked: Masked, code_points: CodePoints, *, asides: bool) -> None:
        super().__init__(masked.data, code_points, masked.directives, _plain)
        self._asides = asides
        #: True when lines may open with speakers' names, so that it matters where they break.
        self._dialogue = _NAMED_LINE.search(masked.data) is not None
        self._inline = Inline(colons=masked.colons)
        self._html = HtmlBlocks(masked.data, self._emit_html)
        self._info = ""
        self._table: list[list[str]] = []
        self._row: list[str] = []
        self._display: str | None = None
        self._in_code = False
        self._in_term = False
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
            "HtmlBlock": self._start_block,
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

    def feed(self, events: Iterable[tuple[Any, Any]]) -> None:
        """Take in the parser's events, each emptied on the way, with their ranges."""
        inline, starts, ends, asides = self._inline, self._starts, self._ends, self._asides
        parts, open_asides = inline.parts, inline.open_asides
        line_break = "\n" if self._dialogue else " "
        for event, span in events:
            if event.__class__ is str:
                # A soft or a hard break reads as a space, and parts two terms; a thematic break stands between blocks.
                parts.append(", " if self._in_term else line_break)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                if asides and not self._in_code and (open_asides or "^[" in value):
                    inline.text_with_asides(value)
                else:
                    parts.append(value)
            elif kind == "Start":
                name, detail = (value, None) if value.__class__ is str else value.popitem()
                if handler := starts.get(name):
                    handler(detail, span["start"], span["end"])
            elif kind == "End":
                name, detail = (value, None) if value.__class__ is str else value.popitem()
                if handler := ends.get(name):
                    handler(detail, span["start"], span["end"])
            elif kind in {"Code", "Html"}:
                parts.append(value)
            else:
                self._rare(kind, value)

    def finish(self) -> list[Block]:
        """Return the blocks: the document's, then its notes in the order of their first marks."""
        self._html.finish(self.place.blocks)
        return super().finish()

    def _rare(self, kind: str, value: Any) -> None:  # noqa: ANN401 - the parser's own payload
        if kind == "InlineHtml":
            self._inline.html(value)
        elif kind == "InlineMath":
            self._inline.parts.append(f"${value}$")
        elif kind == "DisplayMath":
            self._display = f"$${value}$$"
            self._inline.parts.append(self._display)
        elif kind == "FootnoteReference":
            self.refer_to_note(value)
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
        """A block starts: what stands before it in a list item without paragraphs is complete."""
        if self._inline.parts:
            self._loose_text(start, start)

    def _end_paragraph(self, _detail: object, start: int, end: int) -> None:
        parts = self._inline.parts
        display, self._display = self._display, None
        if display is not None and len(parts) == 1 and parts[0] is display and not self.place.lists.depth:
            self._inline.take()
            self._emit_code(display[2:-2].strip(), "latex", self._trim(start, end))
        elif self._dialogue and "\n" in parts and not self.place.nested:
            self._spoken_lines(start, end)
        elif text := self._inline.take():
            self.paragraph(text, start, end)

    def _spoken_lines(self, start: int, end: int) -> None:
        """Put a paragraph where it stands, parted where its lines open with names."""
        text = cleaning.prose_characters(self._inline.raw())
        lines = [squash(line) for line in text.split("\n")] if _MAY_NAME.search(text) else []
        written = self._data[start:end].rstrip().split(b"\n")
        parts = parts_at_names(lines) if len(lines) == len(written) else []
        if not parts and (text := squash(text)):
            self.paragraph(text, start, end)
        for first, last in parts:
            before, inside = b"\n".join(written[:first]), b"\n".join(written[first:last])
            at = start + (len(before) + 1 if first else 0)
            self.own_paragraph(" ".join(lines[first:last]), self._trim(at, at + len(inside)))

    def _end_heading(self, level: str, start: int, end: int) -> None:
        text = self._inline.take()
        if text.endswith("}") and self._data[start:end].rstrip(b"# \t\r\n=-").endswith(b"}"):
            text = _ANCHOR.sub("", text)
        if not text:
            return
        if self.place.nested:
            self.paragraph(text, start, end)
        else:
            self.emit(BlockType.HEADING, text, self._trim(start, end), level=int(level[1]))

    def _loose_text(self, start: int, end: int) -> None:
        if text := self._inline.take():
            self.paragraph(text, self.start_behind_last(start, end), end)

    # Lists

    def _start_list(self, number: int | None, start: int, _end: int) -> None:
        self._start_block(None, start, start)
        self.settle(start)
        self.place.lists.open_list(number)

    def _end_list(self, _detail: object, _start: int, _end: int) -> None:
        lists = self.place.lists
        lists.close_list()
        if not lists.depth:
            self.end_list()

    def _start_item(self, _detail: object, start: int, _end: int) -> None:
        self.settle(start)
        self.place.lists.open_item(start)

    def _end_item(self, _detail: object, start: int, end: int) -> None:
        if self._inline.parts:
            self._loose_text(start, end)
        self.settle_inside(end)
        self.place.lists.close_item(start, end)

    def _start_title(self, _detail: object, start: int, _end: int) -> None:
        self.settle(start)
        self.place.lists.open_term(start)
        self._in_term = True

    def _end_title(self, _detail: object, _start: int, _end: int) -> None:
        self.place.lists.add_term(self._inline.take())
        self._in_term = False

    def _start_definition(self, _detail: object, start: int, _end: int) -> None:
        self.place.lists.open_definition(start)

    # Code, tables, HTML

    def _start_code(self, kind: str | Mapping[str, str], start: int, _end: int) -> None:
        self._start_block(None, start, start)
        self._in_code = True
        self._info = kind["Fenced"] if isinstance(kind, Mapping) else ""

    def _end_code(self, _detail: object, start: int, end: int) -> None:
        self._in_code = False
        text = self._inline.raw()
        self.end_list()
        title = _FENCE_TITLE.search(self._info)
        caption = cleaning.prose(title[1] or title[2] or title[3] or "") if title else ""
        if caption:
            self.emit(BlockType.PARAGRAPH, caption, None)
        language = _FENCE_LANGUAGE.match(self._info)
        self._emit_code(text, (language[1] or language[2]).lower() if language else None, self._trim(start, end))

    def _emit_code(self, text: str, language: str | None, span: Span) -> None:
        text = cleaning.code(text)
        if text:
            self.emit(BlockType.CODE, text, span, meta={"language": language} if language else NO_META)

    def _start_table(self, _detail: object, start: int, _end: int) -> None:
        self._start_block(None, start, start)
        self._table = []

    def _start_row(self, _detail: object, _start: int, _end: int) -> None:
        self._row = []

    def _end_cell(self, _detail: object, _start: int, _end: int) -> None:
        self._row.append(self._inline.take())

    def _end_row(self, _detail: object, _start: int, _end: int) -> None:
        self._table.append(self._row)

    def _end_table(self, _detail: object, start: int, end: int) -> None:
        self.end_list()
        header, *rows = self._table
        rows = [row for row in rows if any(row)]
        header = header if any(header) else []
        lines = [" | ".join(row).rstrip() for row in ([header, *rows] if header else rows)]
        if lines:
            meta: JsonObject = {"caption": "", "header": header, "rows": rows}
            self.emit(BlockType.TABLE, "\n".join(lines), self._trim(start, end), meta=meta)

    def _end_html(self, _detail: object, start: int, end: int) -> None:
        source, span = self._inline.raw(), self._trim(start, end)
        if self.place.nested:
            self._html.read_nested(source, span)
        else:
            self._html.read(source, span, end, self.place.blocks)

    def _emit_html(self, blocks: Sequence[Block], span: Span) -> None:
        place = self.place
        for block in blocks:
            is_text = block.type is BlockType.PARAGRAPH or (block.type is BlockType.HEADING and place.nested)
            if is_text and place.lists.depth:
                self.paragraph(block.text, *span)
            elif is_text:
                self.own_paragraph(block.text, span)
            else:
                self.end_list()
                self.emit(block.type, block.text, span, level=block.level, meta=block.meta)

    # Quotes and notes

    def _start_quote(self, kind: str | None, start: int, _end: int) -> None:
        self._start_block(None, start, start)
        self.open_quote(kind)

    def _end_quote(self, _detail: object, _start: int, _end: int) -> None:
        self.close_quote()

    def _start_note(self, label: str, start: int, _end: int) -> None:
        self._start_block(None, start, start)
        self.open_note(label)

    def _end_note(self, _detail: object, _start: int, _end: int) -> None:
        self.close_note()


def _plain(markdown: str) -> str:
    """Return what a line of Markdown reads as."""
    if markdown.replace(" ", "").isalpha():
        return cleaning.prose(markdown)
    masked = mask(markdown)
    builder = Builder(masked, CodePoints(masked.data), asides=False)
    builder.feed(PARSER.events_with_range(markdown))
    return " ".join(block.text for block in builder.finish())
