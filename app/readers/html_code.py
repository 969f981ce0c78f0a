"""Code, mathematics and raised or lowered signs in HTML (readers design, section 10)."""

import re
from collections.abc import Callable

from app.readers.html_tree import Element

_LANGUAGE = re.compile(r"(?:language-|lang-|highlight-source-|highlight-)([^\s]+)\Z", re.IGNORECASE)
_NO_LANGUAGE = frozenset({"none", "default", "nohighlight"})
#: How many elements above a `pre` may tell its language.
_ABOVE = 3
_LINES = frozenset(
    "address article blockquote div dd dl dt figure h1 h2 h3 h4 h5 h6 li ol p pre section table tr ul".split()  # noqa: SIM905 - as above
)
_LINE_NUMBER = re.compile(r"(?:lineno|linenos|line-?numbers?|ln-num|hljs-ln-n)\Z", re.IGNORECASE)
_NUMBERS = re.compile(r"[\s\d]*\d[\s\d]*\Z")
_SCRIPT = re.compile(r"(?:[+\-\u2212]?(?:[0-9.,]*[0-9][0-9.,]*|[^\W\d_])[+\-\u2212]?)\Z")
_ANNOTATIONS = frozenset({"annotation", "annotation-xml"})
_DISPLAY_STYLE = re.compile(r"\s*\{\s*\\(?:displaystyle|textstyle)\b\s*(.*)\}\s*\Z", re.DOTALL)
_LONGEST_SCRIPT = 40


def is_numbers(element: Element) -> bool:
    """True when an element holds the numbers of lines and nothing else."""
    return _NUMBERS.match(element.text()) is not None


def code_text(top: Element, is_dropped: Callable[[Element], bool]) -> str:
    """Return code as written, without the numbers of its lines."""
    parts: list[str] = []
    stack: list[Element | str] = top.children[::-1]
    while stack:
        child = stack.pop()
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag in {"td", "th"} or child.tag not in _LINES:
            if not is_dropped(child) and not _is_line_number(child):
                stack += reversed(child.children)
        elif not is_dropped(child):
            # Some highlighters make every line a block.
            stack += (_EDGE, *reversed(child.children), _EDGE)
    return "".join(_with_line_breaks(parts))


#: Stands where a block starts or ends inside code; no text holds NUL.
_EDGE = "\0"


def _with_line_breaks(parts: list[str]) -> list[str]:
    """Make every edge a line break, unless the line is just starting."""
    text: list[str] = []
    for part in parts:
        if part != _EDGE:
            text.append(part)
        elif text and not text[-1].endswith("\n"):
            text.append("\n")
    return text


def language(pre: Element) -> str | None:
    """Return the programming language that a `pre`, the `code` in it or the elements around it name."""
    around: list[Element] = []
    above = pre.parent
    while above is not None and len(around) < _ABOVE:
        around.append(above)
        above = above.parent
    inside = [element for element in pre.elements() if element.tag == "code"][:1]
    for element in (*inside, pre, *around):
        named = element.attributes.get("data-lang") or element.attributes.get("data-language")
        for token in (f"language-{named.strip()}",) if named and element in (*inside, pre) else element.classes:
            match = _LANGUAGE.match(token)
            if match:
                found = match[1].lower()
                return None if found in _NO_LANGUAGE else found
    return None


def _is_line_number(element: Element) -> bool:
    if element.tag in {"td", "th"}:
        row = element.parent
        return row is not None and len(row.children) > 1 and element.is_small(_MOST_NUMBERS) and is_numbers(element)
    return any(_LINE_NUMBER.search(token) for token in element.classes) and is_numbers(element)


#: Nodes and characters that a column of line numbers may hold.
_MOST_NUMBERS = 1_000_000


def mathematics(element: Element) -> str:
    """Return what a `math` element reads as: its TeX when it has it, else its text."""
    written = element.attributes.get("alttext", "").strip()
    if not written:
        for inner in element.descendants():
            if (
                inner.tag == "annotation"
                and inner.attributes.get("encoding", "").strip().lower() == "application/x-tex"
            ):
                written = inner.text().strip()
                break
    if not written:
        return element.text(_ANNOTATIONS)
    match = _DISPLAY_STYLE.match(written)
    return match[1].strip() if match else written


def script_sign(element: Element, before: str) -> str:
    """Return `^` or `_` for a number or a letter that stands raised or lowered right after a letter or digit.

    Args:
        element: A `sup` or `sub`.
        before: The character before it, or "".
    """
    if not (before.isalnum() and element.is_small(_LONGEST_SCRIPT)) or not _SCRIPT.match(element.text().strip()):
        return ""
    return "^" if element.tag == "sup" else "_"
