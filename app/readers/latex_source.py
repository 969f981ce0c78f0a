"""A pass over LaTeX before Pandoc reads it (readers design, section 16).

What Pandoc would lose is put into words that it keeps, and what nobody reads is taken out.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from app.readers.latex_theorems import Theorems
from app.readers.latex_tokens import HEADINGS, SPACE, VERBATIM, Token, arguments, group_end, says_nothing, tokens
from app.readers.pandoc_marks import LINE_BREAK, Literals, item_marker

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
#: The label of an enumeration by its counter; only the kind of number is kept.
_LABEL = re.compile(r"\blabel\s*=[^,\]]*?\\(alph|Alph|roman|Roman|arabic)\*")
_COUNTS = {"alph": "a", "Alph": "A", "roman": "i", "Roman": "I", "arabic": "1"}
_CAPTION = re.compile(r"\\caption\*?\s*(?=[\[{])")
_LONGTABLE_PART = re.compile(r"\\end(firsthead|head|foot|lastfoot)(?![a-zA-Z])")
_TITLE_OPTION = re.compile(r"\btitle\s*=\s*(?:\{([^{}]*)\}|([^,\]{}]*))")
_BOX = re.compile(r"\$\\(?:square|boxtimes|checkmark|CheckedBox)\$|\\(?:square|Square|CheckedBox)\Z")
_VERSE_END = "\\end{verse}"
#: What ends a line of verse, with the room below it.
_VERSE_LINE = re.compile(r"[ \t]*\\\\\*?(?:\[[^\]\n]*\])?[ \t]*\n?[ \t]*(?!\n)")
#: A listing longer than this has its caption where it stands; verse that is longer is none.
_LONGEST_LISTING = 20_000
#: So many open environments are looked at.
_NEAR = 8


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
    theorems: Theorems
    #: Of listings that name none.
    language: str = ""
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
        name = VERBATIM[token.name]
        start = token.start + len(f"\\begin{{{token.name}}}")
        if token.name == "lstlisting" and self.language:
            return self._with_language(text, start)
        if not name:
            return None
        if (end := group_end(text, start, "[]")) > 0:
            start = end
        body = text[start : token.end - len(f"\\end{{{token.name}}}")].strip("\n")
        return self._write(f"\\begin{{{name}}}\n{body}\n\\end{{{name}}}", token.end)

    def _with_language(self, text: str, start: int) -> int | None:
        end = group_end(text, start, "[]")
        options = text[start + 1 : end - 1] if end > 0 else ""
        if "language" in options:
            return None
        written = ",".join(filter(None, (options, f"language={self.language}")))
        return self._write(f"\\begin{{lstlisting}}[{written}]", max(start, end))

    def _begin(self, text: str, token: Token) -> int | None:  # noqa: PLR0911 - a flat dispatch by environment
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
        if name == "verse":
            return self._verse(text, token)
        if name == "enumerate" and (behind := self._numbered(text, token)) is not None:
            return behind
        if (opening := self.theorems.opening(text, token)) is not None:
            return self._write(*opening)
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
        if name in _LISTINGS or name == "frame" or name in self.theorems:
            return self._write("\n\n", token.end)
        return None if name == token.name else self._write(f"\\end{{{name}}}", token.end)

    def _command(self, text: str, token: Token) -> int | None:  # noqa: C901, PLR0911 - a flat dispatch by command
        if token.name in HEADINGS:
            self.theorems.enter(token.name, numbered=text[token.end : token.end + 1] != "*")
            return None
        match token.name:
            case "item" if self._open and self._open[-1] in _BULLETED:
                space = SPACE.match(text, token.end)
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

    def _numbered(self, text: str, token: Token) -> int | None:
        r"""Write the label of an enumeration as Pandoc knows it: `a.` for `label=(\alph*)`."""
        end = group_end(text, token.end, "[]")
        label = _LABEL.search(text, token.end, end) if end > 0 else None
        if label is None:
            return None
        self._open.append(token.name)
        return self._write(f"\\begin{{enumerate}}[{_COUNTS[label[1]]}.]", end)

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
        body = Rewriter(self.literals, self.theorems, self.language, _open=["longtable"]).rewrite(
            f"{caption}{head}{parts[-1]}"
        )
        return self._write(f"\\begin{{longtable}}{{{groups[-1]}}}{body}", end)

    def _verse(self, text: str, token: Token) -> int | None:
        """Keep the ends of lines, which Pandoc takes for white space, and the blank lines between stanzas."""
        end = text.find(_VERSE_END, token.end, token.end + _LONGEST_LISTING)
        if end < 0:
            return None
        body = text[_behind_option(text, token.end) : end]
        if "\\begin" in body or "\\verb" in body:
            return None
        lines = (
            Rewriter(self.literals, self.theorems, self.language).rewrite(line) for line in _VERSE_LINE.split(body)
        )
        return self._write(f"\\begin{{verse}}\n{LINE_BREAK.join(lines)}\n{_VERSE_END}", end + len(_VERSE_END))

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
