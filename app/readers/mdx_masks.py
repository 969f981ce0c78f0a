"""MDX as Markdown of equal length, so that offsets hold (readers design, section 8)."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge

from app.readers.code_points import CodePoints
from app.readers.markdown_masks import PARSER, Directive, Masked, mask
from app.readers.mdx_scanner import Edit, Scanner, Span, is_code

#: Stand for what is masked until it is known what stands around it: a gap, and nothing at all.
_GAP = "\x02"
#: The parser takes it for white space, but not for an indent; prose is cleaned of it.
_NOTHING = "\x0b"
_LINE = re.compile(
    rf"^(?P<front>[ \t>]*+(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]++)*+)(?P<masked>[{_GAP}{_NOTHING}][^\n]*)$", re.MULTILINE
)
#: No gap stands in front of them.
_STOPS = frozenset(".,;:!?)")
_INDENT = re.compile(r"[ \t]*")
_BLANKS = f" \t\n{_NOTHING}"
_DEEP_LINE = re.compile(r"^(?: {4}| {0,3}\t)", re.MULTILINE)
#: Columns that make a line code in Markdown; MDX has no code by indentation.
_CODE_INDENT = 4
#: Components that are indented deeper than this keep code inside.
_MOST_LEVELS = 16
#: Edits that are made together.
_RUN = 1_000


@dataclass(frozen=True, slots=True)
class _Alone:
    """Texts that tags on lines of their own show, in order; compact, as large documents have millions."""

    #: By fours: where a text starts and ends in characters, 1 for an image's, and the indent of the tag's line.
    spans: "array[int]" = field(default_factory=lambda: array("Q"))

    def add(self, edit: Edit, indent: int) -> None:
        """Note the texts of a tag."""
        for start, end in edit.kept:
            self.spans.extend((start, end, edit.is_image, indent))

    def paragraphs(self, mdx: str, text: str) -> Iterator[Directive]:
        """Yield what the tags show as paragraphs; offsets in bytes of the masked `text`."""
        at = count = taken = 0
        values = iter(self.spans)
        for start, end, is_image, indent in zip(values, values, values, values, strict=True):
            count += len(text[at:start].encode())
            taken = _taken(mdx, text, at, start, taken)
            at, first = end, count
            count += len(text[start:end].encode())
            shown = _shown(mdx[start:end], is_image=bool(is_image))
            yield Directive(first, count, "", shown, is_paragraph=True, indent=max(0, indent - taken))


def mask_mdx(mdx: str) -> tuple[Masked, str]:
    """Return MDX as the Markdown parser should see it, and the same before Markdown's own masks."""
    mdx = mdx.replace(_GAP, "\x03").replace(_NOTHING, "\x03")
    scanner = Scanner(mdx)
    alone = _Alone()
    text = "".join(_masked(mdx, edits, start, end, alone) for start, end, edits in _runs(mdx, scanner.edits()))
    text = _dedented(text, scanner.code)
    masked = mask(text)
    if alone.spans:
        directives = merge(masked.directives, alone.paragraphs(mdx, text), key=lambda directive: directive.start)
        masked = replace(masked, directives=directives)
    return masked, text


