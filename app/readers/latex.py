"""LaTeX to blocks (readers design, section 16), by Pandoc's tree."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.decoding import decode
from app.readers.latex_source import Rewriter, without_environments
from app.readers.latex_theorems import Theorems
from app.readers.latex_tokens import arguments, detex, group_end, headings, says_nothing, tokens
from app.readers.latex_units import with_plain_units
from app.readers.pandoc import Allowance, Refused, Tree, run_pandoc
from app.readers.pandoc_dialect import Dialect, Part
from app.readers.pandoc_document import Front, front_of, with_front
from app.readers.pandoc_marks import Literals, reference, without_marks
from app.readers.pandoc_sections import Piece, cut, read_pieces, whole_allowance
from app.readers.pandoc_tree import TreeReader
from app.readers.reader import Reader

#: Made-up identifiers take quadratic time when many headings are alike.
_FORMAT = "latex+raw_tex-auto_identifiers"
_BEGIN, _END = "\\begin{document}", "\\end{document}"
#: A heading of the highest rank, which makes the ranks of a part of the document those of the whole.
_RANK_MARK = "\ufdd8"
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}[ \t]*\n?")
_COMMAND = re.compile(r"\\([a-zA-Z@]+)\*?")
_ENVIRONMENT = re.compile(r"\\begin\s*\{([^{}\\\n]{1,40})\}")
_LANGUAGE_DIALECT = re.compile(r"\A\[[^\]]*\]\s*")
_LISTING_DEFAULT = re.compile(r"\\lstset\s*\{[^}]{0,2000}?\blanguage\s*=\s*(\{[^{}]*\}|[^,{}\]]+)")
_REFERENCES = frozenset(
    ("ref", "autoref", "eqref", "pageref", "cref", "Cref", "nameref", "vref", "fullref", "hyperref", "labelcref", "Ref")
)
_FRACTIONS = frozenset({"frac", "nicefrac", "sfrac", "tfrac", "dfrac", "xfrac"})
#: Commands whose arguments nobody reads.
_SILENT = frozenset(
    """
    label index glsadd nocite vspace hspace setlength addtolength setcounter addtocounter newcounter bibliographystyle
    bibliography addbibresource includegraphics includesvg includepdf graphicspath pagestyle thispagestyle pagenumbering
    usepackage documentclass hypersetup lstset geometry phantomsection addcontentsline rule color definecolor fontsize
    input include newtheorem spnewtheorem declaretheorem numberwithin theoremstyle
    newcommand renewcommand providecommand def let vskip hskip linespread
    setmainfont selectlanguage tikzset usetikzlibrary sisetup captionsetup newlength hyphenation lstinputlisting
    verbatiminput inputminted bibliographyunit printbibliography maketitle tableofcontents begin end
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_DEFINITIONS = frozenset(
    (*("newcommand", "renewcommand", "providecommand", "def", "newtheorem", "newenvironment"), "DeclareMathOperator")
)
#: What prints the title.
_TITLES = frozenset({"maketitle", "titlepage", "maketitlepage"})
#: Unknown environments can stand in each other.
_MOST_RUNS = 3


def read_latex(source: Source) -> ParsedDocument:
    """Read LaTeX into blocks. Every text is accepted: a section that Pandoc refuses is read as plain text."""
    decoded = decode(source.data, source.charset)
    document = _Document(without_marks(decoded.text))
    blocks, warnings = read_pieces(document.pieces, document.read, "LaTeX")
    front = document.front
    if front.title and not (document.shows_title or all(block.type is not BlockType.HEADING for block in blocks)):
        front = replace(front, title="")
    return ParsedDocument(
        blocks=tuple(with_front(front, document.reader.finish(_from_the_top(blocks)), document.reader)),
        title=document.front.title or None,
        language=document.front.language,
        encoding=decoded.encoding,
        warnings=(*decoded.warnings, *warnings),
    )


class _LatexDialect(Dialect):
    first_row_is_header = True
    raises_digits = True
    unnamed_image = "image"

    def heading(self, text: str, level: int) -> tuple[str, int]:
        return "" if text == _RANK_MARK else text, level

    def caption(self, text: str) -> str:
        return detex(text)

    def language(self, name: str) -> str:
        """Return a language without the name of its dialect: `[Sharp]C` is the one that is a language of its own."""
        return "csharp" if name.lower() == "[sharp]c" else _LANGUAGE_DIALECT.sub("", name)

    def math(self, tex: str) -> str:
        return _LABEL.sub("", tex)

    def raw(self, format_name: str, text: str) -> Sequence[Part]:
        """Read what Pandoc does not know: references, fractions, and what stands in the braces of the rest."""
        match = _COMMAND.match(text)
        if format_name not in {"latex", "tex"} or match is None:
            return ()
        name = match[1]
        _, groups, _ = arguments(text, match.end())
        if name == "begin":
            return (detex(_ENVIRONMENT.sub("", text.rpartition("\\end")[0])),)
        if name in _REFERENCES:
            labels = groups[0].split(",") if groups else []
            return (", ".join(reference(label.strip()) for label in labels),)
        if name in _FRACTIONS and len(groups) > 1:
            return (f"{detex(groups[0])}/{detex(groups[1])}",)
        if name in _SILENT or all(says_nothing(group) for group in groups):
            return ()
        return (" ".join(detex(group) for group in groups),)


