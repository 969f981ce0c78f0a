"""JSON to values that keep what other parsers lose: keys given twice, and how numbers are written."""

import json
import re
from typing import Any, TypeAlias

from app.markup.outline import too_deep
from app.markup.syntax import BadSyntax

_STRING = r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)'
_COMMENT = re.compile(rf"{_STRING}|(//[^\n]*+|/\*.*?(?:\*/|\Z))", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"{_STRING}|(,)(?=\s*[\]}}])", re.DOTALL)
_NOT_LINE_BREAK = re.compile(r"[^\n]")
#: White space of the grammar.
SPACE = " \t\n\r"
#: Characters of `false`, or of an escape, that may be cut off.
_LONGEST_WORD = 12


class Literal(str):
    """A number as it is written."""

    __slots__ = ()


#: Objects are tuples of pairs; arrays are lists.
Value: TypeAlias = "str | bool | tuple[tuple[str, Value], ...] | list[Value] | None"


def parse_leniently(text: str) -> tuple[Value, bool]:
    """Parse JSON that may hold comments and trailing commas; returns the value, and whether it did.

    Raises:
        BadSyntax: it is not JSON.
        TooDeep: it is nested deeper than the parser goes.
    """
    try:
        return parse(text), False
    except BadSyntax as refused:
        strict = _without_extras(text)
        if strict == text:
            raise refused from None
        return parse(strict), True


def begins_json(text: str, *, whole: bool) -> bool:
    """True when a text is a JSON object or array, or could be the beginning of one where it isn't the whole."""
    text = text.strip(SPACE)
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text, parse_int=Literal, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        cut_short = error.pos >= len(text) - _LONGEST_WORD or error.msg.startswith("Unterminated string")
        return not whole and cut_short
    except (_Constant, RecursionError):
        return False
    return True


def parse(text: str) -> Value:
    """Parse JSON to the letter.

    Raises:
        BadSyntax: it is not JSON.
        TooDeep: it is nested deeper than the parser goes.
    """
    try:
        value: Value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadSyntax(error.msg, error.lineno, error.colno) from None
    except _Constant as error:
        start = _first_outside_strings(error.name, text)
        line = text.count("\n", 0, start) + 1
        raise BadSyntax(f"{error.name} is no JSON value", line, start - text.rfind("\n", 0, start)) from None
    except RecursionError:
        raise too_deep() from None
    return value


def scalar_text(value: Value) -> str | None:
    """Return what a scalar says: a string's characters, else the literal; None for a collection."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    return None


class _Constant(ValueError):
    """`NaN` or an infinity."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _refuse(name: str) -> Any:  # noqa: ANN401 - never returns
    raise _Constant(name)


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_float=Literal, parse_int=Literal, parse_constant=_refuse)


def _first_outside_strings(name: str, text: str) -> int:
    found = (match.start(1) for match in re.finditer(rf"{_STRING}|({name})", text, re.DOTALL) if match[1] is not None)
    return next(found, 0)


def _without_extras(text: str) -> str:
    """Blank comments and trailing commas, everything else staying in its place."""
    text = _COMMENT.sub(lambda match: match[0] if match[1] is None else _NOT_LINE_BREAK.sub(" ", match[1]), text)
    return _TRAILING_COMMA.sub(lambda match: match[0] if match[1] is None else " ", text)
