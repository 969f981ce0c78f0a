"""Finds what in MDX is no Markdown: modules, expressions, comments and tags (readers design, section 8)."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from app.readers.mdx_brackets import blank_line, closing, statement_end

_FENCE = (
    r"(?P<fence>^(?P<inside>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"
    r"(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>[^\n]*)$)"
)
_MODULE = (
    r"(?P<module>^(?:import(?:[ \t]*[\"'{*]|[ \t]+(?:type[ \t]+)?(?:[{*]|[\w$]+(?:[ \t]*,|[ \t]+from\b)))"
    r"|export[ \t]+(?:(?:default|const|let|var|function|async|class|type|interface|enum|abstract|declare)\b|[{*])))"
)
_TOKEN = re.compile(
    rf"{_FENCE}|{_MODULE}"
    r"|(?P<escape>\\[^\n])"
    r"|(?P<ticks>`+)"
    r"|(?P<comment><!--)"
    r"|(?P<address><(?:[A-Za-z][\w+.-]*://|mailto:)[^\s<>]*>|<[\w.+-]+@[\w.-]+>)"
    r"|(?P<end_tag></[\w:.$-]*\s*>)"
    r"|(?P<tag><(?:(?P<name>[A-Za-z_$][\w:.$-]*)|(?=>)))"
    r"|(?P<brace>\{)"
    r"|(?P<math>\$\$(?:[^$\\]|\\.|\$(?!\$))*+\$\$|\$(?=[^\s$])(?:[^$\n\\]|\\.)++\$)",
    re.MULTILINE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"\s+|/\*(?:[^*]|\*(?!/))*+\*/|/"
    r"|(?P<name>[\w:.$-]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<brace>(?=\{))))?"
)
#: An expression that is nothing but a text.
_STRING = re.compile(
    r"\{\s*(?:\"(?P<double>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"
    r"|`(?P<template>(?:[^`\\$]|\\.|\$(?!\{))*+)`)\s*\}",
    re.DOTALL,
)
#: Attributes that a component shows. Of an image it is its alternative text.
_SHOWN = frozenset({"title", "label", "summary", "question", "header", "description"})
_IMAGES = frozenset({"img", "image"})
#: Tags that end no word: `H<sub>2</sub>O`.
_INLINE = frozenset(
    """
    a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u
    var wbr
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_NO_TEXT = frozenset({"script", "style"})
_ANCHOR = re.compile(r"\{#[^{}\n]*\}[ \t]*$", re.MULTILINE)
_RUNS = re.compile(r"(?P<ticks>`+)|\n[ \t]*\n|\n[ \t>]*(?:`{3}|~{3})")
_TEX = re.compile(r"\\[A-Za-z]|[_^]\{")
_BLANK = re.compile(r"\n[ \t]*\n")
#: Scans that find no end may read the source so many times over; after that they look no further than a blank line.
_FRUITLESS = 8

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """A range that is no Markdown."""

    start: int
    end: int
    #: Ranges inside that are text.
    kept: tuple[Span, ...] = ()
    #: Of an image, what `kept` is put into.
    is_image: bool = False
    #: True for a tag: its `kept` texts are paragraphs when it stands alone.
    is_tag: bool = False
    #: True when what stands before and after it is one word.
    joins: bool = False


