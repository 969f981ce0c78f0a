"""What a filter can match of a documented member: parameters, versions, exceptions (retrieval design, "Reference")."""

import re
from collections.abc import Iterator
from itertools import islice

from app.documents.values import JsonObject, JsonValue

#: A longer line is prose, however it begins; of a signature that its source names, so much is looked at.
SIGNATURE_CHARS = 1_000
#: Of each field, the first so many different values are kept.
MOST_VALUES = 50

_MODIFIERS = (
    "abstract|async|class|classmethod|const|constexpr|constructor|data|def|defaults|delegate|event|exception"
    "|exported|export|extern|final|fn|friend|fun|func|function|get|inline|interface|internal|macro|method|mut"
    "|native|new|open|override|private|property|protected|proc|procedure|pub|public|readonly|sealed|set|signal"
    "|static|staticmethod|struct|sub|suspend|synchronized|trait|type|union|unsafe|unsigned|signed|virtual|void"
    "|bool|boolean|byte|char|double|float|int|long|short|size_t|string|String|str|uint|var|val|let"
)
_NAMED = re.compile(
    rf"(?:(?:{_MODIFIERS})(?:[*&]+|\[\])?[ ]+[*&]*)*+"
    r"(?P<name>[@$#\w](?:[\w$#@]|\.(?=[\w$])|::|->|-(?=\w))*)(?=\()"
)
#: What may stand behind the parameters: a return type, or the mark that opens or ends the body.
_TAIL = re.compile(r"\s*(?:(?:->|→|=>|:)\s*[^.!?。]{1,120}|throws\s[^.!?。]{1,120}|const|noexcept|=\s*0)?\s*[;:{]?\s*")
_OPENING, _CLOSING = "([{<", ")]}>"
_OPTIONAL = re.compile(r"\[\s*+,")
_NAME = re.compile(r"[^\W\d][\w-]*")
#: Receivers, which nobody passes.
_NOT_PARAMETERS = frozenset({"self", "cls", "this", "void"})

_VERSION = re.compile(
    r"\b(added|new|changed|deprecated|removed)\s++(?:in|since|from|as of)\s++"
    r"(?:version\s++v?(\d[\w.]*)|v?(\d++\.\d[\w.]*))",
    re.IGNORECASE,
)
_CHANGES = {
    "added": "added in",
    "new": "added in",
    "changed": "changed in",
    "deprecated": "deprecated since",
    "removed": "removed in",
}
_EXCEPTION = re.compile(r"\b[A-Z]\w*?(?:Error|Exception|Warning)\b")


def signature_name(text: str) -> str | None:
    """Return what a line that is a call signature and nothing else names, as `Path.walk` of `Path.walk(top=True)`."""
    if len(text) > SIGNATURE_CHARS or "\n" in text or not (named := _NAMED.match(text)):
        return None
    end = _closing(text, named.end())
    return named["name"] if end is not None and _TAIL.fullmatch(text, end) else None


def member_fields(name: str, signature: str | None, text: str) -> JsonObject:
    """Return the fields of a member: `parameters`, `versions` and `exceptions`, each only where there are any.

    Args:
        name: The member's own name, which is none of the exceptions that it names.
        signature: What parameters are read from: names without defaults and types.
        text: What versions (`added in version 3.12`) and exceptions (`OSError`) are read from.
    """
    found: dict[str, JsonValue] = {}
    for field, values in (
        ("parameters", parameters(signature) if signature else ()),
        ("versions", _versions(text)),
        ("exceptions", (match[0] for match in _EXCEPTION.finditer(text) if not name.endswith(match[0]))),
    ):
        if first := list(islice(dict.fromkeys(values), MOST_VALUES)):
            found[field] = first
    return found


def parameters(signature: str) -> Iterator[str]:
    """Yield the names of a call's parameters, in order."""
    signature = signature[:SIGNATURE_CHARS]
    start = signature.find("(")
    if start < 0:
        return
    end = _closing(signature, start)
    inside = _OPTIONAL.sub(",", signature[start + 1 : len(signature) if end is None else end - 1])
    for parameter in _split(inside):
        name = _parameter_name(parameter)
        if name and name not in _NOT_PARAMETERS:
            yield name


def _parameter_name(parameter: str) -> str | None:
    """Return the name in `*args`, `mode: str = "r"`, `opts?: Options`, `const char *path` or `$turns`."""
    declared = parameter.partition("=")[0].replace("::", ".").partition(":")[0]
    return next(iter(reversed(_NAME.findall(declared))), None)


def _closing(text: str, start: int) -> int | None:
    """Return the offset behind the bracket that closes the one at `start`, quoted text left out of account."""
    depth = 0
    for at, inside_quotes in _outside_quotes(text, start):
        if inside_quotes:
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at + 1
    return None


def _split(inside: str) -> Iterator[str]:
    """Yield what stands between the commas that are in no bracket and no quotes."""
    begun = depth = 0
    for at, inside_quotes in _outside_quotes(inside, 0):
        character = inside[at]
        if inside_quotes:
            continue
        if character == "," and depth == 0:
            yield inside[begun:at]
            begun = at + 1
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING and inside[at - 1 : at + 1] not in {"->", "=>"}:
            depth = max(0, depth - 1)
    yield inside[begun:]


def _outside_quotes(text: str, start: int) -> Iterator[tuple[int, bool]]:
    """Yield every offset with whether it is inside quotes."""
    quote = ""
    for at in range(start, len(text)):
        character = text[at]
        if quote:
            yield at, True
            quote = "" if character == quote and text[at - 1] != "\\" else quote
        else:
            quote = character if character in "\"'" and character in text[at + 1 :] else ""
            yield at, bool(quote)


def _versions(text: str) -> Iterator[str]:
    for match in _VERSION.finditer(text):
        number = (match[2] or match[3]).rstrip(".")
        yield f"{_CHANGES[match[1].lower()]} version {number}"
