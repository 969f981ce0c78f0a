"""Equations of a DOCX document as a line of text (readers design, section 11).

Word shows an equation in two dimensions and writes it, on request, as one line: `(a+b)/2`, `x^2`, `√(x)`. That line is
what is read here, without the signs that only Word's own editor needs.
"""

from collections.abc import Callable, Mapping

from app.readers.docx_content import content
from app.readers.docx_package import Element, W

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
EQUATIONS = frozenset({f"{_M}oMath", f"{_M}oMathPara"})
_TEXTS = frozenset({f"{_M}t", f"{W}t"})
_BREAKS = frozenset({f"{W}br", f"{W}cr", f"{W}tab"})
_RUNS = frozenset({f"{_M}r", f"{W}r"})
_DELETED = frozenset({f"{W}del", f"{W}moveFrom"})
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_ELEMENT = f"{_M}e"
_ROW = f"{_M}mr"
_VAL = f"{_M}val"
_OFF = frozenset({"0", "false", "off"})
#: Signs drawn along an expression that only hold it together.
_BRACES = frozenset("\u23dc\u23dd\u23de\u23df\u23e0\u23e1\u23b4\u23b5")
_HAT, _OVERLINE, _UNDERLINE, _INTEGRAL, _BOTTOM_BRACE = "\u0302", "\u0305", "\u0332", "\u222b", "\u23df"


def equation(element: Element) -> str:
    """Return an equation, or several of a paragraph of their own, as one line."""
    if element.tag == f"{_M}oMathPara":
        return " ".join(filter(None, (_line(one) for one in element.iterchildren(f"{_M}oMath"))))
    return _line(element)


def _line(parent: Element | None) -> str:
    return "".join(map(_part, content(parent))) if parent is not None else ""


def _part(element: Element) -> str:
    tag = element.tag
    if tag in _RUNS:
        return "".join(_characters(inside) for inside in content(element))
    if tag in _DELETED or not isinstance(tag, str) or tag.endswith("Pr"):
        return ""
    write = _WRITERS.get(tag)
    return _line(element) if write is None else write(element)


def _characters(element: Element) -> str:
    if element.tag in _TEXTS:
        return element.text or ""
    return " " if element.tag in _BREAKS else ""


def _child(element: Element, name: str) -> str:
    return _line(element.find(f"{_M}{name}"))


def _operand(text: str) -> str:
    """Return a text in brackets, where without them it would not be one operand."""
    text = text.strip()
    return text if len(text) <= 1 or text.isalnum() or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """True when the first bracket is closed by the last."""
    closing = _BRACKETS.get(text[:1])
    if closing is None or not text.endswith(closing):
        return False
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == text[0]) - (sign == closing)
        if not depth:
            return at == len(text) - 1
    return False


def _script(sign: str, text: str) -> str:
    return f"{sign}{_operand(text)}" if text.strip() else ""


def _property(element: Element, name: str, otherwise: str) -> str:
    """Return what an element's properties say, or `otherwise` where they don't."""
    kind = str(element.tag).removeprefix(_M)
    found = element.find(f"{_M}{kind}Pr/{_M}{name}")
    return otherwise if found is None else found.get(_VAL, "")


def _is_on(element: Element, name: str) -> bool:
    return (_property(element, name, "0") or "1").lower() not in _OFF


def _fraction(element: Element) -> str:
    sign = "\u00a6" if _property(element, "type", "bar") == "noBar" else "/"
    return f"{_operand(_child(element, 'num'))}{sign}{_operand(_child(element, 'den'))}"


def _scripts(element: Element) -> str:
    below, above = _child(element, "sub"), _child(element, "sup")
    return f"{_operand(_child(element, 'e'))}{_script('_', below)}{_script('^', above)}"


def _scripts_before(element: Element) -> str:
    below, above = _child(element, "sub"), _child(element, "sup")
    return f"{_script('_', below)}{_script('^', above)} {_child(element, 'e')}"


def _limit(element: Element) -> str:
    sign = "_" if element.tag == f"{_M}limLow" else "^"
    return f"{_child(element, 'e')}{_script(sign, _child(element, 'lim'))}"


def _root(element: Element) -> str:
    degree = "" if _is_on(element, "degHide") else _child(element, "deg").strip()
    return f"\u221a({degree}&{_child(element, 'e')})" if degree else f"\u221a({_child(element, 'e')})"


def _sum(element: Element) -> str:
    below = "" if _is_on(element, "subHide") else _child(element, "sub")
    above = "" if _is_on(element, "supHide") else _child(element, "sup")
    sign = _property(element, "chr", _INTEGRAL)
    return f"{sign}{_script('_', below)}{_script('^', above)} {_child(element, 'e')}"


def _function(element: Element) -> str:
    name, argument = _child(element, "fName"), _child(element, "e")
    return f"{name}{'' if _is_bracketed(argument) else ' '}{argument}"


def _delimited(element: Element) -> str:
    parts = _property(element, "sepChr", "|").join(_line(part) for part in element.iterchildren(_ELEMENT))
    return f"{_property(element, 'begChr', '(')}{parts}{_property(element, 'endChr', ')')}"


def _matrix(element: Element) -> str:
    """Return rows as those of a table inside a cell are read."""
    rows = (", ".join(map(_line, row.iterchildren(_ELEMENT))) for row in element.iterchildren(_ROW))
    return "; ".join(rows)


def _lines(element: Element) -> str:
    return "; ".join(map(_line, element.iterchildren(_ELEMENT)))


def _accent(element: Element) -> str:
    return f"{_operand(_child(element, 'e'))}{_property(element, 'chr', _HAT)}"


def _bar(element: Element) -> str:
    return f"{_operand(_child(element, 'e'))}{_OVERLINE if _property(element, 'pos', 'bot') == 'top' else _UNDERLINE}"


def _grouped(element: Element) -> str:
    sign = _property(element, "chr", _BOTTOM_BRACE)
    inside = _child(element, "e")
    return inside if not sign or sign in _BRACES else f"{sign}({inside})"


_WRITERS: Mapping[str, Callable[[Element], str]] = {
    f"{_M}{name}": write
    for name, write in {
        "acc": _accent,
        "bar": _bar,
        "d": _delimited,
        "eqArr": _lines,
        "f": _fraction,
        "func": _function,
        "groupChr": _grouped,
        "limLow": _limit,
        "limUpp": _limit,
        "m": _matrix,
        "nary": _sum,
        "rad": _root,
        "sPre": _scripts_before,
        "sSub": _scripts,
        "sSubSup": _scripts,
        "sSup": _scripts,
    }.items()
}
