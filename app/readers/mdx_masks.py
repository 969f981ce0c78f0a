"""MDX as Markdown of equal length, so that offsets hold (readers design, section 8)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.readers.code_points import code_points
from app.readers.markdown_masks import PARSER, Directive, Masked, mask
from app.readers.mdx_scanner import Edit, Scan, Scanner, is_code

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
_DEEP_LINE = re.compile(r"^(?: {4}| {0,3}\t)", re.MULTILINE)
#: Columns that make a line code in Markdown; MDX has no code by indentation.
_CODE_INDENT = 4
#: Components that are indented deeper than this keep code inside.
_MOST_LEVELS = 16


@dataclass(frozen=True, slots=True)
class _Alone:
    """A text that a tag on a line of its own shows; offsets in characters."""

    start: int
    end: int
    text: str


def mask_mdx(mdx: str) -> tuple[Masked, str]:
    """Return MDX as the Markdown parser should see it, and the same before Markdown's own masks."""
    mdx = mdx.replace(_GAP, "\x03").replace(_NOTHING, "\x03")
    scan = Scanner(mdx).scan()
    text, alone = _masked(mdx, scan)
    text = _dedented(text, scan)
    return _with_paragraphs(mask(text), text, alone), text


def _masked(mdx: str, scan: Scan) -> tuple[str, list[_Alone]]:
    """Put marks in the place of what is no Markdown; texts of tags that stand alone are returned apart."""
    hidden = _hidden(mdx, scan.edits)
    alone: list[_Alone] = []
    parts: list[str] = []
    at = 0
    for edit in scan.edits:
        parts.append(mdx[at : edit.start])
        at = edit.end
        if edit.is_tag and edit.kept and _stands_alone(hidden, edit):
            alone += (_Alone(*span, _shown(mdx, edit, span)) for span in edit.kept)
            parts.append(hidden[edit.start : edit.end])
        else:
            parts.append(_with_kept(mdx, hidden, edit))
    parts.append(mdx[at:])
    return _LINE.sub(_open_line, "".join(parts)).replace(_GAP, " "), alone


def _hidden(mdx: str, edits: Sequence[Edit]) -> str:
    """Return MDX with all that is no Markdown masked, texts in it too."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (mdx[at : edit.start], (_NOTHING if edit.joins else _GAP) * (edit.end - edit.start))
        at = edit.end
    return "".join((*parts, mdx[at:]))


def _stands_alone(hidden: str, edit: Edit) -> bool:
    """True when the lines of a tag hold nothing else but white space and other tags."""
    line_start = hidden.rfind("\n", 0, edit.start) + 1
    line_end = hidden.find("\n", edit.end)
    line = hidden[line_start : line_end if line_end >= 0 else len(hidden)]
    return not line.strip(f" \t{_GAP}{_NOTHING}")


def _shown(mdx: str, edit: Edit, span: tuple[int, int]) -> str:
    text = " ".join(mdx[slice(*span)].split())
    return f"[image: {text}]" if edit.is_image else text


def _with_kept(mdx: str, hidden: str, edit: Edit) -> str:
    """Return the marks of an edit with the texts in it where they stand."""
    parts: list[str] = []
    at = edit.start
    for start, end in edit.kept:
        before, after = ("[image: ", "]") if edit.is_image else ("", "")
        parts += (hidden[at : start - len(before)], before, mdx[start:end].replace("\n", " "), after)
        at = end + len(after)
    rest = hidden[at : edit.end]
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


def _dedented(text: str, scan: Scan) -> str:
    """Take the indent of what Markdown would read as code by moving it, line by line, in front of the line break."""
    for _ in range(_MOST_LEVELS):
        parts: list[str] = []
        at = 0
        for start, end in _indented(text):
            for line, indent in _lines(text, start, end):
                # In code, spaces at a line's end would show.
                fill = (_NOTHING if is_code(scan.code, line - 1) else " ") * indent
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
    offsets = code_points(data, (at for span in spans for at in span))
    return ((offsets[start], offsets[end]) for start, end in spans)


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


def _with_paragraphs(masked: Masked, text: str, alone: Sequence[_Alone]) -> Masked:
    if not alone:
        return masked
    offsets = _byte_offsets(text, sorted({at for part in alone for at in (part.start, part.end)}))
    found = [Directive(offsets[part.start], offsets[part.end], "", part.text, is_paragraph=True) for part in alone]
    directives = sorted((*masked.directives, *found), key=lambda directive: directive.start)
    return replace(masked, directives=tuple(directives))


def _byte_offsets(text: str, offsets: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    at = count = 0
    for offset in offsets:
        count += len(text[at:offset].encode())
        at = offset
        found[offset] = count
    return found
