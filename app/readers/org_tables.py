"""Tables of Org before Pandoc reads them (readers design, section 15).

Pandoc takes only one row above the first rule for a header, and rows of column groups for text.
"""

import re
from collections.abc import Mapping, Sequence

_ROW = re.compile(r"[ \t]*\|")
_RULE = re.compile(r"[ \t]*\|[-+|: \t]*-[-+|: \t]*\Z")
#: A row that tells how columns look: groups of them, widths and sides.
_LOOKS = re.compile(r"[ \t]*\|(?:[ \t]*(?:/|<|>|<>|<[lrc]?\d*>)?[ \t]*\|)*[ \t]*(?:<|>|<>|<[lrc]?\d*>)?[ \t]*\Z")
_MARKED = re.compile(r"/|<|>")


def table_rows(lines: Sequence[str], is_text: Sequence[bool]) -> Mapping[int, str | None]:
    """Return what stands for lines of tables that Pandoc would read wrong, by number; None for nothing.

    Args:
        lines: Of the source.
        is_text: For each line, false in verbatim blocks.
    """
    rows: dict[int, str | None] = {}
    at = 0
    while at < len(lines):
        start = at
        while at < len(lines) and is_text[at] and _ROW.match(lines[at]):
            at += 1
        if at > start:
            _table(lines, range(start, at), rows)
        else:
            at += 1
    return rows


def _table(lines: Sequence[str], numbers: range, rows: dict[int, str | None]) -> None:
    shown: list[int] = []
    header: list[int] | None = None
    for number in numbers:
        if _RULE.match(lines[number]):
            header = list(shown) if header is None and shown else header
        elif _LOOKS.match(lines[number]) and _MARKED.search(lines[number]):
            rows[number] = None
        else:
            shown.append(number)
    if header is None or len(header) == 1 or len(header) == len(shown):
        return
    cells = [_cells(lines[number]) for number in header]
    columns = (
        dict.fromkeys(filter(None, (row[at] for row in cells if at < len(row)))) for at in range(max(map(len, cells)))
    )
    rows[header[0]] = f"| {' | '.join(' '.join(column) for column in columns)} |"
    rows.update(dict.fromkeys(header[1:]))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
