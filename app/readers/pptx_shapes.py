"""Shapes of a slide: text, tables, pictures and diagrams (readers design, section 5)."""

import re
from collections.abc import Iterator, Sequence

from app.documents.block import Block
from app.readers import cleaning
from app.readers.list_tree import ItemContent
from app.readers.package_parts import Element, PackageParts, Relationship
from app.readers.pandoc_tables import on_one_line
from app.readers.pptx_text import ALTERNATIVES, FALLBACK, A, nested, number, paragraph_text, text_content
from app.readers.tables import Cell, spread, table_block

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_GROUP, _FRAME, _PICTURE = f"{P}grpSp", f"{P}graphicFrame", f"{P}pic"
_ON = frozenset({"1", "true"})
#: A name that a program gave a picture instead of words.
_FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|svg|webp|tiff?|bmp|emf|wmf)\Z", re.IGNORECASE)
#: Points of a diagram that hold its text.
_NODES = frozenset({"node", "asst"})


def shapes(parent: Element) -> Iterator[Element]:
    """Yield the shapes of a slide in the order of its tree, out of their groups; hidden ones are left out."""
    stack: list[Iterator[Element]] = [iter(parent)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == ALTERNATIVES:
            stack.append(iter(_alternative(element)))
        elif _is_hidden(element):
            continue
        elif element.tag == _GROUP:
            stack.append(iter(element))
        else:
            yield element


def placeholder(shape: Element) -> Element | None:
    """Return what says that a shape fills a place of its layout."""
    return shape.find(f"*/{P}nvPr/{P}ph")


def shape_content(
    shape: Element, styles: Sequence[Element], parts: PackageParts, relationships: dict[str, Relationship]
) -> list[ItemContent]:
    """Return what a shape reads as.

    Args:
        shape: Anything that stands on a slide.
        styles: Of its layout and its master.
        parts: The package, for diagrams.
        relationships: Of the slide.
    """
    if shape.tag == _PICTURE:
        return _image(shape)
    if shape.tag != _FRAME:
        return text_content(shape.find(f"{P}txBody"), styles)
    grid = shape.find(f".//{A}tbl")
    if grid is not None:
        block = _table(grid)
        return [block] if block else []
    identifiers = shape.find(f".//{_DIAGRAM}relIds")
    data = relationships.get(identifiers.get(f"{R}dm", "")) if identifiers is not None else None
    return _diagram(parts.tree(data.target)) if data else _image(shape)


def _alternative(element: Element) -> Sequence[Element]:
    """Return what stands in several ways in the first of them that holds a shape, else in the last."""
    ways = list(element)
    known = (f"{P}sp", _GROUP, _FRAME, _PICTURE)
    best = next((way for way in ways if way.tag != FALLBACK and any(inside.tag in known for inside in way)), None)
    return list(best if best is not None else ways[-1]) if ways else []


def _properties(shape: Element) -> Element | None:
    return shape.find(f"*/{P}cNvPr")


def _is_hidden(shape: Element) -> bool:
    properties = _properties(shape)
    return properties is not None and properties.get("hidden") in _ON


def _image(shape: Element) -> list[ItemContent]:
    properties = _properties(shape)
    words = cleaning.prose(properties.get("descr", "")) if properties is not None else ""
    return [f"[image: {words}]"] if words and not _FILE_NAME.match(words) else []


def _table(grid: Element) -> Block | None:
    rows = [
        [
            Cell(_cell(cell), number(cell.get("gridSpan"), 1), number(cell.get("rowSpan"), 1))
            for cell in row.iterchildren(f"{A}tc")
            if cell.get("hMerge") not in _ON and cell.get("vMerge") not in _ON
        ]
        for row in grid.iterchildren(f"{A}tr")
    ]
    properties = grid.find(f"{A}tblPr")
    count = 1 if properties is not None and properties.get("firstRow") in _ON else 0
    lines = spread(rows)
    return table_block(caption="", header=lines[:count], rows=lines[count:])


def _cell(cell: Element) -> str:
    return on_one_line(text_content(cell.find(f"{A}txBody"), ()))


def _diagram(root: Element | None) -> list[ItemContent]:
    """Return a diagram (SmartArt) as the list that it is drawn from."""
    if root is None:
        return []
    texts: dict[str, str] = {}
    start = ""
    for point in root.iter(f"{_DIAGRAM}pt"):
        identifier, kind = point.get("modelId", ""), point.get("type", "node")
        if kind in _NODES:
            paragraphs = (paragraph_text(paragraph) for paragraph in point.iterfind(f"{_DIAGRAM}t/{A}p"))
            texts[identifier] = " ".join(filter(None, paragraphs))
        elif kind == "doc":
            start = identifier
    children: dict[str, list[tuple[int, str]]] = {}
    for connection in root.iter(f"{_DIAGRAM}cxn"):
        if connection.get("type", "parOf") == "parOf":
            place = number(connection.get("srcOrd"), 0), connection.get("destId", "")
            children.setdefault(connection.get("srcId", ""), []).append(place)
    entries: list[tuple[int, str]] = []
    waiting = [(0, start)]
    while waiting:
        level, identifier = waiting.pop()
        if text := texts.pop(identifier, ""):
            entries.append((level, text))
        # Taken out, so that a circle has an end.
        below = sorted(children.pop(identifier, ()), reverse=True)
        waiting += [(level + 1, child) for _, child in below]
    return nested(entries)
