r"""Theorem-like environments: what they are called and how they count (readers design, section 16).

Pandoc counts anew in every part of a cut source, counts those that have no number, and ignores `[section]`. So they are
counted here, and their edges are taken away.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.readers.latex_tokens import HEADINGS, Token, group_end, headings, tokens

#: Environments that classes define, with the words that they print.
_KNOWN = {
    name: name.capitalize()
    for name in (
        *("theorem", "lemma", "corollary", "proposition", "definition", "example", "remark", "claim", "conjecture"),
        *("axiom", "exercise", "problem", "assumption", "observation", "fact", "property"),
    )
}
_DEFINING = frozenset({"newtheorem", "spnewtheorem"})
_BLANK = re.compile(r"\s*")
_KEY = re.compile(r"([a-z ]+?)\s*=\s*(?:\{([^{}]*)\}|([^,{}]*))")
_SHARES = ("sibling", "sharenumber", "numberlike", "sharecounter")
_WITHIN = ("parent", "within", "numberwithin")


@dataclass(frozen=True, slots=True)
class _Kind:
    words: str
    #: The counter that it steps; "" for one without a number.
    counter: str


class Theorems:
    """Counts the theorem-like environments of a document in reading order."""

    def __init__(self, text: str) -> None:
        self._kinds = {name: _Kind(words, name) for name, words in _KNOWN.items()}
        #: The rank that starts a counter anew and stands in front of it.
        self._within: dict[str, str] = {}
        self._counters: dict[str, int] = {}
        ranks = {name for name, _ in headings(text)}
        self._ranks = HEADINGS[1 if "chapter" in ranks else 2 :]
        self._sections: dict[str, int] = {}
        for token in tokens(text):
            if token.kind == "command":
                self._define(text, token)
            elif token.kind == "begin" and token.name == "document":
                break

    def __contains__(self, name: str) -> bool:
        return name in self._kinds

    def enter(self, rank: str, *, numbered: bool) -> None:
        """Note that a section begins."""
        if not numbered or rank not in self._ranks:
            return
        self._sections[rank] = self._sections.get(rank, 0) + 1
        below = self._ranks[self._ranks.index(rank) :]
        for lower in below[1:]:
            self._sections.pop(lower, None)
        for counter, within in self._within.items():
            if within in below:
                self._counters.pop(counter, None)

    def opening(self, text: str, token: Token) -> tuple[str, int] | None:
        """Return what the opening edge of an environment reads as, and where it ends; None for other environments."""
        kind = self._kinds.get(token.name)
        if kind is None:
            return None
        end = group_end(text, token.end, "[]")
        name = text[token.end + 1 : end - 1].strip() if end > 0 else ""
        if options := _options(name):
            name = options.get("name", options.get("title", ""))
        words = f"{kind.words} {self._next(kind.counter)}" if kind.counter else kind.words
        return f"\n\n{words}{f' ({name})' if name else ''}. ", max(end, token.end)

    def _next(self, counter: str) -> str:
        self._counters[counter] = self._counters.get(counter, 0) + 1
        within = self._within.get(counter)
        if within not in self._ranks:
            return str(self._counters[counter])
        above = [self._sections.get(rank, 0) for rank in self._ranks[: self._ranks.index(within) + 1]]
        return ".".join(str(number) for number in (*above, self._counters[counter]))

    def _define(self, text: str, token: Token) -> None:
        if token.name in _DEFINING:
            self._define_by_place(text, token.end)
        elif token.name == "declaretheorem":
            self._define_by_keys(text, token.end)
        elif token.name == "numberwithin":
            counter, at = _group(text, token.end)
            within, _ = _group(text, at)
            self._within[counter] = within

    def _define_by_place(self, text: str, at: int) -> None:
        r"""Read `\newtheorem{name}[like]{Words}[within]`; with a star it has no number."""
        numbered = text[at : at + 1] != "*"
        name, at = _group(text, at if numbered else at + 1)
        like, at = _group(text, at, "[]")
        words, at = _group(text, at)
        within, _ = _group(text, at, "[]")
        self._add(name, words, like if numbered else None, within)

    def _define_by_keys(self, text: str, at: int) -> None:
        r"""Read `\declaretheorem[name=Words,sibling=like,numbered=no]{name}`; the keys may stand behind the name."""
        before, at = _group(text, at, "[]")
        name, at = _group(text, at)
        keys = _options(before or _group(text, at, "[]")[0])
        like = next((keys[key] for key in _SHARES if key in keys), "")
        within = next((keys[key] for key in _WITHIN if key in keys), "")
        numbered = keys.get("numbered") != "no"
        for one in filter(None, (part.strip() for part in name.split(","))):
            self._add(one, keys.get("name", keys.get("title", one.capitalize())), like if numbered else None, within)

    def _add(self, name: str, words: str, like: str | None, within: str) -> None:
        """Add an environment that counts like another one (None: not at all)."""
        if not name or not words:
            return
        shared = self._kinds.get(like or "")
        counter = "" if like is None else shared.counter if shared else name
        self._kinds[name] = _Kind(words, counter)
        if within and counter:
            self._within[counter] = within


def _group(text: str, at: int, brackets: str = "{}") -> tuple[str, int]:
    """Return what the group that comes next holds, "" when none does, and where it ends."""
    blank = _BLANK.match(text, at)
    start = blank.end() if blank else at
    end = group_end(text, start, brackets)
    return (text[start + 1 : end - 1].strip(), end) if end > 0 else ("", at)


def _options(text: str) -> Mapping[str, str]:
    return {match[1].strip(): (match[2] or match[3] or "").strip() for match in _KEY.finditer(text)}
