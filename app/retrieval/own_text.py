"""Where a unit's own text stands: behind its heading path and overlap, and in the source (retrieval design, "Packing").

A unit's text opens with its heading path, may then repeat the end of the unit before, and goes on with its own. Where
exactly is not stored: it is found from the lengths and from the unit before. A unit of a conversation opens with one
line, its path, speaker and time, and repeats nothing (conversations design, c.1).
"""

from collections.abc import Sequence

from app.documents.document import Unit, UnitHit, UnitKind

#: What stands between the parts of a unit's text, and between units.
BLANK_LINE = "\n\n"
#: Longest overlap that is looked for, in characters, and the shortest that can't be chance.
_LONGEST_OVERLAP, _SHORTEST_OVERLAP = 2_000, 16
_SPOKEN = (UnitKind.MESSAGE, UnitKind.OUTPUT)


def headed(path: Sequence[str], text: str) -> str:
    """Put the heading path before `text`, as the chunks of ingestion carry it, unless the text opens with it."""
    line = heading_line(path)
    return text if text.startswith(line) else line + text


def heading_line(path: Sequence[str]) -> str:
    """The heading path with the blank line that follows it; empty for no path."""
    return f"[{' > '.join(path)}]{BLANK_LINE}" if path else ""


def head(unit: Unit) -> str:
    """What a unit is headed by: its heading path, or the line that says who spoke."""
    return unit.text[: heading_end(unit)] if unit.kind in _SPOKEN else heading_line(unit.path)


def whole_text(unit: Unit) -> str:
    """A unit as it is shown when nothing is left out."""
    return unit.text if unit.kind in _SPOKEN else headed(unit.path, unit.text)


def heading_end(unit: Unit) -> int:
    """Offset in the unit's text behind its heading path, or behind the line that says who spoke."""
    if unit.kind in _SPOKEN:
        return unit.text.find("\n") + 1
    line = heading_line(unit.path)
    return len(line) if unit.text.startswith(line) else 0


def own_start(hit: UnitHit, previous: UnitHit | None) -> int:
    """Offset in the unit's text behind heading path and overlap, as far as the overlap can be told.

    `previous` is the unit before it in its document, where at hand.
    """
    exact = _exact_start(hit.unit)
    if exact is not None:
        return exact
    start = heading_end(hit.unit)
    return (
        start
        if previous is None or hit.unit.kind in _SPOKEN
        else start + _repeated(previous.unit.text, hit.unit.text[start:])
    )


def source_spans(unit: Unit, runs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...] | None:
    """Spans in the normalized source of the given runs of the unit's text, in code points.

    None when the unit has no offsets. Where the source holds marks that the text doesn't, the runs can't be told
    apart: then it is the one span of the whole unit.
    """
    if unit.start is None or unit.end is None:
        return None
    exact = _exact_start(unit)
    if exact is None or any(start < exact for start, _ in runs):
        return ((unit.start, unit.end),)
    return tuple((unit.start + start - exact, unit.start + end - exact) for start, end in runs)


def _exact_start(unit: Unit) -> int | None:
    """Offset of the unit's own text if it equals the source slice, judged by its length; else None."""
    if unit.start is None or unit.end is None:
        return None
    head = heading_end(unit)
    start = len(unit.text) - (unit.end - unit.start)
    # A message repeats nothing: a blank line in it stands between two blocks.
    overlapped = unit.kind not in _SPOKEN and start > head and unit.text[head:start].endswith(BLANK_LINE)
    return start if start == head or overlapped else None


def _repeated(previous: str, own: str) -> int:
    """Length of the longest beginning of `own` that ends `previous`, with the white space that follows it in `own`."""
    beginning, end = own[:_LONGEST_OVERLAP], previous[-_LONGEST_OVERLAP:]
    length = _border(beginning, end)
    if length < _SHORTEST_OVERLAP:
        return 0
    rest = own[length:].lstrip()
    return len(own) - len(rest) if rest else 0


def _border(beginning: str, end: str) -> int:
    """Length of the longest prefix of `beginning` that is a suffix of `end`, in linear time (Knuth-Morris-Pratt)."""
    failure = [0] * len(beginning)
    matched = 0
    for position in range(1, len(beginning)):
        while matched and beginning[position] != beginning[matched]:
            matched = failure[matched - 1]
        matched += beginning[position] == beginning[matched]
        failure[position] = matched
    matched = 0
    for character in end:
        while matched and (matched == len(beginning) or character != beginning[matched]):
            matched = failure[matched - 1]
        matched += bool(beginning) and character == beginning[matched]
    return matched
