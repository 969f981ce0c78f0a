"""Approximate tokens: the measure of texts where real tokens are not asked for (chunking design, "Text rules")."""

from math import ceil

import regex

#: Characters that count as one token each: written mostly in Han, Kana or Hangul, script extensions included.
_WIDE = regex.compile(r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]+")
_ASCII = bytes(range(128))


def approximate_tokens(text: str, chars_per_token: float = 4.0) -> int:
    """Return `ceil((n - w) / chars_per_token + w)` for n code points, w of them Han, Hiragana, Katakana or Hangul."""
    wide = 0 if text.isascii() else wide_characters(text)
    return ceil((len(text) - wide) / chars_per_token + wide)


def wide_characters(text: str) -> int:
    """Count the code points that are a token of their own."""
    # None of them is ASCII, and bytes lose their ASCII an order of magnitude faster than an expression skips it.
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return sum(map(len, _WIDE.findall(rest)))
