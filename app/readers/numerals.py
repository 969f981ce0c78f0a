"""Counts as lists and headings show them."""

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MOST_ROMAN = 3999
#: Word shows letters up to this number: thirty times z.
_MOST_LETTERS = 780
_ALPHABET = 26


def letters(count: int) -> str:
    """Return a to z, then aa to zz, and so on; beyond 780 the number itself."""
    if not 0 < count <= _MOST_LETTERS:
        return str(count)
    return chr(ord("a") + (count - 1) % _ALPHABET) * ((count - 1) // _ALPHABET + 1)


def roman(count: int) -> str:
    """Return a lower-case Roman numeral; beyond 3999 the number itself."""
    if not 0 < count <= _MOST_ROMAN:
        return str(count)
    parts: list[str] = []
    for worth, numeral in _ROMAN:
        parts.append(numeral * (count // worth))
        count %= worth
    return "".join(parts)
