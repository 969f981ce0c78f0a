"""Tables in HTML: which are data, and what stands where (readers design, section 10, "Tables")."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from app.documents.block import Block
from app.readers.html_code import is_numbers
from app.readers.html_tree import Element, Holds
from app.readers.tables import MOST_SPANNED, Cell, spread, table_block

_SECTIONS = ("thead", "tbody", "tfoot")
_CELLS = frozenset({"td", "th"})
_NUMBER = re.compile(r"\s*\+?(\d{1,9})")
#: A table that its spans would make larger than this is read without them.
_MOST_CHARACTERS = 20_000_000
_MOST_CELLS = 2_000_000
#: Nodes and characters of the largest cell that may hold the numbers of lines.
_MOST_NUMBERS = 1_000_000


@dataclass(slots=True)
class Section:
    """A row group: `thead`, `tbody` or `tfoot`, and its rows of cells."""

    tag: str
    rows: list[list[Element]] = field(default_factory=list)


@dataclass(slots=True)
class TablePlan:
    """The structure of one table, without what is dropped and without tables inside it."""

    element: Element
    captions: list[Element]
    sections: list[Section]
    #: True when it holds other elements than a table's own.
    odd: bool

    @property
    def rows(self) -> list[list[Element]]:
        """Rows that have cells, in the order of the screen."""
        return [row for section in self.sections for row in section.rows if row]

    @property
    def is_layout(self) -> bool:
        """True when the table only places things: its content is read as blocks."""
        rows = self.rows
        if self.odd or self.element.role in {"presentation", "none"} or all(len(row) == 1 for row in rows):
            return True
        holds = 0
        for row in rows:
            for cell in row:
                if cell.tag == "th":
                    return False
                holds |= cell.holds
        if any(caption.text().strip() for caption in self.captions) or any(
            section.tag == "thead" and section.rows for section in self.sections
        ):
            return False
        return bool(holds & (Holds.HEADING | Holds.TABLE | Holds.SPEAKER))

    @property
    def numbered_code(self) -> list[Element]:
        """Cells of code beside the numbers of their lines, with what stands alone in a row; empty for other tables."""
        found: list[Element] = []
        numbered = False
        for row in self.rows:
            if len(row) == 1:
                found.append(row[0])
                continue
            code = [cell for cell in row if cell.holds & Holds.PRE and not _numbers(cell)]
            if len(code) != 1 or not all(cell is code[0] or _numbers(cell) for cell in row):
                return []
            numbered = True
            found.append(code[0])
        return found if numbered else []


def plan_table(table: Element, is_dropped: Callable[[Element], bool]) -> TablePlan:
    """Take a table apart; the head comes first and the foot last, as on the screen."""
    plan = TablePlan(table, [], [], odd=False)
    for child in table.children:
        if isinstance(child, str):
            plan.odd = plan.odd or bool(child.strip())
        elif is_dropped(child) or child.tag in {"colgroup", "col"}:
            continue
        elif child.tag == "caption":
            plan.captions.append(child)
        elif child.tag in _SECTIONS:
            rows = [row for row in child.elements() if row.tag == "tr" and not is_dropped(row)]
            plan.sections.append(Section(child.tag, [_cells(row, is_dropped) for row in rows]))
        elif child.tag == "tr":
            if not plan.sections or plan.sections[-1].tag != "tr":
                plan.sections.append(Section("tr"))
            plan.sections[-1].rows.append(_cells(child, is_dropped))
        elif child.text().strip():
            plan.odd = True
    plan.sections.sort(key=lambda section: {"thead": 0, "tfoot": 2}.get(section.tag, 1))
    return plan


def data_table(plan: TablePlan, captions: Sequence[str], texts: dict[Element, str]) -> tuple[Block | None, bool]:
    """Lay a table out on its grid.

    Args:
        plan: Of the table.
        captions: Texts of its captions.
        texts: Text of every cell.

    Returns:
        The block, None when it has no text, and whether spans were kept.
    """
    spans = _spans_fit(plan, texts)
    head: list[list[str]] = []
    body: list[list[str]] = []
    leading = True
    has_head = any(section.tag == "thead" and any(section.rows) for section in plan.sections)
    caption = next((text for text in captions if text), "")
    title = None if caption else _title(plan, texts)
    for section in plan.sections:
        grid = spread([[_cell(cell, texts[cell], spans=spans) for cell in row] for row in section.rows])
        for row, line in zip(section.rows, grid, strict=True):
            if title is not None and row and row[0] is title:
                continue
            is_head = section.tag == "thead" if has_head else leading and all(cell.tag == "th" for cell in row)
            leading = leading and is_head
            (head if is_head else body).append(line)
    return table_block(caption=caption if title is None else texts[title], header=head, rows=body), spans


def nested_text(plan: TablePlan, captions: Sequence[str], texts: dict[Element, str]) -> str:
    """Return a table inside a cell as the line it reads as, every cell once: `a, b; c, d`."""
    caption = next((f"{text}: " for text in captions if text), "")
    rows = (", ".join(filter(None, (texts[cell] for cell in row))) for row in plan.rows)
    return caption + "; ".join(filter(None, rows))


def _cells(row: Element, is_dropped: Callable[[Element], bool]) -> list[Element]:
    return [cell for cell in row.elements() if cell.tag in _CELLS and not is_dropped(cell)]


def _cell(element: Element, text: str, *, spans: bool) -> Cell:
    if not spans:
        return Cell(text)
    return Cell(text, columns=max(1, _span(element, "colspan")), rows=_span(element, "rowspan"))


def _span(element: Element, name: str) -> int:
    match = _NUMBER.match(element.attributes.get(name, "1"))
    return int(match[1]) if match else 1


def _spans_fit(plan: TablePlan, texts: dict[Element, str]) -> bool:
    cells = characters = 0
    for cell in _all_cells(plan):
        if "colspan" in cell.attributes or "rowspan" in cell.attributes:
            covered = max(1, min(_span(cell, "colspan"), MOST_SPANNED)) * (
                min(_span(cell, "rowspan"), MOST_SPANNED) or MOST_SPANNED
            )
            if covered > 1:
                cells += covered
                characters += covered * len(texts[cell])
    return cells <= _MOST_CELLS and characters <= _MOST_CHARACTERS


def _all_cells(plan: TablePlan) -> Iterator[Element]:
    for row in plan.rows:
        yield from row


def _title(plan: TablePlan, texts: dict[Element, str]) -> Element | None:
    """Return a first row's only cell if it is wide, not empty, and stands above several columns."""
    first, *others = plan.rows
    width = _span(first[0], "colspan")
    if len(first) != 1 or not others or width < _FEWEST_COLUMNS or not texts[first[0]]:
        return None
    if any(width < sum(max(1, _span(cell, "colspan")) for cell in row) for row in others):
        return None
    return first[0]


_FEWEST_COLUMNS = 2


def _numbers(cell: Element) -> bool:
    return cell.is_small(_MOST_NUMBERS) and is_numbers(cell)
