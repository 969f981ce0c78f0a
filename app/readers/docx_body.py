"""The body of a DOCX document to blocks (readers design, section 11)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers import cleaning
from app.readers.docx_content import content
from app.readers.docx_numbering import Mark, Numbering
from app.readers.docx_package import Element, W
from app.readers.docx_styles import Style, Styles, heading_level, number, value
from app.readers.docx_tables import Grid, grid_of, is_one_column, rows_of
from app.readers.docx_text import Fields, Notes, Text, TextReader
from app.readers.tables import table_block

_INDENT = "  "
_ALT_CHUNK = f"{W}altChunk"
_DEL = f"{W}del"
_ILVL = f"{W}ilvl"
_MOVE_FROM = f"{W}moveFrom"
_NUM_ID = f"{W}numId"
_NUM_PR = f"{W}numPr"
_OUTLINE_LVL = f"{W}outlineLvl"
_P = f"{W}p"
_P_PR = f"{W}pPr"
_P_STYLE = f"{W}pStyle"
_R_PR = f"{W}rPr"
_TBL = f"{W}tbl"


@dataclass(slots=True)
class Draft:
    """A block, or a caption or table that has not met the other yet."""

    block: Block | None = None
    caption: str | None = None
    table: Grid | None = None
    #: A heading that is the document's title.
    title: bool = False


@dataclass(slots=True)
class _Place:
    """What is open in a run of paragraphs: a list, or code."""

    drafts: list[Draft] = field(default_factory=list)
    #: Indent, mark and text of each line.
    items: list[tuple[int, str]] = field(default_factory=list)
    sequence: str = ""
    code: list[str] = field(default_factory=list)
    blank_code: int = 0
    #: Texts of paragraphs whose end was deleted: they go on in the next one.
    carried: list[Text] = field(default_factory=list)
    after_picture: bool = False


class BodyReader:
    """Reads paragraphs and tables in reading order.

    Args:
        styles: The document's styles.
        numbering: Its numberings; counted up as paragraphs are read.
        notes: Its footnotes and endnotes.
    """

    def __init__(self, styles: Styles, numbering: Numbering, notes: Notes) -> None:
        self._styles = styles
        self._numbering = numbering
        self._texts = TextReader(styles, notes)
        #: What was left out, for people.
        self.warnings: list[str] = []

    def read(self, parent: Element, fields: Fields) -> list[Draft]:
        """Read what an element holds, with fields of its own."""
        outer, self._texts.fields = self._texts.fields, fields
        place = _Place()
        self._read_into(place, parent)
        self._end(place)
        self._texts.fields = outer
        return place.drafts

    def plain(self, parent: Element, fields: Fields) -> str:
        """Return what an element holds as the text of one line."""
        outer, self._texts.fields = self._texts.fields, fields
        text = self._line(parent)
        self._texts.fields = outer
        return text

    def _read_into(self, place: _Place, parent: Element) -> None:
        for element in content(parent):
            if element.tag == _P:
                self._paragraph(place, element)
            elif element.tag == _TBL:
                self._table(place, element)
            elif element.tag == _ALT_CHUNK:
                self.warnings.append("A part that is kept in another format inside the document was not read.")

    # Paragraphs

    def _paragraph(self, place: _Place, paragraph: Element) -> None:
        properties = paragraph.find(_P_PR)
        style = self._styles.paragraph(value(properties.find(_P_STYLE)) if properties is not None else None)
        text = self._texts.read(paragraph, style)
        if _end_is_deleted(properties):
            place.carried.append(text)
            return
        if place.carried:
            text, place.carried = _joined([*place.carried, text]), []
        self._put(place, text, properties, style)
        for box in text.boxes:
            self._end(place)
            place.drafts += self.read(box, Fields(self._texts.fields.unended))

    def _put(self, place: _Place, text: Text, properties: Element | None, style: Style) -> None:
        mark = self._mark(properties, style)
        line = cleaning.prose(text.text)
        level = _level(properties, style)
        if style.name == "title" or level is not None:
            if line:
                self._end_runs(place)
                place.drafts.append(_heading(line, 1 if level is None or style.name == "title" else level, mark, style))
        elif mark is not None:
            if line:
                self._item(place, mark, mark.level or style.list_depth, line)
        elif style.is_code:
            self._code(place, text.text)
        elif not line:
            place.blank_code += bool(place.code)
        else:
            self._end_runs(place)
            if style.name == "caption" and not place.after_picture:
                place.drafts.append(Draft(caption=line))
            else:
                place.drafts.append(Draft(block=Block(type=BlockType.PARAGRAPH, text=line)))
        if line or text.picture:
            place.after_picture = text.picture

    def _mark(self, properties: Element | None, style: Style) -> Mark | None:
        """Count a paragraph and return its number or bullet, or None when it has none."""
        own = properties.find(_NUM_PR) if properties is not None else None
        numbering = value(own.find(_NUM_ID)) if own is not None else None
        level = number(value(own.find(_ILVL))) if own is not None else None
        if numbering is None:
            numbering = style.numbering
            level = style.level if level is None else level
        if numbering is None or not self._numbering.defines(numbering):
            return None
        return self._numbering.mark(numbering, level, style.numbered_by or style.identifier)

    def _item(self, place: _Place, mark: Mark, depth: int, line: str) -> None:
        if place.code or (depth == 0 and place.items and (mark.restarts or mark.sequence != place.sequence)):
            self._end_runs(place)
        if depth == 0 or not place.items:
            place.sequence = mark.sequence
        place.items.append((depth, f"{mark.text} {line}" if mark.text else line))

    def _code(self, place: _Place, text: str) -> None:
        if not place.code:
            if not text.strip():
                return
            self._end_runs(place)
        place.code += [""] * place.blank_code
        place.blank_code = 0
        place.code.append(text)

    def _end_runs(self, place: _Place) -> None:
        """Close the open list or code."""
        if place.items:
            margin = min(level for level, _ in place.items)
            text = "\n".join(f"{_INDENT * (level - margin)}{line}" for level, line in place.items)
            place.drafts.append(Draft(block=Block(type=BlockType.LIST, text=text)))
            place.items, place.sequence = [], ""
        if place.code:
            text = cleaning.code("\n".join(place.code))
            place.drafts.append(Draft(block=Block(type=BlockType.CODE, text=text)))
            place.code, place.blank_code = [], 0

    def _end(self, place: _Place) -> None:
        """Close all that is open, a paragraph without an end too."""
        if place.carried:
            text, place.carried = _joined(place.carried), []
            self._put(place, text, None, Style())
        self._end_runs(place)

    # Tables

    def _table(self, place: _Place, table: Element) -> None:
        self._end(place)
        rows = rows_of(table)
        if is_one_column(rows):
            for row in rows:
                for cell in row.cells:
                    place.drafts += self.read(cell.element, self._texts.fields)
        else:
            grid = grid_of(table, rows, self._line)
            if grid.header or grid.rows:
                place.drafts.append(Draft(table=grid))
        place.after_picture = False

    def _line(self, parent: Element) -> str:
        """Return a cell as one line: paragraphs joined by spaces, list items by `; `, nested tables by commas."""
        parts: list[str] = []
        in_list = False
        for element in content(parent):
            if element.tag == _P:
                part, item = self._cell_paragraph(element)
            elif element.tag == _TBL:
                part, item = self._nested(element), False
            else:
                continue
            if part:
                parts += ("; " if item and in_list else " ", part)
                in_list = item
        return "".join(parts[1:])

    def _cell_paragraph(self, paragraph: Element) -> tuple[str, bool]:
        properties = paragraph.find(_P_PR)
        style = self._styles.paragraph(value(properties.find(_P_STYLE)) if properties is not None else None)
        text = self._texts.read(paragraph, style)
        mark = None if _end_is_deleted(properties) else self._mark(properties, style)
        boxes = (self.plain(box, Fields(self._texts.fields.unended)) for box in text.boxes)
        return " ".join(filter(None, (cleaning.prose(text.text), *boxes))), mark is not None

    def _nested(self, table: Element) -> str:
        cells = ((self._line(cell.element) for cell in row.cells if not cell.continues) for row in rows_of(table))
        return "; ".join(filter(None, (", ".join(filter(None, row)) for row in cells)))


def blocks_of(drafts: Sequence[Draft]) -> list[Block]:
    """Return the blocks of a document: captions find their tables, and a title moves other headings down."""
    _place_captions(drafts)
    titled = any(draft.title for draft in drafts)
    return [block for draft in drafts if (block := _block(draft, titled)) is not None]


def title_of(drafts: Sequence[Draft]) -> str:
    """Return what the document itself shows as its title."""
    return next((draft.block.text for draft in drafts if draft.title and draft.block is not None), "")


def _block(draft: Draft, titled: bool) -> Block | None:
    if draft.table is not None:
        return table_block(caption=draft.caption or "", header=draft.table.header, rows=draft.table.rows)
    if draft.block is None:
        return Block(type=BlockType.PARAGRAPH, text=draft.caption) if draft.caption else None
    if titled and not draft.title and draft.block.level is not None:
        return replace(draft.block, level=draft.block.level + 1)
    return draft.block


def _place_captions(drafts: Sequence[Draft]) -> None:
    """Give each caption beside a table to it: to the one below, unless this document's captions stand below."""
    above, below = set[int](), set[int]()
    for at, draft in enumerate(drafts):
        if draft.caption is not None:
            if at + 1 < len(drafts) and drafts[at + 1].table is not None:
                above.add(at)
            if at and drafts[at - 1].table is not None:
                below.add(at)
    stand_below = len(below - above) > len(above - below)
    for first, step in ((below, -1), (above, 1)) if stand_below else ((above, 1), (below, -1)):
        for at in sorted(first):
            caption, table = drafts[at], drafts[at + step]
            if caption.caption and table.caption is None:
                table.caption, caption.caption = caption.caption, ""


