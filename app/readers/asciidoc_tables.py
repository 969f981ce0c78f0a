"""Tables of AsciiDoc (readers design, section 14): cells with spans, columns and a header, in three notations."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block
from app.readers.tables import MOST_SPANNED, Cell, spread, table_block

_CELL = re.compile(
    r"(?:(?:^|(?<=\s))(?:(?P<count>\d{1,4}|\d{0,4}\.\d{1,4}|\d{1,4}\.)(?P<kind>[*+]))?"
    r"(?P<align>[<^>]?(?:\.[<^>])?)(?P<style>[adehlmsv]?))?(?<!\\)\|",
    re.MULTILINE,
)
_COLUMNS = re.compile(r"\bcols=(?:\"([^\"]*)\"|'([^']*)'|([^,\]\s]+))")
_FORMAT = re.compile(r"\bformat=[\"']?(\w+)|%?\b(csv|dsv|tsv)\b")
_OPTIONS = re.compile(r"\b(?:options|opts)=(?:\"([^\"]*)\"|'([^']*)'|([^,\]\s]+))|%([\w%]+)")
_SEPARATOR = re.compile(r"\bseparator=[\"']?(\\t|[^\"'\],])")
_NESTED_EDGE = re.compile(r"!={3,}[ \t]*\Z")
_COPIES = re.compile(r"(\d{1,3})\*")
_MOST_COLUMNS = 1_000
#: Copies of cells add at most so many to a table.
_MOST_COPIES = 10_000


@dataclass(frozen=True, slots=True)
class AsciidocTable:
    """A table read from its lines; cells hold markup until Pandoc has read it."""

    #: Cells row by row; their texts are markup.
    rows: tuple[tuple[Cell, ...], ...]
    has_header: bool

    @property
    def cells(self) -> list[str]:
        """The markup of all cells in order, each on one line unless it holds blocks."""
        return [cell.text for row in self.rows for cell in row]

    def block(self, caption: str, texts: Sequence[str]) -> Block | None:
        """Return the table with the texts of its cells in the place of their markup."""
        remaining = iter(texts)
        rows = [[replace(cell, text=next(remaining, "")) for cell in row] for row in self.rows]
        grid = spread(rows)
        count = 1 if self.has_header else 0
        return table_block(caption=caption, header=grid[:count], rows=grid[count:])


def read_table(lines: Sequence[str], attributes: str, edge: str) -> AsciidocTable:
    """Read a table.

    Args:
        lines: Between the edges.
        attributes: The block's attribute lines.
        edge: The opening edge, which tells the notation: `|===`, `,===` or `:===`.
    """
    found = _FORMAT.search(attributes)
    notation = (found[1] or found[2]).lower() if found else {",": "csv", ":": "dsv"}.get(edge[:1], "psv")
    if notation == "psv":
        cells = list(_bar_cells("\n".join(lines), edge[:1]))
        first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
        in_first_line = sum(cell.columns for cell in _bar_cells(lines[first] if first < len(lines) else "", edge[:1]))
    else:
        own = _SEPARATOR.search(attributes)
        separator = own[1].replace("\\t", "\t") if own else {"dsv": ":", "tsv": "\t"}.get(notation, ",")
        records = [record for record in _records(lines, separator, quoted=notation != "dsv") if any(record)]
        cells = [Cell(" ".join(text.split())) for record in records for text in record]
        in_first_line = len(records[0]) if records else 1
        first = 0
    columns = _declared_columns(attributes) or in_first_line or 1
    rows = tuple(_rows(cells, min(columns, _MOST_COLUMNS)))
    return AsciidocTable(rows, _has_header(lines, first, attributes, one_line=in_first_line == columns))


def without_tables(lines: Sequence[str]) -> list[str]:
    """Return the lines of a cell with the tables nested in it as text: `a, b; c, d`."""
    found: list[str] = []
    at = 0
    while at < len(lines):
        end = _closing(lines, at) if _NESTED_EDGE.match(lines[at]) else 0
        if end:
            table = read_table(lines[at + 1 : end], "", lines[at])
            grid = spread(table.rows)
            found += [*([""] if found else []), "; ".join(", ".join(row) for row in grid), ""]
            at = end
        else:
            found.append(lines[at])
        at += 1
    return found


def _closing(lines: Sequence[str], at: int) -> int:
    """Return the line that closes the table which opens here, 0 when none does."""
    edge = lines[at].rstrip()
    return next((number for number in range(at + 1, len(lines)) if lines[number].rstrip() == edge), 0)


def _has_header(lines: Sequence[str], first: int, attributes: str, *, one_line: bool) -> bool:
    options = {
        option
        for match in _OPTIONS.finditer(attributes)
        for option in re.split(r"[,%\s]+", match[1] or match[2] or match[3] or match[4] or "")
    }
    if "noheader" in options:
        return False
    implied = first == 0 and one_line and len(lines) > 1 and not lines[1].strip()
    return "header" in options or implied


def _declared_columns(attributes: str) -> int:
    match = _COLUMNS.search(attributes)
    if match is None:
        return 0
    count = 0
    for column in re.split(r"[,;]", match[1] or match[2] or match[3] or ""):
        copies = _COPIES.match(column.strip())
        count += int(copies[1]) if copies else 1
    return count


def _bar_cells(text: str, bar: str) -> Iterator[Cell]:
    """Yield the cells of `|` notation; what stands before the first bar is no cell."""
    if bar == "!":
        text = text.replace("!", "|")
    opened: re.Match[str] | None = None
    copied = 0
    for match in _CELL.finditer(text):
        if opened is not None:
            made = _cells(opened, text[opened.end() : match.start()], _MOST_COPIES - copied)
            copied += len(made) - 1
            yield from made
        opened = match
    if opened is not None:
        yield from _cells(opened, text[opened.end() :], _MOST_COPIES - copied)


def _cells(spec: re.Match[str], text: str, most: int) -> list[Cell]:
    text = text.replace("\\|", "|")
    cell = Cell(text.strip() if spec["style"] == "a" else " ".join(text.split()))
    if not spec["count"]:
        return [cell]
    columns, _, rows = spec["count"].partition(".")
    if spec["kind"] == "*":
        return [cell] * max(1, min(int(columns or 1), most))
    return [Cell(cell.text, min(int(columns or 1), MOST_SPANNED) or 1, min(int(rows or 1), MOST_SPANNED) or 1)]


def _records(lines: Sequence[str], separator: str, *, quoted: bool) -> Iterator[list[str]]:
    if not quoted:
        for line in lines:
            yield [
                part.replace(f"\\{separator}", separator) for part in re.split(rf"(?<!\\){re.escape(separator)}", line)
            ]
        return
    try:
        yield from csv.reader((f"{line}\n" for line in lines), delimiter=separator, skipinitialspace=True)
    except csv.Error:
        yield from (line.split(separator) for line in lines)


def _rows(cells: Sequence[Cell], columns: int) -> Iterator[tuple[Cell, ...]]:
    """Cut the run of cells into rows: a row is full when its cells, with those that reach into it, fill the columns."""
    row: list[Cell] = []
    #: For each row to come, how many of its columns cells above reach into.
    taken: dict[int, int] = {}
    number = 0
    width = 0
    for cell in cells:
        row.append(cell)
        width += cell.columns
        for below in range(1, cell.rows):
            taken[number + below] = taken.get(number + below, 0) + cell.columns
        while row and width + taken.get(number, 0) >= columns:
            yield tuple(row)
            row, width = [], 0
            number += 1
    if row:
        yield tuple(row)
