"""Where JavaScript in MDX ends: brackets, strings, templates and comments, nothing more (readers design, section 8)."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"\\."
    r"|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'"
    r"|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|//[^\n]*"
    r"|(?P<mark>[`{}()\[\]\n])",
    re.DOTALL,
)
_IN_TEMPLATE = re.compile(r"\\.|(?P<mark>`|\$\{)", re.DOTALL)
_OPENED_BY = {")": "(", "]": "[", "}": "{"}
#: A line that ends or starts so is not the end of its statement.
_UNFINISHED = re.compile(r"(?:=>|[=,+*/&|?:.]|\b(?:from|extends|default|return))\Z")
_GOES_ON = re.compile(r"[ \t]*(?:[.?:&|+=,*]|from\b)")
#: An element without brackets around it may run over lines.
_ELEMENT = re.compile(r"(?:=>|=|\bdefault)\s*<[^\n]*>\Z", re.DOTALL)
#: What shows how a statement goes on stands this close to its line's end.
_LOOK_BACK = 400
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n|\Z)")


def closing(text: str, at: int, end: int) -> int | None:
    """Return the offset after the brace that closes the one at `at`, or None when none does before `end`."""
    return next((after for after, depth, _ in _marks(text, at, end) if depth == 0), None)


def statement_end(text: str, at: int, end: int) -> int | None:
    """Return where the `import` or `export` statement at `at` ends, or None when a bracket in it never closes."""
    depth = 0
    for after, depth, mark in _marks(text, at, end):
        if depth or mark != "\n":
            continue
        line_end = after - 1
        written = text[max(at, line_end - _LOOK_BACK) : line_end].rstrip()
        following = text[after : after + _LOOK_BACK].partition("\n")[0]
        if not following.strip() or written.endswith(";"):
            return line_end
        if _ELEMENT.search(written):
            return blank_line(text, line_end, end)
        if not _UNFINISHED.search(written) and not _GOES_ON.match(following):
            return line_end
    return None if depth else end


def blank_line(text: str, at: int, end: int) -> int:
    """Return the offset of the next line break that a blank line follows, or `end`."""
    match = _BLANK_LINE.search(text, at, end)
    return match.start() if match else end


def _marks(text: str, at: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield brackets and line breaks of code: the offset after each, how many brackets are open then, and the mark."""
    stack: list[str] = []
    while True:
        in_template = bool(stack) and stack[-1] == "`"
        match = (_IN_TEMPLATE if in_template else _TOKEN).search(text, at, end)
        if match is None:
            return
        at = match.end()
        mark = match["mark"]
        if mark is None:
            continue
        if mark == "`" and in_template:
            stack.pop()
        elif mark in {"`", "(", "[", "{"}:
            stack.append(mark)
        elif mark == "${":
            stack.append("{")
        elif mark != "\n":
            _close(stack, _OPENED_BY[mark])
        yield at, len(stack), mark


def _close(stack: list[str], opened: str) -> None:
    """Close a bracket. A brace closes what is open inside it; another bracket without its partner is text."""
    if opened == "{":
        while stack and stack.pop() != "{":
            pass
    elif stack and stack[-1] == opened:
        stack.pop()
