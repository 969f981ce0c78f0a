r"""The marks of LaTeX in order: commands, edges of environments and what is verbatim (readers design, section 16)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

#: Environments whose content is no markup: as they are, as `verbatim`, or not at all.
VERBATIM = {
    **dict.fromkeys(("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted"), ""),
    **dict.fromkeys(("alltt", "BVerbatim", "algorithmic"), "verbatim"),
}
DROPPED = frozenset(("comment", "tikzpicture", "pgfpicture", "picture", "filecontents", "filecontents*"))
#: Sectioning commands, the highest rank first.
HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_TOKEN = re.compile(
    r"\\(?:(?P<edge>begin|end)\s*\{(?P<name>[^{}\\\n]{1,40})\}"
    r"|(?P<verb>verb|lstinline)\*?(?P<delimiter>[^\w\s*{\[])"
    r"|(?P<command>[a-zA-Z@]+)"
    r"|.)"
    r"|(?P<comment>%[^\n]*)",
    re.DOTALL,
)
SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
#: An optional argument; brackets in it stand in braces.
_BRACKETS = re.compile(r"\[(?:[^\[\]{}\\]|\\.|\{[^{}]*\})*+\]", re.DOTALL)
_LENGTH = r"[-+]?[\d.,]+\s*(?:pt|cm|mm|in|em|ex|sp|bp|pc|%|\\[a-zA-Z]+)?"
_NO_TEXT = re.compile(rf"\s*(?:{_LENGTH}|\\[a-zA-Z]+|[\w.-]*[:=_][\w.:=_-]*)?\s*\Z")
_DETEX = re.compile(r"\\([a-zA-Z@]+)\*?[ \t]?|\\(.)|([{}])|([~\n])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A command, an edge of an environment, or a stretch that holds no markup."""

    #: `begin`, `end`, `command`, `verbatim` (an environment whole), `dropped` (same), `opaque` (anything to skip).
    kind: str
    name: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    r"""Yield the marks of a source in order; comments, verbatim text and `\iffalse` parts are seen whole.

    What opens such a part and never closes it is no opening, so that one slip does not hide the rest of the file.
    """
    at = 0
    #: Ends that were looked for and do not come again.
    missing: set[str] = set()

    def closing(mark: str, behind: int) -> int:
        if mark in missing:
            return -1
        found = text.find(mark, behind)
        if found < 0:
            missing.add(mark)
        return found

    while match := _TOKEN.search(text, at):
        start, at = match.span()
        edge, name, command = match["edge"], match["name"], match["command"]
        if edge == "begin" and (name in VERBATIM or name in DROPPED):
            mark = f"\\end{{{name}}}"
            end = closing(mark, at)
            if end >= 0:
                at = end + len(mark)
                yield Token("dropped" if name in DROPPED else "verbatim", name, start, at)
                continue
        if match["verb"]:
            line_end = text.find("\n", at, at + 500)
            end = text.find(match["delimiter"], at, line_end if line_end >= 0 else at + 500)
            at = end + 1 if end >= 0 else at
            yield Token("opaque", match["verb"], start, at)
        elif command == "iffalse":
            end = closing("\\fi", at)
            at = end + 3 if end >= 0 else at
            yield Token("dropped" if end >= 0 else "opaque", command, start, at)
        elif edge or command:
            yield Token(edge or "command", name or command, start, at)
        else:
            yield Token("opaque", "", start, at)


@lru_cache(maxsize=2)
def _brace_ends(text: str) -> Mapping[int, int]:
    """Return, by the place of its opening brace, where each group ends: one pass for all of them."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            waiting.append(match.start())
        elif match[0] == "}" and waiting:
            ends[waiting.pop()] = match.end()
    return ends


def group_end(text: str, at: int, brackets: str = "{}") -> int:
    """Return where the group that opens at `at` ends, its closing sign included; -1 when none opens or it is open."""
    if brackets == "[]":
        match = _BRACKETS.match(text, at)
        return match.end() if match else -1
    return _brace_ends(text).get(at, -1)


def arguments(text: str, at: int) -> tuple[list[str], list[str], int]:
    """Return the contents of the brackets and of the braces that follow, and where they end."""
    options: list[str] = []
    groups: list[str] = []
    while True:
        space = SPACE.match(text, at)
        start = space.end() if space else at
        brackets = "[]" if text[start : start + 1] == "[" else "{}"
        end = group_end(text, start, brackets)
        if end < 0:
            return options, groups, at
        (options if brackets == "[]" else groups).append(text[start + 1 : end - 1])
        at = end


def says_nothing(group: str) -> bool:
    """True for an argument that is a length, a number or a key."""
    return _NO_TEXT.match(group) is not None


def detex(text: str) -> str:
    """Return a stretch of LaTeX without its commands and braces."""
    return _DETEX.sub(lambda match: match[2] or (" " if match[4] else ""), text)


def headings(text: str) -> Iterator[tuple[str, int]]:
    """Yield the sectioning commands that open a line, with their places."""
    for token in tokens(text):
        if token.kind == "command" and token.name in HEADINGS:
            start = token.start
            while text[start - 1 : start] in {" ", "\t"}:
                start -= 1
            if start == 0 or text[start - 1] == "\n":
                yield token.name, token.start
