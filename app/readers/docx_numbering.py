"""Numbers of numbered paragraphs as Word shows them (readers design, section 11)."""

import re
from dataclasses import dataclass, field

from app.readers.docx_package import Element, W
from app.readers.docx_styles import Styles, number, toggle, value
from app.readers.numerals import letters, roman

DEEPEST = 8
_PLACE = re.compile(r"%([1-9])")
#: What shows as a bullet: bullet signs, and the private characters of symbol fonts.
_BULLET = re.compile("[\u2022\u25cf\u25cb\u25e6\u25aa\u25ab\u25a0\u25a1\u2023\u2043\u2219\u00b7\ue000-\uf8ff]\\Z")
_SHOWN = {"Letter": letters, "Roman": roman}
_MOST_LINKS = 20


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    kind: str = "decimal"
    template: str = ""
    #: Used levels above this one (1-based) restart it; None means any, 0 none.
    restart: int | None = None
    style: str | None = None
    joined: bool = False
    legal: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """The number or bullet of a paragraph."""

    #: As shown: `3.1`, `(a)`, `-`; empty when the level shows nothing.
    text: str
    level: int
    bullet: bool
    #: True when no space parts the number from the text.
    joined: bool
    #: Which list it belongs to: equal for paragraphs that count on.
    sequence: str
    #: True when it starts its list anew.
    restarts: bool


@dataclass(slots=True)
class _Sequence:
    """The counters of an abstract numbering, by level; a level that was restarted has none."""

    counters: dict[int, int] = field(default_factory=dict)
    #: Numberings and levels whose own start value has been used.
    started: set[tuple[str, int]] = field(default_factory=set)


class Numbering:
    """Counts numbered paragraphs in reading order."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract: dict[str, Element] = {}
        self._nums: dict[str, Element] = {}
        self._found: dict[str, str | None] = {}
        self._levels: dict[str, dict[int, _Level]] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._sequences: dict[str, _Sequence] = {}
        for element in root.iterchildren(f"{W}abstractNum", f"{W}num") if root is not None else ():
            if element.tag == f"{W}num":
                self._nums.setdefault(element.get(f"{W}numId", ""), element)
            else:
                self._abstract.setdefault(element.get(f"{W}abstractNumId", ""), element)

    def defines(self, numbering: str) -> bool:
        """True for a numbering that exists: 0 means none."""
        return numbering != "0" and self._abstract_id(numbering) is not None

    def mark(self, numbering: str, level: int | None, style: str) -> Mark:
        """Count a paragraph in and return its mark. The level may be left to the style, to which levels are linked."""
        levels = self._levels_of(numbering)
        if level is None:
            level = next((linked for linked, described in levels.items() if described.style == style), 0)
        level = max(0, min(level, DEEPEST))
        sequence_id = self._abstract_id(numbering) or ""
        sequence = self._sequences.setdefault(sequence_id, _Sequence())
        restarts = self._count(sequence, numbering, level)
        described = levels.get(level, _Level())
        bullet = described.kind == "bullet"
        text = "-" if bullet else self._filled(described, levels, sequence)
        if _BULLET.match(text):
            text, bullet = "-", True
        return Mark(text, level, bullet, described.joined, sequence_id, restarts)

    def _count(self, sequence: _Sequence, numbering: str, level: int) -> bool:
        levels, counters = self._levels_of(numbering), sequence.counters
        start = self._starts[numbering].get(level)
        fresh = start is not None and (numbering, level) not in sequence.started
        sequence.started.add((numbering, level))
        restarts = fresh and level in counters
        if level in counters and not fresh:
            counters[level] += 1
        else:
            counters[level] = levels.get(level, _Level()).start if start is None else start
        for deeper in range(level + 1, DEEPEST + 1):
            restart = levels.get(deeper, _Level()).restart
            if restart is None or level < restart:
                counters.pop(deeper, None)
        return restarts

    def _filled(self, described: _Level, levels: dict[int, _Level], sequence: _Sequence) -> str:
        def count(place: re.Match[str]) -> str:
            level = int(place[1]) - 1
            shown = levels.get(level, _Level())
            kind = "decimal" if described.legal else shown.kind
            return formatted(sequence.counters.get(level, shown.start), kind)

        return " ".join(_PLACE.sub(count, described.template).split())

    def _abstract_id(self, numbering: str) -> str | None:
        if numbering not in self._found:
            self._found[numbering] = self._find_abstract(numbering)
        return self._found[numbering]

    def _find_abstract(self, numbering: str) -> str | None:
        """Return the abstract numbering behind a numbering, through the styles that stand between them."""
        for _ in range(_MOST_LINKS):
            element = self._nums.get(numbering)
            if element is None:
                return None
            identifier = value(element.find(f"{W}abstractNumId")) or ""
            abstract = self._abstract.get(identifier)
            if abstract is None:
                return None
            link = value(abstract.find(f"{W}numStyleLink"))
            linked = self._styles.get(link).numbering if link is not None else None
            if linked is None or linked == numbering:
                return identifier
            numbering = linked
        return None

    def _levels_of(self, numbering: str) -> dict[int, _Level]:
        levels = self._levels.get(numbering)
        if levels is None:
            levels, starts = {}, dict[int, int]()
            abstract = self._abstract[self._abstract_id(numbering) or ""]
            for element in abstract.iterchildren(f"{W}lvl"):
                levels[number(element.get(f"{W}ilvl"), 0) or 0] = _level(element)
            for override in self._nums[numbering].iterchildren(f"{W}lvlOverride"):
                level = number(override.get(f"{W}ilvl"), 0) or 0
                if (described := override.find(f"{W}lvl")) is not None:
                    levels[level] = _level(described)
                start = number(value(override.find(f"{W}startOverride")))
                if start is not None:
                    starts[level] = start
            self._levels[numbering], self._starts[numbering] = levels, starts
        return levels


def formatted(count: int, kind: str) -> str:
    """Return a count as a kind of number shows it; what isn't known is shown as decimal."""
    if kind == "none":
        return ""
    if kind == "decimalZero":
        return f"{count:02d}"
    shown = _SHOWN.get(kind.removeprefix("lower").removeprefix("upper"))
    text = shown(count) if shown is not None else str(count)
    return text.upper() if kind.startswith("upper") else text


def _level(element: Element) -> _Level:
    return _Level(
        start=number(value(element.find(f"{W}start")), 1) or 0,
        kind=value(element.find(f"{W}numFmt")) or "decimal",
        template=value(element.find(f"{W}lvlText")) or "",
        restart=number(value(element.find(f"{W}lvlRestart"))),
        style=value(element.find(f"{W}pStyle")),
        joined=value(element.find(f"{W}suff")) == "nothing",
        legal=toggle(element, "isLgl") or False,
    )
