"""What readers put into a grid: cells as the file holds them, before any cleaning."""

from typing import Final, TypeAlias

#: A text as written, to be cleaned by the rules of section c; or a tuple (kind, text, unit) of a cell whose kind the
#: file tells. Plain tuples, because grids are packed by `app.documents.packed`.
RawCell: TypeAlias = str | tuple[int, str, str]

#: A number: its text is the exact decimal, such as `-12.50`, its unit a currency sign or code, `%`, `h`, or empty.
NUMBER: Final = 0
#: A text, whatever it looks like: `00007`.
TEXT: Final = 1
#: A date: its text is the ISO date or date-time; its unit is `month` where the program shows month and year alone.
DATE: Final = 2
#: An error, such as `#N/A`: blank, and counted.
ERROR: Final = 3
#: A formula whose result the file doesn't hold: blank, and counted.
UNCACHED: Final = 4


def written(cell: RawCell) -> str:
    """Return a cell as text, for titles, captions and headers."""
    if isinstance(cell, str):
        return cell
    kind, text, unit = cell
    if kind in (ERROR, UNCACHED):
        return ""
    return text[:7] if kind == DATE and unit == "month" else text
