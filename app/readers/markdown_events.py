"""The Markdown parser's events, of large documents piece by piece: its tree takes ten times their size.

A document is cut where a paragraph or heading starts that stands in nothing else and has a blank line above. All blocks
above it are closed there, and what comes below changes none of them, unless it defines references.
"""

import re
from collections.abc import Iterator
from typing import Any

from app.readers.markdown_masks import PARSER

#: In bytes.
_PIECE = 4_000_000
#: What every definition of a link or note holds.
_DEFINITION = b"]:"
#: What holds no paragraphs and headings of the document itself.
_HOLDERS = frozenset({"List", "BlockQuote", "DefinitionList", "FootnoteDefinition"})
_STARTS = frozenset({"Paragraph", "Heading"})
_DEFINED = re.compile(rb"\n[ \t]*+:")
#: Bytes behind a paragraph in which its definition opens, if it is a term.
_BEHIND = 200


def events(text: str, data: bytes) -> Iterator[tuple[Any, Any]]:
    """Yield the parser's events with their ranges.

    Args:
        text: Markdown.
        data: The same in UTF-8, which ranges count in.
    """
    if len(data) <= _PIECE or _DEFINITION in data:
        yield from PARSER.events_with_range(text, merge_text=True)
        return
    start = 0
    while start < len(data):
        end, piece = _piece(data, start)
        for event, span in PARSER.events_with_range(piece, merge_text=True):
            span["start"] += start
            span["end"] += start
            yield event, span
        start = end


def _piece(data: bytes, start: int) -> tuple[int, str]:
    """Return where the piece that starts at an offset ends, and its text."""
    size = _PIECE
    while (limit := data.find(b"\n", start + size) + 1) > 0:
        size = limit - start
        before, cut = _last_starts(data[start:limit])
        if _may_be_term(data, start + cut):
            cut = before
        if cut:
            return start + cut, data[start : start + cut].decode()
        # It holds one block that goes on behind it.
        size *= 2
    return len(data), data[start:].decode()


def _may_be_term(data: bytes, start: int) -> bool:
    """True when a paragraph may go on with a definition list above it, which the parser sees by what is below."""
    end = data.find(b"\n\n", start)
    end = len(data) if end < 0 else end
    return _DEFINED.search(data, start, end) is not None or data[end : end + _BEHIND].lstrip().startswith(b":")


def _last_starts(data: bytes) -> tuple[int, int]:
    """Return where the last two paragraphs or headings start at which a document may be cut; 0 without one."""
    before = last = depth = 0
    parsed: Iterator[tuple[Any, Any]] = PARSER.events_with_range(data.decode(), merge_text=True)
    for event, span in parsed:
        if event.__class__ is str:
            continue
        kind, value = event.popitem()
        if kind not in {"Start", "End"}:
            continue
        name = value if value.__class__ is str else next(iter(value))
        if name in _HOLDERS:
            depth += 1 if kind == "Start" else -1
        elif depth == 0 and kind == "Start" and name in _STARTS:
            start = span["start"]
            if data[start - 2 : start] == b"\n\n":
                before, last = last, start
    return before, last
