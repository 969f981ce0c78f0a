"""Figures of a text, and whether another text has other ones of the same kind."""

from collections.abc import Mapping
from typing import TypeAlias

import regex

from app.adapters.decisions.offline.words import FUNCTION_WORDS

#: Figures as written, each with what tells its kind.
Figures: TypeAlias = Mapping[str, frozenset[tuple[str, str]]]

_FIGURE = regex.compile(r"([$\u20ac\u00a3\u00a5]?)(\d+(?:[.,:/-]\d+)*)\s?(%|\p{L}*)")
_WORD = regex.compile(r"\p{L}+\Z")
#: Characters before a figure in which the word before it is looked for.
_BEFORE_CHARS = 30
#: Two figures of equally many digits are of a kind when these are so many.
_LONG_FIGURE = 4


def figures(text: str) -> Figures:
    """Return the figures of a text; sign, unit, form and the word before it tell a figure's kind."""
    text = text.lower()
    found: dict[str, set[tuple[str, str]]] = {}
    for each in _FIGURE.finditer(text):
        sign, figure, unit = each.groups()
        before = _WORD.search(text[max(each.start() - _BEFORE_CHARS, 0) : each.start()].rstrip())
        kinds = {("sign", sign), ("unit", unit), ("before", before[0] if before else "")}
        kinds = {(name, word) for name, word in kinds if word and word not in FUNCTION_WORDS}
        kinds |= {("form", mark) for mark in ":/" if mark in figure}
        digits = sum(character.isdigit() for character in figure)
        if digits >= _LONG_FIGURE:
            kinds.add(("form", f"{digits} digits"))
        found.setdefault(figure, set()).update(kinds)
    return {figure: frozenset(kinds) for figure, kinds in found.items()}


def has_other_figures(later: Figures, earlier: Figures) -> bool:
    """Whether the later text has a figure of the earlier one's kind that is none of its figures."""
    return any(
        figure not in earlier and not kinds.isdisjoint(known)
        for figure, kinds in later.items()
        for known in earlier.values()
    )


def name_another(later: Figures, earlier: Figures) -> bool:
    """Whether both number a thing of the same name, and not the same one: `release 2` and `release 3`."""
    numbered, known = _numbered(later), _numbered(earlier)
    return any(known[name].isdisjoint(numbered[name]) for name in numbered.keys() & known.keys())


def _numbered(of: Figures) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for figure, kinds in of.items():
        for kind, word in kinds:
            if kind == "before":
                found.setdefault(word, set()).add(figure)
    return found
