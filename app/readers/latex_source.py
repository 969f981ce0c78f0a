"""A pass over LaTeX before Pandoc reads it (readers design, section 16).

What Pandoc would lose is put into words that it keeps, and what nobody reads is taken out.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from app.readers.pandoc_marks import Literals, item_marker

#: Environments whose content is no markup: as they are, as `verbatim`, or not at all.
_VERBATIM = {
    **dict.fromkeys(("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted"), ""),
    **dict.fromkeys(("alltt", "BVerbatim", "algorithmic"), "verbatim"),
}
_DROPPED = frozenset(("comment", "tikzpicture", "pgfpicture", "picture", "filecontents", "filecontents*"))
#: Environments that Pandoc knows by another name; the second value tells how many arguments go.
_ALIASES = {
    **dict.fromkeys(("table*", "sidewaystable", "sidewaystable*", "SCtable", "margintable"), ("table", 0)),
    **dict.fromkeys(("figure*", "sidewaysfigure", "sidewaysfigure*", "SCfigure", "marginfigure"), ("figure", 0)),
    "wraptable": ("table", 2),
    "wrapfigure": ("figure", 2),
    "xltabular": ("tabularx", 0),
    "tabulary": ("tabularx", 0),
    "supertabular": ("tabular", 0),
    "xtabular": ("tabular", 0),
    "thebibliography": ("itemize", 1),
}
#: Their captions belong to what stands in them.
_FLOATS = frozenset({"table", "figure", "longtable", "subfigure", "subtable"})
#: Around listings: their captions come in front.
_LISTINGS = frozenset({"listing", "listing*", "algorithm", "algorithm*", "algorithm2e", "program"})
_BULLETED = frozenset({"itemize", "enumerate"})
#: Theorem-like environments that classes define, with the words that they print.
_THEOREMS = {
    name: name.capitalize()
    for name in (
        *("theorem", "lemma", "corollary", "proposition", "definition", "example", "remark", "claim", "conjecture"),
        *("axiom", "exercise", "problem", "assumption", "observation", "fact", "property"),
    )
}
_HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_TOKEN = re.compile(
    r"\\(?:(?P<edge>begin|end)\s*\{(?P<name>[^{}\\\n]{1,40})\}"
    r"|(?P<verb>verb|lstinline)\*?(?P<delimiter>[^\w\s*{\[])"
    r"|(?P<command>[a-zA-Z@]+)"
    r"|.)"
    r"|(?P<comment>%[^\n]*)",
    re.DOTALL,
)
_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_CAPTION = re.compile(r"\\caption\*?\s*(?=[\[{])")
_LONGTABLE_PART = re.compile(r"\\end(firsthead|head|foot|lastfoot)(?![a-zA-Z])")
_TITLE_OPTION = re.compile(r"\btitle\s*=\s*(?:\{([^{}]*)\}|([^,\]{}]*))")
_BOX = re.compile(r"\$\\(?:square|boxtimes|checkmark|CheckedBox)\$|\\(?:square|Square|CheckedBox)\Z")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
#: An optional argument; brackets in it stand in braces.
_BRACKETS = re.compile(r"\[(?:[^\[\]{}\\]|\\.|\{[^{}]*\})*+\]", re.DOTALL)
#: A listing longer than this has its caption where it stands.
_LONGEST_LISTING = 20_000
#: So many open environments are looked at.
_NEAR = 8

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
        if edge == "begin" and (name in _VERBATIM or name in _DROPPED):
            mark = f"\\end{{{name}}}"
            end = closing(mark, at)
            if end >= 0:
                at = end + len(mark)
                yield Token("dropped" if name in _DROPPED else "verbatim", name, start, at)
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
        space = _SPACE.match(text, at)
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
        if token.kind == "command" and token.name in _HEADINGS:
            start = token.start
            while text[start - 1 : start] in {" ", "\t"}:
                start -= 1
            if start == 0 or text[start - 1] == "\n":
                yield token.name, token.start


def theorem_definitions(text: str) -> str:
    """Return definitions of the theorem-like environments that the source uses and does not define."""
    used: dict[str, None] = {}
    defined: set[str] = set()
    for token in tokens(text):
        if token.kind == "begin" and token.name in _THEOREMS:
            used.setdefault(token.name)
        elif token.kind == "command" and token.name in {
            "newtheorem",
            "spnewtheorem",
            "declaretheorem",
            "newenvironment",
        }:
            _, groups, _ = arguments(text, token.end + (text[token.end : token.end + 1] == "*"))
            defined.update(groups[:1])
    return "".join(f"\\newtheorem{{{name}}}{{{_THEOREMS[name]}}}\n" for name in used if name not in defined)


def without_environments(text: str, names: Collection[str]) -> str:
    """Take the edges of environments away; what their arguments say stays, as paragraphs."""
    out: list[str] = []
    at = 0
    for token in tokens(text):
        if token.kind not in {"begin", "end"} or token.name not in names or token.start < at:
            continue
        out += [text[at : token.start], "\n\n"]
        at = token.end
        if token.kind == "begin":
            options, groups, at = arguments(text, token.end)
            titles = [match[1] or match[2] for option in options if (match := _TITLE_OPTION.search(option))]
            out += [f"{said}\n\n" for said in [*titles, *groups] if not says_nothing(said)]
    return "".join([*out, text[at:]])


@dataclass(slots=True)
class Rewriter:
    """Rewrites one part of a source."""

    literals: Literals
    _out: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def rewrite(self, text: str) -> str:
        """Return the part as Pandoc is to read it."""
        at = 0
        for token in tokens(text):
            if token.start < at:
                continue
            handle = getattr(self, f"_{token.kind}", None)
            end = handle(text, token) if handle else None
            if end is not None:
                written = self._out.pop()
                self._out += [text[at : token.start], written]
                at = end
        self._out.append(text[at:])
        return "".join(self._out)

    # Each of these appends what stands for a token and returns where the source goes on, or leaves it as it is: None.

    def _dropped(self, _text: str, token: Token) -> int:
        # Nothing, and no blank line that would end the paragraph either.
        return self._write("{}", token.end)

    def _verbatim(self, text: str, token: Token) -> int | None:
        name = _VERBATIM[token.name]
        if not name:
            return None
        start = token.start + len(f"\\begin{{{token.name}}}")
        if (end := group_end(text, start, "[]")) > 0:
            start = end
        body = text[start : token.end - len(f"\\end{{{token.name}}}")].strip("\n")
        return self._write(f"\\begin{{{name}}}\n{body}\n\\end{{{name}}}", token.end)

    def _begin(self, text: str, token: Token) -> int | None:
        name, end = token.name, token.end
        if name in _LISTINGS:
            self._open.append(name)
            return self._write(f"\n\n{_caption_in(text, end, name)}\n\n", _behind_option(text, end))
        if name == "longtable":
            self._open.append(name)
            return self._longtable(text, end)
        if name == "frame":
            _, groups, end = arguments(text, end)
            return self._write("".join(f"\n\n\\subsection*{{{group}}}\n\n" for group in groups[:1]), end)
        name, spare = _ALIASES.get(name, (name, 0))
        self._open.append(name)
        if name == token.name:
            return None
        if spare:
            end = _behind_option(text, end)
        for _ in range(spare):
            end = max(end, group_end(text, end))
        return self._write(f"\\begin{{{name}}}", end)

    def _end(self, _text: str, token: Token) -> int | None:
        name = _ALIASES.get(token.name, (token.name, 0))[0]
        if name in self._open[-3:]:
            while self._open.pop() != name:
                pass
        if name in _LISTINGS or name == "frame":
            return self._write("\n\n", token.end)
        return None if name == token.name else self._write(f"\\end{{{name}}}", token.end)

    def _command(self, text: str, token: Token) -> int | None:  # noqa: PLR0911 - a flat dispatch by command
        match token.name:
            case "item" if self._open and self._open[-1] in _BULLETED:
                space = _SPACE.match(text, token.end)
                start = space.end() if space else token.end
                end = group_end(text, start, "[]")
                if end < 0 or _BOX.match(text[start + 1 : end - 1].strip()):
                    return None
                return self._write(f"\\item {item_marker(text[start + 1 : end - 1])} ", end)
            case "bibitem":
                _, groups, end = arguments(text, token.end)
                key = self.literals.add(f"[{groups[0].strip()}]") if groups else ""
                return self._write(f"\\item {key} ", end)
            case "input" | "include" | "subfile" | "import" | "subimport":
                _, groups, end = arguments(text, token.end)
                if not groups:
                    bare = re.compile(r"[ \t]+([^\s\\{}]+)").match(text, token.end)
                    groups, end = ([bare[1]], bare.end()) if bare else ([], end)
                included = self.literals.add(f"[include: {''.join(groups)}]") if groups else ""
                return self._write(f"\n\n{included}\n\n", end)
            case "captionof" | "captionof*":
                _, groups, end = arguments(text, token.end)
                return self._write(f"\n\n{groups[-1]}\n\n" if groups else "", end)
            case "caption" if not _FLOATS.intersection(self._open[-_NEAR:]):
                _, groups, end = arguments(text, token.end + (text[token.end : token.end + 1] == "*"))
                inside = _LISTINGS.intersection(self._open[-_NEAR:])
                return self._write(f"\n\n{groups[0]}\n\n" if groups and not inside else "", end)
            case "cline" | "cmidrule" | "cmidrule*" | "specialrule" | "addlinespace":
                trim = re.compile(r"(?:\[[^\]\n]*\])?(?:\([^)\n]*\))?").match(text, token.end)
                end = trim.end() if trim else token.end
                _, _, end = arguments(text, end)
                return self._write("", end)
            case "frametitle":
                _, groups, end = arguments(text, token.end)
                return self._write("".join(f"\n\n\\subsection*{{{group}}}\n\n" for group in groups[:1]), end)
        return None

    def _longtable(self, text: str, start: int) -> int | None:
        """Leave one of a long table's heads; the others, and its feet, are repeated at page breaks only."""
        following = text.find("\\begin{longtable}", start)
        end = text.find("\\end{longtable}", start, following if following >= 0 else len(text))
        _, groups, body_start = arguments(text, start)
        if end < 0 or not groups or body_start > end:
            return None
        parts = _LONGTABLE_PART.split(text[body_start:end])
        named = dict(zip(parts[1::2], parts[0::2], strict=False))
        if not named:
            return None
        head = named.get("firsthead", named.get("head", ""))
        head = f"{head}\\endhead" if head else ""
        caption = "" if "\\caption" in head else f"{_caption_command(text, body_start, end)}"
        body = Rewriter(self.literals, _open=["longtable"]).rewrite(f"{caption}{head}{parts[-1]}")
        return self._write(f"\\begin{{longtable}}{{{groups[-1]}}}{body}", end)

    def _write(self, written: str, end: int) -> int:
        self._out.append(written)
        return end


def _behind_option(text: str, at: int) -> int:
    end = group_end(text, at, "[]")
    return end if end > 0 else at


def _caption_in(text: str, start: int, name: str) -> str:
    """Return the caption of a listing that starts here."""
    end = text.find(f"\\end{{{name}}}", start, start + _LONGEST_LISTING)
    match = _CAPTION.search(text, start, end) if end >= 0 else None
    groups = arguments(text, match.end())[1] if match else []
    return groups[0] if groups else ""


def _caption_command(text: str, start: int, end: int) -> str:
    match = _CAPTION.search(text, start, end)
    groups = arguments(text, match.end())[1] if match else []
    return f"\\caption{{{groups[0]}}}\\\\" if groups else ""
