"""Roles of docutils and Sphinx: what interpreted text reads as (readers design, section 12)."""

import re

from docutils import nodes

#: Shown as they are: text, not names of something described elsewhere.
_LITERAL = frozenset(
    """
    emphasis strong literal code math sub subscript sup superscript title title-reference t kbd samp file command
    program option envvar guilabel menuselection abbr abbreviation dfn ac acronym mailheader makevar manpage mimetype
    newsgroup regexp raw-role
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_BRACED = frozenset({"samp", "file"})
_NUMBERED = {"pep": "PEP", "pep-reference": "PEP", "rfc": "RFC", "rfc-reference": "RFC"}
_ESCAPE = re.compile("\x00(.?)", re.DOTALL)


def role_text(role: str, text: str) -> str:
    """Return what interpreted text reads as.

    Args:
        role: Name of the role in lower case, with its domain; empty for the default one.
        text: As the parser has it, a NUL in front of what was escaped.
    """
    name = role.rpartition(":")[2]
    if name == "math":
        return f"${nodes.unescape(text, restore_backslashes=True).strip()}$"
    if name in {"code", "literal"}:
        return nodes.unescape(text, restore_backslashes=True)
    if name in _LITERAL or not role:
        shown = nodes.unescape(text)
        return shown.replace("{", "").replace("}", "") if name in _BRACED else shown
    title = _explicit_title(text)
    if title is not None:
        return nodes.unescape(title)
    shown = nodes.unescape(text).strip()
    if name in _NUMBERED:
        return f"{_NUMBERED[name]} {shown.partition('#')[0]}"
    return _last_part(shown.removeprefix("!"))


def _last_part(name: str) -> str:
    """Return `B` of `~a.B`, and other names as they are."""
    return (name[1:].rpartition(".")[2] or name[1:] or name) if name.startswith("~") else name


def _explicit_title(text: str) -> str | None:
    """Return `x` of `x <y>`, or None."""
    stripped = text.rstrip()
    start = stripped.rfind("<")
    if start < 1 or not stripped.endswith(">") or stripped[start - 1] == "\x00" or stripped[-2] == "\x00":
        return None
    return stripped[:start].strip() or None
