"""The numbers between the two ends of a range (retrieval design, "Links of prose")."""

import re

#: A wider range is none: nobody writes `Sections 4 to 700` to mean each.
WIDEST = 100

_LAST = re.compile(r"(.*?)(\d+|[a-z])")
_ROMAN = re.compile(r"c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def between(first: str, last: str) -> list[str] | None:
    """Return the lower-case numbers strictly between two, which differ in their last part; None if that is no range.

    The last part is a whole number, a letter or a Roman numeral: `3.1` to `3.4`, `12a` to `12d`, `ii` to `iv`.
    """
    low, high = _roman(first), _roman(last)
    if low and high and (len(first) > 1 or len(last) > 1):
        return [_to_roman(value) for value in range(low + 1, high)] if _is_range(low, high) else None
    start, end = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if start is None or end is None or start[1] != end[1] or start[2].isdigit() != end[2].isdigit():
        return None
    if start[2].isdigit():
        low, high = int(start[2]), int(end[2])
        return [f"{start[1]}{value}" for value in range(low + 1, high)] if _is_range(low, high) else None
    low, high = ord(start[2]), ord(end[2])
    return [f"{start[1]}{chr(value)}" for value in range(low + 1, high)] if _is_range(low, high) else None


def _is_range(low: int, high: int) -> bool:
    return low < high <= low + WIDEST


def _roman(number: str) -> int:
    """Return the value of a Roman numeral, 0 for anything else."""
    if not number or _ROMAN.fullmatch(number) is None:
        return 0
    value, rest = 0, number
    for worth, letters in _VALUES:
        while rest.startswith(letters):
            value, rest = value + worth, rest[len(letters) :]
    return value


def _to_roman(value: int) -> str:
    written = ""
    for worth, letters in _VALUES:
        times, value = divmod(value, worth)
        written += letters * times
    return written