def _heading(line: str, level: int, mark: Mark | None, style: Style) -> Draft:
    meta: JsonObject = {}
    if mark is not None and mark.text and not mark.bullet:
        line = f"{mark.text}{'' if mark.joined else ' '}{line}"
        meta = {"number": mark.text.rstrip(".:)")} if mark.text.rstrip(".:)") else {}
    block = Block(type=BlockType.HEADING, text=line, level=level, meta=meta)
    return Draft(block=block, title=style.name == "title")


def _level(properties: Element | None, style: Style) -> int | None:
    """Return a heading's level: its style's name says it, else its own outline level, else its style's."""
    own = number(value(properties.find(_OUTLINE_LVL))) if properties is not None else None
    if own is None or style.is_heading:
        return style.heading
    return heading_level(own)


def _end_is_deleted(properties: Element | None) -> bool:
    mark = properties.find(_R_PR) if properties is not None else None
    return mark is not None and (mark.find(_DEL) is not None or mark.find(_MOVE_FROM) is not None)


def _joined(texts: Sequence[Text]) -> Text:
    text = "".join(part.text for part in texts)
    boxes = tuple(box for part in texts for box in part.boxes)
    return Text(text, boxes, all(part.picture or not part.text.strip() for part in texts) and bool(text.strip()))