class Scanner:
    """Scans MDX once, from start to end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._patience = _FRUITLESS * len(text)
        self._code_spans = _partners(text)
        #: Where the lines of code blocks stand, as far as the scan has come.
        self.code: list[Span] = []
        self._found: list[Edit] = []
        #: Marks of the open `mdx-code-block` fences.
        self._unwrapped: list[str] = []
        #: What was looked for in vain: it is not there any more.
        self._missing: set[str] = set()

    def edits(self) -> Iterator[Edit]:
        """Yield what is found, in order. It can be gone through once: large documents have millions of edits."""
        at = 0
        while match := _TOKEN.search(self._text, at):
            at = self._take(match)
            yield from self._found
            self._found.clear()

    def _take(self, match: re.Match[str]) -> int:  # noqa: PLR0911 - one way on for each kind of token
        """Take a token in; return where to go on."""
        start, after = match.span()
        if match["fence"]:
            return self._fence(match)
        if match["module"]:
            return self._module(start)
        if match["ticks"]:
            return self._code_spans.get(start, after)
        if match["comment"]:
            return self._drop(start, self._until("-->", after) or self._blank_line(start))
        if match["end_tag"]:
            name = match["end_tag"][2:-1].strip()
            return self._drop(start, after, joins=name in _INLINE)
        if match["tag"]:
            return self._tag(start, after, match["name"] or "")
        if match["brace"]:
            return self._expression(start)
        if match["math"]:
            is_math = match["math"].startswith("$$") or _TEX.search(match["math"])
            return after if is_math else start + 1
        return after

    def _drop(self, start: int, end: int, *, joins: bool = False) -> int:
        self._found.append(Edit(start, end, joins=joins))
        return end

    # Code

    def _fence(self, match: re.Match[str]) -> int:
        mark, info, after = match["mark"], match["info"].strip(), match.end()
        if self._unwrapped and not info and mark.startswith(self._unwrapped[-1]):
            self._unwrapped.pop()
            return self._drop(match.start("mark"), after)
        if info.split(maxsplit=1)[:1] == ["mdx-code-block"]:
            self._unwrapped.append(mark)
            return self._drop(match.start("mark"), after)
        end = re.compile(rf"^[ \t>]*{mark}{mark[0]}*[ \t]*$", re.MULTILINE).search(self._text, after)
        last = end.end() if end else len(self._text)
        if ">" in match["inside"]:
            # A quote's end ends the code in it.
            out = re.compile(r"^(?![ \t]*>)", re.MULTILINE).search(self._text, after + 1)
            last = min(last, out.start() if out else last)
        self.code.append((after + 1, last))
        return max(last, after)

    # Modules and expressions

    def _module(self, start: int) -> int:
        limit = self._limit(start)
        end = statement_end(self._text, start, limit)
        return self._drop(start, self._gave_up(start, limit) if end is None else end)

    def _expression(self, start: int) -> int:
        if anchor := _ANCHOR.match(self._text, start):
            line = self._text.rfind("\n", 0, start) + 1
            if self._text.startswith("#", line):
                return anchor.end()
        end = self._closing(start)
        if end is None:
            return self._drop(start, self._blank_line(start))
        self._found.append(Edit(start, end, kept=self._string(start, end), joins=True))
        return end

    def _string(self, start: int, end: int) -> tuple[Span, ...]:
        match = _STRING.fullmatch(self._text, start, end)
        if match is None:
            return ()
        name = next(name for name, value in match.groupdict().items() if value is not None)
        return (match.span(name),)

    # Tags

    def _tag(self, start: int, at: int, name: str) -> int:
        kept: list[Span] = []
        is_image = name.lower() in _IMAGES
        is_component = name[:1].isupper() or "." in name
        shown = frozenset({"alt"}) if is_image else _SHOWN if is_component else frozenset()
        end = self._attributes(at, shown, kept)
        if end is None:
            # A `<` of prose stays; a component that never closes ends with its paragraph.
            return self._drop(start, self._blank_line(start)) if is_component else start + 1
        if name.lower() in _NO_TEXT and self._text[end - 2] != "/":
            return self._drop(start, self._element_end(name.lower(), end))
        self._found.append(
            Edit(start, end, kept=tuple(kept), is_image=is_image, is_tag=True, joins=is_image or name in _INLINE)
        )
        return end

    def _attributes(self, at: int, shown: frozenset[str], kept: list[Span]) -> int | None:
        """Return where a tag ends whose attributes start at `at`, and collect those that are shown."""
        start = at
        while not self._text.startswith(">", at):
            if self._text.startswith("{", at):
                match, end = None, self._closing(at)
            else:
                match = _ATTRIBUTE.match(self._text, at)
                end = match.end() if match and not _BLANK.match(match[0]) else None
                if match and match["brace"] is not None:
                    end = self._closing(match.end())
            if end is None:
                self._patience -= at - start
                return None
            if match and match["name"] in shown:
                kept += self._value(match, end)
            at = end
        return at + 1

    def _value(self, match: re.Match[str], end: int) -> Iterator[Span]:
        for quoted in ("double", "single"):
            if match[quoted] and match[quoted].strip():
                yield match.span(quoted)
        if match["brace"] is not None:
            yield from self._string(match.end(), end)

    def _element_end(self, name: str, at: int) -> int:
        end = self._until(f"</{name}", at)
        close = self._text.find(">", end) if end else -1
        return close + 1 if close >= 0 else at

    # Ends

    def _until(self, mark: str, at: int) -> int | None:
        """Return the offset behind the next occurrence of a text."""
        found = -1 if mark in self._missing else self._text.find(mark, at)
        if found < 0:
            self._missing.add(mark)
            return None
        return found + len(mark)

    def _closing(self, start: int) -> int | None:
        limit = self._limit(start)
        end = closing(self._text, start, limit)
        if end is None:
            self._patience -= limit - start
        return end

    def _gave_up(self, start: int, limit: int) -> int:
        self._patience -= limit - start
        return self._blank_line(start)

    def _limit(self, start: int) -> int:
        return len(self._text) if self._patience > 0 else self._blank_line(start)

    def _blank_line(self, start: int) -> int:
        return blank_line(self._text, start, len(self._text))


def is_code(code: list[Span], at: int) -> bool:
    """True when an offset stands in one of the ordered ranges."""
    index = bisect_right(code, at, key=lambda span: span[0]) - 1
    return index >= 0 and code[index][0] <= at < code[index][1]


def _partners(text: str) -> dict[int, int]:
    """Return, for each run of backticks that a run of its length follows in its paragraph, the end of that run."""
    partners: dict[int, int] = {}
    waiting: dict[int, int] = {}
    for match in reversed(list(_RUNS.finditer(text))):
        if match["ticks"] is None:
            waiting = {}
            continue
        length = len(match["ticks"])
        if length in waiting:
            partners[match.start()] = waiting[length]
        waiting[length] = match.end()
    return partners
