"""Jupyter notebooks to blocks (readers design, section 17)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.values import JsonValue
from app.errors import MalformedDocument, TooDeep
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.decoding import decode
from app.readers.front_matter import FrontMatter, read_front_matter
from app.readers.markdown import markdown_blocks
from app.readers.notebook_outputs import Notices, output_blocks
from app.readers.reader import Reader
from app.text.whitespace import squash

_DEEPEST = 200
_LOWEST_HEADING = 6
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]^\n][^\[\]\n]*)\]:[ \t]*\S.*$", re.MULTILINE)
_LABEL = re.compile(r"\[([^\[\]]+)\]")
_CELLS = re.compile(r"\"(?:cells|worksheets)\"\s*:\s*\[")
_CELL_TYPE = re.compile(r"\"(?:cell_type|nbformat)\"\s*:")
_DROPPED_CELLS = frozenset({"remove-cell", "hide-cell"})


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell, whichever version of the format it was written in."""

    number: int
    kind: str
    text: str
    tags: frozenset[str]
    outputs: JsonValue
    language: str | None
    level: int


def read_notebook(source: Source) -> ParsedDocument:
    """Read a notebook of version 2, 3 or 4: its prose, its code and what the code showed.

    Raises:
        MalformedDocument: not a JSON object with a list of cells.
        TooDeep: nested over 200 levels deep.
    """
    decoded = decode(source.data, source.charset)
    notebook = _parse(decoded.text)
    notices = Notices()
    cells = [cell for cell in _cells(notebook, notices) if not cell.tags & _DROPPED_CELLS]
    front = read_front_matter(cells[0].text) if cells and cells[0].kind in {"markdown", "raw"} else FrontMatter()
    if front.length:
        cells[0] = replace(cells[0], text=cells[0].text[front.length :])
    definitions = _definitions(cells)
    blocks = [block for cell in cells for block in _blocks(cell, definitions, notices)]
    title = cleaning.prose(notices.text_of(_member(notebook, "metadata", "title")) or front.title or "")
    if title and not any(block.type is BlockType.HEADING and block.level == 1 for block in blocks):
        blocks.insert(0, Block(type=BlockType.HEADING, text=title, level=1))
    return ParsedDocument(
        blocks=tuple(blocks),
        title=title or None,
        language=front.language,
        encoding=decoded.encoding,
        warnings=(*decoded.warnings, *notices.warnings()),
    )


def _parse(text: str) -> Mapping[str, JsonValue]:
    try:
        notebook: JsonValue = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise MalformedDocument(f"Not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except ValueError as error:
        raise MalformedDocument(f"Not JSON that can be read: {error}.") from None
    except RecursionError:
        raise TooDeep(f"The notebook is nested over {_DEEPEST} levels deep.") from None
    if not isinstance(notebook, Mapping):
        raise MalformedDocument("A notebook is a JSON object with a list of cells.")
    _refuse_depth(notebook)
    return notebook


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON value")


def _refuse_depth(notebook: JsonValue) -> None:
    level: list[JsonValue] = [notebook]
    for _ in range(_DEEPEST):
        inside = (value.values() if isinstance(value, Mapping) else value for value in level)
        level = [part for values in inside for part in values if isinstance(part, Mapping | list)]  # type: ignore[union-attr]  # only these two get in
        if not level:
            return
    raise TooDeep(f"The notebook is nested over {_DEEPEST} levels deep.")


def _member(value: JsonValue, *keys: str) -> JsonValue:
    """Return the value under a path of keys, or None where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _cells(notebook: Mapping[str, JsonValue], notices: Notices) -> Iterator[_Cell]:
    default = _string(_member(notebook, "metadata", "language_info", "name")) or _string(
        _member(notebook, "metadata", "kernelspec", "language")
    )
    for number, cell in enumerate(_written_cells(notebook), start=1):
        tags = _member(cell, "metadata", "tags")
        level = _member(cell, "level")
        yield _Cell(
            number=number,
            kind=_string(_member(cell, "cell_type")) or "",
            text=notices.text_of(_member(cell, "source") or _member(cell, "input")),
            tags=frozenset(tag.replace("_", "-") for tag in tags if isinstance(tag, str))
            if isinstance(tags, list)
            else frozenset(),
            outputs=_member(cell, "outputs"),
            language=(_string(_member(cell, "language")) or default or "").lower() or None,
            level=min(max(level, 1), _LOWEST_HEADING) if isinstance(level, int) else 1,
        )


def _written_cells(notebook: Mapping[str, JsonValue]) -> list[JsonValue]:
    cells = notebook.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = notebook.get("worksheets")
    lists = [_member(sheet, "cells") for sheet in sheets] if isinstance(sheets, list) else []
    if not any(isinstance(cells, list) for cells in lists):
        raise MalformedDocument("The notebook has no list of cells.")
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _string(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None


def _blocks(cell: _Cell, definitions: Mapping[str, str], notices: Notices) -> Iterator[Block]:
    if cell.kind == "markdown":
        yield from _prose(cell.text, definitions)
    elif cell.kind == "heading":
        yield from _prose(f"{'#' * cell.level} {squash(cell.text)}", definitions)
    elif cell.kind == "raw":
        for paragraph in _BLANK_LINES.split(cell.text):
            if text := cleaning.prose(paragraph):
                yield Block(type=BlockType.PARAGRAPH, text=text)
    elif cell.kind == "code":
        text = cleaning.code(cell.text)
        if text and "remove-input" not in cell.tags:
            yield Block(type=BlockType.CODE, text=text, meta={"language": cell.language} if cell.language else {})
        if "remove-output" not in cell.tags:
            yield from output_blocks(cell.outputs, cell.number, notices)


def _prose(text: str, definitions: Mapping[str, str]) -> Iterator[Block]:
    """Read a cell's Markdown, with the definitions of other cells that its links need in front."""
    labels = dict.fromkeys(_key(label) for label in _LABEL.findall(text)) if definitions else {}
    own = {_key(match[1]) for match in _DEFINITION.finditer(text)} if labels else set()
    needed = [definitions[label] for label in labels if label in definitions and label not in own]
    for block in markdown_blocks("\n".join([*needed, "", text]) if needed else text):
        yield replace(block, start=None, end=None)


def _definitions(cells: Sequence[_Cell]) -> dict[str, str]:
    """Collect the link definitions of all cells; the first of a label counts."""
    found: dict[str, str] = {}
    for cell in cells:
        if cell.kind == "markdown" and "]:" in cell.text:
            for match in _DEFINITION.finditer(_FENCED.sub("", cell.text)):
                found.setdefault(_key(match[1]), match[0].strip())
    return found


def _key(label: str) -> str:
    return squash(label).casefold()


def _looks_like_notebook(_data: bytes, text: str) -> bool:
    if not text.lstrip().startswith("{"):
        return False
    try:
        notebook: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        # Maybe only because it goes on.
        return _CELLS.search(text) is not None and _CELL_TYPE.search(text) is not None
    return isinstance(_member(notebook, "cells"), list)


READER = Reader(
    format="ipynb",
    extensions=("ipynb",),
    media_types=("application/x-ipynb+json",),
    read=read_notebook,
    looks_like=_looks_like_notebook,
    limits={"levels": _DEEPEST},
)
