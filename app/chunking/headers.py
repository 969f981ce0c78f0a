"""The heading path in front of a chunk, shortened where it would take too much of its room (chunking design)."""

from dataclasses import dataclass

from app.chunking.measure import Measure, longest_prefix
from app.documents.budget import HeaderStyle
from app.documents.chunk import breadcrumb

_LEFT_OUT = "…"
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Header:
    """A heading path as a chunk shows it."""

    #: With its brackets; "" when there is none.
    text: str
    path: tuple[str, ...]
    truncated: bool = False


def header_of(path: tuple[str, ...], style: HeaderStyle, limit: int, measure: Measure) -> Header:
    """Return the header of a section, at most of the size `limit`.

    Of a path that is too long the outermost headings go first; then the nearest is cut at a word.
    """
    if style is HeaderStyle.NONE or not path:
        return Header("", path)
    shown = path if style is HeaderStyle.TREE else path[-1:]
    if _fits(shown, limit, measure):
        return Header(_rendered(shown), path)
    for first in range(1, len(shown)):
        shorter = (_LEFT_OUT, *shown[first:])
        if _fits(shorter, limit, measure):
            return Header(_rendered(shorter), shorter, truncated=True)
    nearest = _cut(path[-1], limit, measure)
    return Header(_rendered((nearest,)), (nearest,), truncated=True) if nearest else Header("", (), truncated=True)


def _fits(path: tuple[str, ...], limit: int, measure: Measure) -> bool:
    # Characters bound the cost of counting: no token is longer than this on average.
    text = _rendered(path)
    return len(text) <= 64 * limit and measure.size(text) <= limit


def _rendered(path: tuple[str, ...]) -> str:
    return f"[{breadcrumb(path)}]"


def _cut(title: str, limit: int, measure: Measure) -> str:
    """Return as many whole words of a title as fit with their brackets, else characters; "" when none does."""
    room = limit - measure.size(_rendered((_LEFT_OUT,)))
    # Tokens of the whole can come out a few more than those of its parts.
    for fitting in range(room, max(0, room - _TRIES), -1):
        end = longest_prefix(title, 0, len(title), fitting, measure)
        space = title.rfind(" ", end // 2, end + 1)
        cut = title[: space if space > 0 else end].rstrip() + _LEFT_OUT
        if _fits((cut,), limit, measure):
            return cut
    return ""
