r"""Units of siunitx, in a form that Pandoc reads right (readers design, section 16).

Pandoc sets every `\per` as a power and loses count at the second one. So what stands under the line is set apart:
`\SI{5}{\joule\per\kilogram\per\kelvin}` becomes `\SI{5}{\joule}/(\si{\kilogram}~\si{\kelvin})`.
"""

import re
from collections.abc import Iterator

from app.readers.latex_tokens import Token, group_end, tokens

#: Commands with the number of arguments in front of the unit.
_NUMBERS = {"SI": 1, "qty": 1, "si": 0, "unit": 0, "SIrange": 2, "qtyrange": 2}
#: They set the unit behind each of their numbers.
_SEVERAL = frozenset({"SIrange", "qtyrange"})
_PREFIXES = frozenset(
    (
        *("quecto", "ronto", "yocto", "zepto", "atto", "femto", "pico", "nano", "micro", "milli", "centi", "deci"),
        *("deca", "deka", "hecto", "kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta", "ronna", "quetta"),
    )
)
_POWERS_BEFORE = {"square": "\\squared", "cubic": "\\cubed"}
_POWERS_BEHIND = frozenset({"squared", "cubed", "tothe", "of"})
_PER = re.compile(r"\\per(?![a-zA-Z])")
_MACRO = re.compile(r"\s*\\([a-zA-Z]+)\s*(?:\{([^{}]*)\})?")
_MATHEMATICS = re.compile(
    r"(\\begin\{(?:equation|align|gather|multline|math|displaymath|eqnarray|flalign)\*?\}|\\\(|\\\[)"
    r"|(\\end\{(?:equation|align|gather|multline|math|displaymath|eqnarray|flalign)\*?\}|\\\)|\\\])"
    r"|(?<!\\)(\$\$?)"
)
#: A paragraph longer than this may be taken for text where it is mathematics.
_LONGEST_LOOK_BACK = 4_000


def with_plain_units(text: str) -> str:
    r"""Return a source with each unit that has a `\per` written as a fraction, where it stands in text."""
    if not _PER.search(text):
        return text
    out: list[str] = []
    at = 0
    for token in tokens(text):
        if token.kind != "command" or token.name not in _NUMBERS or token.start < at:
            continue
        written, end = _written(text, token)
        if written and not _in_mathematics(text, token.start):
            out += [text[at : token.start], written]
            at = end
    return "".join([*out, text[at:]])


def _written(text: str, token: Token) -> tuple[str, int]:
    """Return what stands for a command, or nothing where it stays as it is, and where it ends."""
    count = _NUMBERS[token.name]
    at = max(token.end, group_end(text, token.end, "[]"))
    for _ in range(count):
        at = max(at, group_end(text, at))
    end = group_end(text, at)
    unit = text[at + 1 : end - 1]
    if end < 0 or not _PER.search(unit) or _MACRO.sub("", unit).strip():
        return "", token.end
    above, below = _sides(unit)
    command, units = text[token.start : at], "~".join(f"\\si{{{one}}}" for one in below)
    over = "".join(above)
    if token.name in _SEVERAL:
        command += f"{{}}~\\si{{{over}}}"
    elif above or count:
        command += f"{{{over}}}"
    else:
        command = "1"
    return f"{command}/{units if len(below) == 1 else f'({units})'}", end


def _sides(unit: str) -> tuple[list[str], list[str]]:
    """Return the units above and below the line."""
    above: list[str] = []
    below: list[str] = []
    side = latest = above
    for name, written in _units(unit):
        if name == "per":
            side = below
        elif name not in _POWERS_BEHIND:
            side.append(written)
            side, latest = above, side
        elif latest:
            latest[-1] += written
    return above, below


def _units(unit: str) -> Iterator[tuple[str, str]]:
    r"""Yield each `\per`, each unit with its prefix and the power in front of it, and each power behind one."""
    prefix, power = "", ""
    for match in _MACRO.finditer(unit):
        name, argument = match[1], match[2]
        if name in _PREFIXES:
            prefix += f"\\{name}"
        elif name in _POWERS_BEFORE:
            power = _POWERS_BEFORE[name]
        elif name == "raiseto":
            power = f"\\tothe{{{argument or ''}}}"
        elif name == "per" or name in _POWERS_BEHIND:
            yield name, f"\\{name}{f'{{{argument}}}' if argument is not None else ''}"
        else:
            yield name, f"{prefix}\\{name}{power}"
            prefix, power = "", ""


def _in_mathematics(text: str, at: int) -> bool:
    earliest = max(at - _LONGEST_LOOK_BACK, 0)
    start = max(text.rfind("\n\n", earliest, at), earliest)
    inside = False
    for match in _MATHEMATICS.finditer(text, start, at):
        inside = not inside if match[3] else bool(match[1])
    return inside
