"""From bytes to JSON values: one value, or a value a line (conversations design, a.1)."""

import gzip
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from app.errors import MalformedDocument, TooLarge

#: A JSON object as it was parsed: numbers keep their written form, see `Written`.
Value: TypeAlias = Any
#: The objects of a log with their positions, dropped ones counted; can be gone through again and again.
Items: TypeAlias = Callable[[], Iterable[tuple[int, dict[str, Any]]]]

#: Deeper nesting is invalid (f.26).
DEEPEST = 512
#: Longer lines are skipped (f.4).
LONGEST_LINE = 64 * 1024 * 1024
#: What a compressed log may unpack to, in bytes and as a multiple (f.25).
MOST_UNPACKED, MOST_RATIO = 2 * 1024**3, 200
#: Of a file without any good line so many lines are looked at before it is no log.
_LOOKED_AT = 20
_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_GZIP = b"\x1f\x8b"
_BLANK = re.compile(rb"\s*\Z")


class Written(str):
    """A number as it is written."""

    __slots__ = ()


@dataclass(slots=True)
class Notes:
    """What was counted while a log was read, for `data.conversation`."""

    items: int = 0
    #: Items without a message, by type.
    skipped: dict[str, int] = field(default_factory=dict)
    bad_lines: int = 0
    first_bad_line: int | None = None
    withdrawn_branches: int = 0

    def skip(self, kind: str) -> None:
        """Count an item that gave no message."""
        self.skipped[kind] = self.skipped.get(kind, 0) + 1

    def bad_line(self, number: int) -> None:
        """Count a line that is no JSON object; numbers count from 1."""
        self.bad_lines += 1
        if self.first_bad_line is None:
            self.first_bad_line = number

    def as_json(self) -> dict[str, Any]:
        """The counts as they are stored, those of nothing left out."""
        told: dict[str, Any] = {"items": self.items}
        if self.skipped:
            told["skipped"] = dict(sorted(self.skipped.items()))
        if self.bad_lines:
            told["bad_lines"] = {"count": self.bad_lines, "first": self.first_bad_line}
        if self.withdrawn_branches:
            told["withdrawn_branches"] = self.withdrawn_branches
        return told


def unpacked(data: bytes) -> bytes:
    """Return a log without the gzip around it, if any.

    Raises:
        TooLarge: it unpacks to more than it may.
        MalformedDocument: it is damaged.
    """
    if not data.startswith(_GZIP):
        return data
    most = min(MOST_UNPACKED, MOST_RATIO * len(data))
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            whole = packed.read(most + 1)
    except (OSError, EOFError) as error:
        raise MalformedDocument(f"The compressed log is damaged: {error}.") from None
    if len(whole) > most:
        raise TooLarge(f"The compressed log unpacks to more than {most} bytes.")
    return whole


def parse(text: str) -> Value:
    """Parse one JSON value.

    Raises:
        ValueError: it is none, or nested too deeply.
    """
    try:
        value = json.loads(text, parse_int=Written, parse_float=Written, parse_constant=Written)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text.count("[") + text.count("{") > DEEPEST and _depth(value) > DEEPEST:
        raise ValueError("nested too deeply")
    return value


def whole_value(data: bytes) -> Value | None:
    """Return the one JSON value that a file is, or None when it is none."""
    try:
        return parse(_text(data))
    except ValueError:
        return None


def lines(data: bytes, notes: Notes) -> Iterator[tuple[int, Value]]:
    """Yield the objects of JSON Lines with their positions from 0; blank lines don't count, bad ones are noted.

    Raises:
        MalformedDocument: the first lines hold no object at all.
    """
    position = seen = 0
    for number, line in enumerate(_lines(data), start=1):
        if _BLANK.match(line):
            continue
        seen += 1
        value = _object(line)
        if value is None:
            notes.bad_line(number)
            if position == 0 and seen == _LOOKED_AT:
                raise MalformedDocument("None of the first 20 lines is a JSON object.")
            continue
        yield position, value
        position += 1


def _lines(data: bytes) -> Iterator[bytes]:
    codec = next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
    if codec is not None:
        data = data[2:].decode(codec, "replace").encode("utf-8", "replace")
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield data[start:end] if end - start <= LONGEST_LINE else b"\x00"
        start = end + 1


def _object(line: bytes) -> Value | None:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", "replace")
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _text(data: bytes) -> str:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _depth(value: Value) -> int:
    deepest = 0
    waiting = [(value, 1)]
    while waiting:
        one, depth = waiting.pop()
        if isinstance(one, dict | list):
            deepest = max(deepest, depth)
            waiting += [(each, depth + 1) for each in (one.values() if isinstance(one, dict) else one)]
    return deepest
