"""Attributes of an AsciiDoc document: what sets them, and where they stand (readers design, section 14)."""

import re
from collections.abc import Sequence

_ENTRY = re.compile(r":(!?)([A-Za-z0-9_][\w-]*)(!?):(?:[ \t]+(.*)|[ \t]*)\Z")
_REFERENCE = re.compile(r"(\\?)\{([A-Za-z0-9_][\w-]*)\}")
_GOES_ON = (" \\", " +")
#: How much text attributes may add: they can name each other.
_MOST_ADDED = 500_000
_LONGEST_VALUE = 4_000


class Attributes:
    """The attributes that are set so far."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._added = 0

    def get(self, name: str) -> str | None:
        """Return an attribute's value."""
        return self._values.get(name)

    @property
    def warnings(self) -> list[str]:
        """What had to be left as it is written."""
        too_much = self._added > _MOST_ADDED
        return ["Attributes add too much text; from some place on they stay as written."] if too_much else []

    def take(self, line: str, following: Sequence[str] = ()) -> int:
        """Take an attribute entry in; return how many lines it has, 0 where the line is none."""
        match = _ENTRY.match(line.rstrip())
        if match is None:
            return 0
        value = (match[4] or "").strip()
        count = 1
        while value.endswith(_GOES_ON) and count <= len(following):
            value = f"{value[:-2].rstrip()} {following[count - 1].strip()}"
            count += 1
        if match[1] or match[3]:
            self._values.pop(match[2], None)
        else:
            self._values[match[2].lower()] = self.substituted(value)[:_LONGEST_VALUE]
        return count

    def substituted(self, line: str) -> str:
        """Return a line with the values of the attributes that it names; unknown names stay."""
        return _REFERENCE.sub(self._value, line) if "{" in line else line

    def _value(self, match: re.Match[str]) -> str:
        value = None if match[1] else self._values.get(match[2].lower())
        if value is None or self._added > _MOST_ADDED:
            return match[0]
        self._added += len(value)
        return value if self._added <= _MOST_ADDED else match[0]


def is_entry(line: str) -> bool:
    """True for a line that sets an attribute."""
    return _ENTRY.match(line.rstrip()) is not None
