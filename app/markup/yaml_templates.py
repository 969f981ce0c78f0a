"""YAML with template marks, made readable for a YAML parser (markup design, section 9, "YAML templates")."""

import re

_MARKS = (("{{", "}}"), ("{%", "%}"), ("{#", "#}"))
_NOT_LINE_BREAK = re.compile(r"[^\n]")


def without_marks(text: str) -> str:
    """Return a copy of equal length where each mark is a run of `x`, and a line of nothing but marks a comment.

    The text must hold no NUL.
    """
    spans = sorted(span for left, right in _MARKS for span in _spans(text, left, right))
    if not spans:
        return text
    parts, at = [], 0
    for start, end in spans:
        if start >= at:
            parts += [text[at:start], _NOT_LINE_BREAK.sub("\x00", text[start:end])]
            at = end
    lines = "".join([*parts, text[at:]]).split("\n")
    return "\n".join(_line(line) for line in lines)


def _spans(text: str, left: str, right: str) -> list[tuple[int, int]]:
    spans = []
    start = text.find(left)
    while start >= 0:
        end = text.find(right, start + len(left))
        if end < 0:
            break
        spans.append((start, end + len(right)))
        start = text.find(left, end + len(right))
    return spans


def _line(line: str) -> str:
    if "\x00" not in line:
        return line
    masked = line.replace("\x00", "x")
    if line.strip(" \x00"):
        return masked
    at = line.index("\x00")
    return f"{masked[:at]}#{masked[at + 1 :]}"