class _Document:
    """A source cut at its headings, and what its parts have in common."""

    def __init__(self, text: str) -> None:
        begin = next((token for token in tokens(text) if token.kind == "begin" and token.name == "document"), None)
        body_start = begin.end if begin else 0
        self._preamble = with_plain_units(text[: begin.start]) if begin else ""
        ranks = list(headings(text))
        starts = [start for _, start in ranks if start >= body_start]
        self._top = next((rank for rank in ("part", "chapter") if any(name == rank for name, _ in ranks)), None)
        self._theorems = Theorems(text)
        listings = _LISTING_DEFAULT.search(text)
        self._language = listings[1].strip() if listings else ""
        self._literals = Literals()
        self.shows_title = any(token.kind == "command" and token.name in _TITLES for token in tokens(text))
        self.front = Front()
        self.reader = TreeReader(_LatexDialect(), self._literals)
        self.pieces = list(self._cut(text, body_start, starts))
        self._allowance: Allowance = whole_allowance(self.pieces)
        self._definitions = "" if begin or not self.pieces else _definitions(self.pieces[0].plain)

    def read(self, pieces: Sequence[Piece]) -> list[Block]:
        """Read pieces that follow each other.

        Raises:
            Refused: Pandoc can't.
        """
        try:
            return self._read(pieces, self._preamble)
        except Refused as refused:
            if len(pieces) > 1 or refused.at_limit or not self._preamble.strip():
                raise
        # The trouble may be in the preamble.
        return self._read(pieces, "")

    def _read(self, pieces: Sequence[Piece], preamble: str) -> list[Block]:
        whole = len(pieces) == len(self.pieces)
        rank = f"\\{self._top}{{{_RANK_MARK}}}\n\n" if self._top and not whole else ""
        text = rank + "".join(piece.text for piece in pieces)
        front = (self._definitions if pieces[0] is not self.pieces[0] else "") + preamble
        tree = self._run(front, text)
        self.front = self.front or front_of(tree, self.reader)
        return self.reader.read(tree)

    def _run(self, front: str, text: str) -> Tree:
        """Run Pandoc; the environments that it does not know are opened, and it is run again."""
        for runs in range(1, _MOST_RUNS + 1):
            data = f"{front}\n{_BEGIN}\n{text}\n{_END}\n" if self._preamble else f"{front}\n{text}\n"
            tree = run_pandoc(_FORMAT, data.encode(), self._allowance)
            unknown = set(_unknown_environments(tree.blocks))
            if not unknown or runs == _MOST_RUNS:
                break
            text = without_environments(text, unknown)
        return tree

    def _cut(self, text: str, body_start: int, starts: Sequence[int]) -> Iterator[Piece]:
        offset, places = 0, set(starts)
        for line, last, plain in cut(text, starts):
            body = plain[max(0, body_start - offset) :]
            offset += len(plain)
            has_heading = _COMMAND.match(plain.lstrip()) is not None and offset - len(plain) in places
            written = with_plain_units(body.partition(_END)[0] if self._preamble else body)
            rewritten = Rewriter(self._literals, self._theorems, self._language).rewrite(written)
            yield Piece(line, rewritten, body.replace(_END, ""), last, has_heading)


def _definitions(text: str) -> str:
    """Return the macros that a fragment defines before its first heading."""
    found: list[str] = []
    for token in tokens(text):
        if token.kind == "command" and token.name in _DEFINITIONS:
            opening = text.find("{", token.end)
            end = opening
            while end >= 0 and (further := group_end(text, end)) > 0:
                end = further
                if text[end : end + 1] == "[":
                    end = max(end, group_end(text, end, "[]"))
            if end > opening >= 0:
                found.append(text[token.start : end])
    return "\n".join(found) + "\n"


def _unknown_environments(blocks: Any) -> Iterator[str]:  # noqa: ANN401 - nodes as the JSON has them
    waiting = [blocks]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            if value.get("t") in {"RawBlock", "RawInline"}:
                match = _ENVIRONMENT.match(value["c"][1])
                if match:
                    yield match[1]
            else:
                waiting += value.values()


def _from_the_top(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks with their highest headings at level 1."""
    highest = min((block.level for block in blocks if block.level is not None), default=1)
    return [replace(block, level=block.level - highest + 1) if block.level is not None else block for block in blocks]


def looks_like_latex(_head: bytes, text: str) -> bool:
    """True when a text opens a document as only LaTeX does."""
    return re.search(r"^[ \t]*\\(?:documentclass\b|begin\{document\})", text, re.MULTILINE) is not None


READER = Reader(
    format="latex",
    extensions=("tex", "ltx", "latex"),
    media_types=("application/x-tex", "text/x-tex", "application/x-latex", "text/x-latex"),
    read=read_latex,
    looks_like=looks_like_latex,
)
