"""Tables of HTML to content (readers design, section 10)."""

from collections.abc import Callable, Iterator

from app.documents.block import BlockType
from app.readers import cleaning
from app.readers.html_code import code_text, language
from app.readers.html_content import Frame, Grid, Kind, Text
from app.readers.html_tables import TablePlan, data_table, nested_text, plan_table
from app.readers.html_tree import Element
from app.readers.html_walk import Walk

_CODE = frozenset({"pre", "xmp", "listing"})


class TableBuilder:
    """Reads tables: data, layout, or code with the numbers of its lines.

    Args:
        walk: Over the document.
        drops: Tells what is no reading matter.
    """

    def __init__(self, walk: Walk, drops: Callable[[Element], bool]) -> None:
        self._walk = walk
        self._drops = drops
        #: Tables that would have become too large with the spans of their cells.
        self.without_spans = 0

    def table(self, element: Element) -> None:
        """Read `table`."""
        plan = plan_table(element, self._drops)
        code = plan.numbered_code
        if code:
            self._numbered_code(element, code)
        elif plan.is_layout:
            self._walk.block(element)
        else:
            self._data_table(element, plan)

    def code(self, element: Element) -> None:
        """Read `pre`."""
        self._walk.flush()
        self._add_code([code_text(element, self._drops)], language(element))

    def _add_code(self, texts: list[str], named: str | None) -> None:
        text = cleaning.code("\n".join(text.removesuffix("\n") for text in texts))
        if text:
            self._walk.add(Text(BlockType.CODE, text, meta={"language": named} if named else {}))

    def _numbered_code(self, element: Element, cells: list[Element]) -> None:
        self._walk.flush()
        texts: list[str] = []
        named = language(element)
        for cell in cells:
            code = next((inner for inner in cell.descendants() if inner.tag in _CODE), None)
            if code is not None:
                texts.append(code_text(code, self._drops))
                named = language(code) or named
            elif title := cleaning.prose(cell.text()):
                self._walk.paragraph(title)
        self._add_code(texts, named)

    def _data_table(self, element: Element, plan: TablePlan) -> None:
        self._walk.flush()
        texts: dict[Element, str] = {}
        captions: list[str] = []
        in_line = self._walk.frame.kind is Kind.LINE
        self._walk.push(Frame(Kind.TABLE))

        def read(part: Element) -> None:
            if part.tag == "caption":
                self._walk.line(part, captions.append)
            else:
                self._walk.line(part, lambda text: texts.__setitem__(part, text))

        def leave() -> None:
            self._walk.frames.pop()
            self._end_table(plan, captions, texts, in_line=in_line)

        parts = [*plan.captions, *(cell for row in plan.rows for cell in row)]
        self._walk.visit_children(element, _one_by_one(parts, read), leave)

    def _end_table(self, plan: TablePlan, captions: list[str], texts: dict[Element, str], *, in_line: bool) -> None:
        if in_line:
            if text := nested_text(plan, captions, texts):
                self._walk.add(Text(BlockType.PARAGRAPH, text))
            return
        block, spans = data_table(plan, captions, texts)
        self.without_spans += not spans
        if block is not None:
            self._walk.add(Grid(block))


def _one_by_one(parts: list[Element], read: Callable[[Element], None]) -> Iterator[Element | str]:
    """Hand parts to the function that visits them, one at each turn of the walk, which has nothing to enter itself."""
    for part in parts:
        read(part)
        yield ""
