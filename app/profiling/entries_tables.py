"""Tables: an entry per row, or per column group of a row (retrieval design, "Reference sections become entries")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block
from app.documents.values import JsonObject, JsonValue

#: A longer cell is no value that a filter matches; of a longer header this much labels the cells of later rows.
VALUE_CHARS = 300
LABEL_CHARS = 80
#: A key is short, and a table of more column groups is something else.
KEY_CHARS = 60
MOST_GROUPS = 30

_INDEX = re.compile(r"[0-9]{1,3}[a-z]?|[IVXLCDM]{1,6}")
_GROUPED = re.compile(r"(?P<prefix>[A-Z]{1,3}) (?P<rest>\S.*)")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, or the part of it under one column group."""

    name: str
    #: The column group, else the table's caption; "" when it has neither.
    group: str
    fields: JsonObject
    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as its reader left it, with what is known of its columns."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: int
    #: By what opens their headers: columns by position.
    groups: Mapping[str, tuple[int, ...]]

    def entries(self) -> Iterator[Row]:
        """Yield the table's rows in order. The first shows caption and headers whole, later ones their beginnings."""
        for number, cells in enumerate(self.rows):
            key = cells[self.key] or next((cell for cell in cells if cell), "")
            filled = {prefix: columns for prefix, columns in self.groups.items() if any(cells[at] for at in columns)}
            if filled and _INDEX.fullmatch(key):
                yield from self._by_group(cells, key, filled, first=number == 0)
            else:
                shown = {column: cell for column, cell in enumerate(cells) if cell or number == 0}
                yield self._row(shown, key, self.caption, first=number == 0)

    def _by_group(
        self, cells: Sequence[str], key: str, filled: Mapping[str, Sequence[int]], *, first: bool
    ) -> Iterator[Row]:
        elsewhere = {column for columns in filled.values() for column in columns}
        shared = {column: cell for column, cell in enumerate(cells) if column not in elsewhere and (cell or first)}
        for prefix, columns in filled.items():
            shown = shared | {column: cells[column] for column in columns if cells[column] or first}
            row = self._row(shown, prefix + key, self._group_label(columns), first=first)
            yield replace(row, text=f"{row.name}\n{row.text}")
            # What the first entry says in full is only quoted in the others.
            shared = {column: cut(cell, VALUE_CHARS) for column, cell in shared.items() if cell}

    def _row(self, cells: Mapping[int, str], name: str, group: str, *, first: bool) -> Row:
        caption = f"Table: {self.caption if first else cut(self.caption, VALUE_CHARS)}"
        lines = [caption] if self.caption else []
        fields: dict[str, JsonValue] = {}
        for column, cell in sorted(cells.items()):
            header = self.header[column] if self.header else ""
            lines.append(_line(header if first else cut(header, LABEL_CHARS), cell))
            if header and cell:
                _put(fields, cut(header, LABEL_CHARS), cell)
        return Row(name, group, fields, "\n".join(line for line in lines if line))

    def _group_label(self, columns: Sequence[int]) -> str:
        """Return the words that open all headers of a group: `A series` of `A series mm` and `A series in`."""
        headers = [self.header[column].split(" ") for column in columns]
        shared = [words[0] for words in zip(*headers, strict=False) if len(set(words)) == 1]
        return cut(" ".join(shared), LABEL_CHARS)


def grid(table: Block) -> Grid | None:
    """Return a table's grid, or None when it has no rows, or its text says something that the grid doesn't."""
    caption, head, body = table.meta.get("caption"), _texts(table.meta.get("header")), _rows(table.meta.get("rows"))
    width = max(map(len, [head or (), *body]), default=0)
    if not isinstance(caption, str) or head is None or not body or width == 0:
        return None
    head = _filled(head, width) if head else ()
    body = [_filled(row, width) for row in body]
    said = {word for cells in ((caption,), head, *body) for cell in cells for word in _WORD.findall(cell)}
    if not said.issuperset(_WORD.findall(table.text.removeprefix("Table:"))):
        return None
    return Grid(caption, head, tuple(body), key=_key_column(body), groups=_column_groups(head))


def _rows(value: JsonValue) -> list[tuple[str, ...]]:
    """Return the rows that have a cell with text, or none when the value isn't rows of texts."""
    rows = [_texts(row) for row in value] if isinstance(value, list) else []
    return [] if None in rows else [row for row in rows if row and any(row)]


def _key_column(rows: Sequence[Sequence[str]]) -> int:
    """Return the column that names rows: the first, unless it only sorts them and a later one tells them apart."""
    if _tells_apart(rows, 0):
        return 0
    later = range(1, len(rows[0]))
    return next((column for column in later if _tells_apart(rows, column) and _is_worded(rows, column)), 0)


def _tells_apart(rows: Sequence[Sequence[str]], column: int) -> bool:
    cells = [row[column] for row in rows]
    return 2 * len(set(cells)) > len(cells) and all(len(cell) <= KEY_CHARS for cell in cells)


def _is_worded(rows: Sequence[Sequence[str]], column: int) -> bool:
    return all(any(map(str.isalpha, row[column])) for row in rows)


def _column_groups(header: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the columns by the capitals that open their headers, if two or more groups go on in the same words."""
    rests: dict[str, dict[int, str]] = {}
    for column, title in enumerate(header):
        if match := _GROUPED.fullmatch(title):
            rests.setdefault(match["prefix"], {})[column] = match["rest"]
    alike: dict[tuple[str, ...], dict[str, tuple[int, ...]]] = {}
    for prefix, columns in rests.items():
        alike.setdefault(tuple(sorted(set(columns.values()))), {})[prefix] = tuple(columns)
    groups = max(alike.values(), key=len, default={})
    return groups if 1 < len(groups) <= MOST_GROUPS else {}


def _texts(value: JsonValue) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    texts = tuple(cell for cell in value if isinstance(cell, str))
    return texts if len(texts) == len(value) else None


def _filled(row: Sequence[str], width: int) -> tuple[str, ...]:
    return (*row, *[""] * (width - len(row)))


def _line(label: str, cell: str) -> str:
    return f"{label}: {cell}".rstrip() if label else cell


def _put(fields: dict[str, JsonValue], label: str, cell: str) -> None:
    """Add a cell that is no longer than a value; columns of one name share it, and a merged cell counts once."""
    before = fields.get(label, cell)
    value = cell if before == cell else f"{before}; {cell}"
    if len(value) <= VALUE_CHARS:
        fields[label] = value


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters; of a longer one the beginning, with a mark."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
