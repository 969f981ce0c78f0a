"""JSON bodies, read strictly: what two parsers would understand differently is refused, never guessed at.

Refused: bytes that are not UTF-8, a key given twice in one object, NaN and infinities, numbers past what a double or an
integer may be, and nesting past `MAX_DEPTH`. Unpaired surrogate escapes become U+FFFD, with a warning: no database and
no UTF-8 text can hold them.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn, TypeAlias

import numpy as np

from app.errors import MalformedRequest, TooLarge

#: Deepest nesting of arrays and objects that is read.
MAX_DEPTH = 200
#: Arrays and objects that one body may hold: what a parser makes of 60 MB of `[],[],` is a hundred times larger.
MAX_CONTAINERS = 1_000_000
#: Said when a request held unpaired surrogates.
SURROGATES_REPLACED = "The request held unpaired surrogate escapes; each was replaced by U+FFFD."

# A string without an end matches to the end of the body, so that each byte is looked at once.
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*+"?', re.DOTALL)
_STRING_OR_BRACKET = re.compile(_STRING.pattern + rb"|[\[\]{}]", re.DOTALL)
_OPENING_AS_1 = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
#: Brackets whose depth is reckoned at once.
_BRACKETS_AT_ONCE = 1 << 20
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89abABcCdDeEfF]")
_SURROGATES = re.compile("[\ud800-\udfff]")

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, and what was changed to make it storable."""

    value: Json
    warnings: tuple[str, ...] = ()


def parse(body: bytes) -> Parsed:
    """Read one JSON value.

    Raises:
        MalformedRequest: it is not valid JSON in the sense above; says where or which.
        TooLarge: it holds more than `MAX_CONTAINERS`.
    """
    text = _decode(body)
    _refuse_bulk(body)
    value = _load(text)
    if _SURROGATE_ESCAPE.search(body) is None:
        return Parsed(value)
    # Only escapes make surrogates, as the bytes are UTF-8; most that the pattern finds are well paired.
    cleaned, replaced = replace_in(value, _SURROGATES)
    return Parsed(cleaned, (SURROGATES_REPLACED,) if replaced else ())


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedRequest(f"Not UTF-8: byte {error.start} can't be read.") from error


def _load(text: str) -> Json:
    try:
        value: Json = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
        )
    except json.JSONDecodeError as error:
        raise MalformedRequest(f"Not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from error
    return value


def _object(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise MalformedRequest(f"The key {json.dumps(twice[:100])} stands twice in one object.")
    return members


def _constant(name: str) -> NoReturn:
    raise MalformedRequest(f"{name} is not a JSON value.")


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise MalformedRequest(f"The number {digits[:40]} is too large.")
    return value


def _int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:
        raise MalformedRequest(f"The number {digits[:40]}… has too many digits.") from error


def _refuse_bulk(body: bytes) -> None:
    """Refuse what would take the parser too long; brackets that don't match are left to it."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return
    steps = np.frombuffer(_STRING.sub(b"", body).translate(_OPENING_AS_1, _NO_BRACKETS), dtype=np.int8)
    if len(steps) > 2 * MAX_CONTAINERS:
        raise TooLarge(f"The body holds more than {MAX_CONTAINERS:,} arrays and objects.")
    depth = 0
    for start in range(0, len(steps), _BRACKETS_AT_ONCE):
        depths = depth + np.cumsum(steps[start : start + _BRACKETS_AT_ONCE], dtype=np.int64)
        if depths.max() > MAX_DEPTH:
            place = _place_of_bracket(body, start + int(np.argmax(depths > MAX_DEPTH)))
            raise MalformedRequest(f"Nested more than {MAX_DEPTH} levels deep{place}.")
        depth = int(depths[-1])


def _place_of_bracket(body: bytes, number: int) -> str:
    brackets = (token.start() for token in _STRING_OR_BRACKET.finditer(body) if not token[0].startswith(b'"'))
    offset = next(islice(brackets, number, None))
    line, line_start = body.count(b"\n", 0, offset) + 1, body.rfind(b"\n", 0, offset)
    return f" at line {line}, byte {offset - line_start}"


def replace_in(value: Json, pattern: re.Pattern[str]) -> tuple[Json, bool]:
    """Return `value` with U+FFFD for every match in its strings and keys, and whether there were any.

    Raises:
        MalformedRequest: two keys of one object become the same.
    """
    if isinstance(value, str):
        cleaned, count = pattern.subn("\ufffd", value)
        return cleaned, count > 0
    if isinstance(value, list):
        items = [replace_in(item, pattern) for item in value]
        return [item for item, _ in items], any(replaced for _, replaced in items)
    if isinstance(value, dict):
        pairs = [(pattern.subn("\ufffd", key), replace_in(item, pattern)) for key, item in value.items()]
        members = {key: item for (key, _), (item, _) in pairs}
        if len(members) < len(value):
            raise MalformedRequest("Two keys of one object are the same once what can't be stored is replaced.")
        return members, any(count or replaced for (_, count), (_, replaced) in pairs)
    return value, False
