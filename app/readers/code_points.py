"""UTF-8 byte offsets to code-point offsets."""


class CodePoints:
    """Counts the code points before ranges of bytes. It goes on from the last range, so near ones cost little.

    Args:
        data: UTF-8.
        base: Added to every answer.
    """

    __slots__ = ("_at", "_data", "_found")

    def __init__(self, data: bytes, base: int = 0) -> None:
        #: None when bytes and code points are the same.
        self._data = None if data.isascii() else data
        #: The last byte offset that was asked for, and the answer.
        self._at = 0
        self._found = base

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return a range of bytes, which starts and ends between two characters, as a range of code points."""
        data, at = self._data, self._at
        if data is None:
            return start + self._found, end + self._found
        first = self._found
        if start > at:
            first += _length(data[at:start])
        elif start < at:
            first -= _length(data[start:at])
        last = first + _length(data[start:end])
        self._at, self._found = end, last
        return first, last


def _length(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode())