def _runs(mdx: str, edits: Iterable[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Part MDX at line breaks into runs of so many edits, no line of which has edits of another run."""
    start = 0
    run: list[Edit] = []
    for edit in edits:
        if len(run) >= _RUN and (line := mdx.rfind("\n", run[-1].end, edit.start) + 1):
            yield start, line, run
            start, run = line, []
        run.append(edit)
    yield start, len(mdx), run


def _masked(mdx: str, edits: Sequence[Edit], start: int, end: int, alone: _Alone) -> str:
    """Return a run with marks in the place of what is no Markdown; texts of tags that stand alone are noted apart."""
    hidden = _hidden(mdx, edits, start, end)
    parts: list[str] = []
    at = start
    for edit in edits:
        parts.append(mdx[at : edit.start])
        at = edit.end
        inside = hidden[edit.start - start : edit.end - start]
        if edit.is_tag and edit.kept and _stands_alone(hidden, edit.start - start, edit.end - start):
            alone.add(edit, _indent(mdx, edit.start))
            parts.append(inside)
        else:
            parts.append(_with_kept(mdx, inside, edit))
    parts.append(mdx[at:end])
    return _LINE.sub(_open_line, "".join(parts)).replace(_GAP, " ")


def _hidden(mdx: str, edits: Sequence[Edit], start: int, end: int) -> str:
    """Return a run with all that is no Markdown masked, texts in it too."""
    parts: list[str] = []
    at = start
    for edit in edits:
        parts += (mdx[at : edit.start], (_NOTHING if edit.joins else _GAP) * (edit.end - edit.start))
        at = edit.end
    return "".join((*parts, mdx[at:end]))


def _stands_alone(hidden: str, start: int, end: int) -> bool:
    """True when the lines of a tag hold nothing else but white space and other tags."""
    line_start = hidden.rfind("\n", 0, start) + 1
    line_end = hidden.find("\n", end)
    line = hidden[line_start : line_end if line_end >= 0 else len(hidden)]
    return not line.strip(f" \t{_GAP}{_NOTHING}")


def _taken(mdx: str, text: str, start: int, end: int, otherwise: int) -> int:
    """Return how much indent the last line of a range has lost that says something; something else where none does."""
    last = len(text[start:end].rstrip(_BLANKS))
    if not last:
        return otherwise
    line = text.rfind("\n", 0, start + last) + 1
    said = start + last - len(text[line : start + last].lstrip(_BLANKS))
    written = mdx.rfind("\n", 0, said) + 1
    return max(0, len(mdx[written:said].expandtabs(_CODE_INDENT)) - len(text[line:said].expandtabs(_CODE_INDENT)))


def _indent(mdx: str, at: int) -> int:
    """Return how many columns the line is indented that a character stands on."""
    match = _INDENT.match(mdx, mdx.rfind("\n", 0, at) + 1)
    return len(match[0].expandtabs(_CODE_INDENT)) if match else 0


def _shown(written: str, *, is_image: bool) -> str:
    text = " ".join(written.split())
    return f"[image: {text}]" if is_image else text


def _with_kept(mdx: str, masked: str, edit: Edit) -> str:
    """Return the marks of an edit with the texts in it where they stand."""
    parts: list[str] = []
    at = 0
    for start, end in edit.kept:
        before, after = ("[image: ", "]") if edit.is_image else ("", "")
        parts += (masked[at : start - edit.start - len(before)], before, mdx[start:end].replace("\n", " "), after)
        at = end - edit.start + len(after)
    rest = masked[at:]
    ends_clause = bool(edit.kept) and mdx[edit.end : edit.end + 1] in _STOPS
    return "".join((*parts, _NOTHING * len(rest) if ends_clause else rest))


def _open_line(match: re.Match[str]) -> str:
    """Mask a line that opens with marks: with spaces when nothing follows, else with what makes no indent."""
    front, masked = match["front"], match["masked"]
    text = masked.strip(f" \t{_GAP}{_NOTHING}")
    if not text:
        return front + " " * len(masked)
    start = masked.index(text)
    # White space between the marks would be an indent too.
    return front + _NOTHING * start + text + _NOTHING * (len(masked) - start - len(text))


def _dedented(text: str, code: list[Span]) -> str:
    """Take the indent of what Markdown would read as code by moving it, line by line, in front of the line break."""
    for _ in range(_MOST_LEVELS):
        parts: list[str] = []
        at = 0
        for start, end in _indented(text):
            for line, indent in _lines(text, start, end):
                # In code, spaces at a line's end would show.
                fill = (_NOTHING if is_code(code, line - 1) else " ") * indent
                if line:
                    parts += (text[at : line - 1], fill, "\n")
                else:
                    parts += (fill[1:], "\n")
                at = line + indent
        if not parts:
            break
        text = "".join((*parts, text[at:]))
    return text


def _indented(text: str) -> Iterator[tuple[int, int]]:
    """Find what the parser takes for code by indentation."""
    if _DEEP_LINE.search(text) is None:
        return iter(())
    data = text.encode()
    spans = [
        (span["start"], span["end"])
        for event, span in PARSER.events_with_range(mask(text).text)
        if event.__class__ is dict and event.get("Start") == {"CodeBlock": "Indented"}
    ]
    code_points = CodePoints(data)
    return (code_points.span(start, end) for start, end in spans)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the start of each written line of a range, and how much of its indent makes four columns."""
    at = text.rfind("\n", 0, start) + 1
    while at < end:
        match = _INDENT.match(text, at)
        indent = match[0] if match else ""
        taken = 0
        while taken < len(indent) and len(indent[:taken].expandtabs(_CODE_INDENT)) < _CODE_INDENT:
            taken += 1
        if taken and text[at + len(indent) : at + len(indent) + 1].strip():
            yield at, taken
        following = text.find("\n", at)
        at = following + 1 if following >= 0 else end
