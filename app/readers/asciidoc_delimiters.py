"""Which lines of AsciiDoc are edges of blocks, found before any is read (readers design, section 14).

An edge that has no other half is no edge: a structural block that never closes leaves its content where it is, and a
verbatim block that never closes runs to the end. Comments and passthroughs that never close are text.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_VERBATIM = re.compile(r"(?:-{4,}|\.{4,}|`{3}[^`\s]*[ \t]*)\Z")
_EDGE = re.compile(r"(?:-{4,}|\.{4,}|`{3}[^`\s]*|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|[|,:!]={3,})[ \t]*\Z")
_UNDERLINE = re.compile(r"(=+|-+|~+|\^+|\++)[ \t]*\Z")
_LEVELS = "=-~^+"
_NO_TITLE = re.compile(
    r"[ \t]|\[.*\][ \t]*\Z|\.\S|//|[|:,+*_=`./-]{3,}\Z|(?:\*+|\.+|-)[ \t]|include::|ifdef::|ifndef::|endif::"
)
_SHORTEST_UNDERLINE = 3
#: What these hold is no text, so one that never closes would hide the rest of the file.
_NEVER_TEXT = frozenset({"comment", "pass"})


@dataclass(frozen=True, slots=True)
class Role:
    """What a line is: `comment`, `verbatim`, `pass`, `table`, `open`, `close`, `underline` or `nothing`."""

    kind: str
    #: Line that closes the block; the number of lines when nothing does.
    end: int = -1
    #: Level of an underlined heading.
    level: int = 0


def roles_of(lines: Sequence[str]) -> dict[int, Role]:
    """Return the roles of the lines that are edges or underlines."""
    roles: dict[int, Role] = {}
    places = _places(lines)
    opened: list[tuple[str, int]] = []
    open_edges: Counter[str] = Counter()
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        if level := _underline_level(lines, at, open_edges):
            roles[at] = Role("underline", level=level)
        elif _EDGE.match(line):
            kind = _kind(line)
            if kind == "open":
                _structure(line, at, opened, open_edges, roles)
            else:
                end = _next(places, "```" if line.startswith("```") else line, at)
                if end < 0 and kind in _NEVER_TEXT:
                    roles[at] = Role("nothing")
                else:
                    end = len(lines) if end < 0 else end
                    roles[at] = Role(kind, end)
                    at = end
        at += 1
    for _, start in opened:
        roles[start] = Role("nothing")
    return roles


def is_edge(line: str) -> bool:
    """True for a line that opens or closes a block."""
    return _EDGE.match(line) is not None


def _structure(
    line: str, at: int, opened: list[tuple[str, int]], open_edges: Counter[str], roles: dict[int, Role]
) -> None:
    """Open a block, or close the innermost with the same edge; what is open inside it has no end."""
    if not open_edges[line]:
        opened.append((line, at))
        open_edges[line] += 1
        return
    while opened:
        edge, start = opened.pop()
        open_edges[edge] -= 1
        if edge == line:
            roles[start], roles[at] = Role("open", at), Role("close")
            return
        roles[start] = Role("nothing")


def _kind(line: str) -> str:
    if line.startswith("////"):
        return "comment"
    if line.startswith("++++"):
        return "pass"
    if _VERBATIM.match(line):
        return "verbatim"
    return "table" if line[0] in "|,:!" else "open"


def _places(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return where each edge stands, the last place first."""
    places: dict[str, list[int]] = {}
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].rstrip()
        if _EDGE.match(line):
            places.setdefault(line, []).append(number)
    return places


def _next(places: dict[str, list[int]], line: str, behind: int) -> int:
    found = places.get(line, [])
    while found and found[-1] <= behind:
        found.pop()
    return found[-1] if found else -1


def _underline_level(lines: Sequence[str], at: int, open_edges: Counter[str]) -> int:
    """Return the level of the heading that this line underlines, else 0."""
    line = lines[at].rstrip()
    match = _UNDERLINE.match(line)
    if match is None or len(line) < _SHORTEST_UNDERLINE or at == 0 or open_edges[line]:
        return 0
    title = lines[at - 1].rstrip()
    if abs(len(title) - len(line)) > 1 or not title or _NO_TITLE.match(title) or not re.search(r"\w", title):
        return 0
    before = lines[at - 2].strip() if at > 1 else ""
    starts = not before or (before.startswith("[") and before.endswith("]")) or before.startswith((":", "//"))
    return _LEVELS.index(line[0]) + 1 if starts else 0
