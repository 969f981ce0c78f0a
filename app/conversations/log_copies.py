"""Logs in JSON Lines that grow: what was read of one, and whether a file is a longer copy of it (conversations, d).

Everything goes by bytes. A log in UTF-16, compressed, or in any other shape than JSON Lines is never known again.
"""

import hashlib
import json
from collections.abc import Sequence

from app.documents.growth import Piece

#: Pieces that are kept of one log. One that is appended to more often, and never sent whole, is not known again.
MOST_PIECES = 500

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_line_log(data: bytes) -> bool:
    """Whether the first line that is not blank is a JSON object."""
    start = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    while start < len(data):
        end = data.find(b"\n", start)
        line = data[start : end if end >= 0 else len(data)].strip()
        if line:
            return line.startswith(b"{") and _is_json(line)
        start = end + 1 if end >= 0 else len(data)
    return False


def complete_size(data: bytes) -> int:
    """Return how many bytes of a log are complete lines: all, or all before a last line that is cut."""
    start = data.rfind(b"\n") + 1
    last = data[start:].strip()
    return len(data) if not last or _is_json(last) else start


def pieces_of(data: bytes) -> tuple[Piece, ...]:
    """Return what is kept of a log that was read whole, but for a cut last line; nothing when it is no such log."""
    return (_piece(data[: complete_size(data)]),) if is_line_log(data) else ()


def extended(pieces: Sequence[Piece], data: bytes) -> tuple[Piece, ...]:
    """Return what is kept of a log that these complete lines were added to."""
    return (*pieces, _piece(data)) if pieces and len(pieces) < MOST_PIECES else ()


def known_size(data: bytes, pieces: Sequence[Piece]) -> int | None:
    """Return how many bytes at the start of a file were read before, or None when it is no copy of that log."""
    end = 0
    for piece in pieces:
        if end + piece.size > len(data) or _piece(data[end : end + piece.size]) != piece:
            return None
        end += piece.size
    return end or None


def _piece(data: bytes) -> Piece:
    return Piece(len(data), hashlib.sha256(data).hexdigest())


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True
