"""Names of what directives describe (readers design, section 12)."""

import re

_MODIFIERS = re.compile(
    r"(?:(?:async|abstract|static|class|final|virtual|constexpr|inline|explicit|const|struct|enum|union|def|type)\s+)*"
)
_ENTRY_END = re.compile(r"[(\s:=,\[]")
_C_DOMAINS = frozenset({"c", "cpp"})


def entry_name(signature: str, kind: str, domain: str) -> str:
    """Return the name of what a signature describes: `Tap.open` of `async Tap.open(turns) -> None`."""
    if kind == "option":
        return re.split(r"[\s,=]", signature, maxsplit=1)[0]
    if kind in {"describe", "object", "confval", "envvar"}:
        return signature.partition("(")[0].strip()
    call, opened, _ = signature.partition("(")
    if domain in _C_DOMAINS:
        return call.split()[-1].lstrip("*&") if call.split() else ""
    rest = call[_match_end(_MODIFIERS, call) :]
    return (rest.strip() if opened and " " not in rest.strip() else _ENTRY_END.split(rest, maxsplit=1)[0]).lstrip("@")


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
