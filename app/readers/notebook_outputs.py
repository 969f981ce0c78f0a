"""What the code of a notebook printed and showed (readers design, section 17)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.documents.block import Block, BlockType
from app.documents.values import JsonValue
from app.errors import TooDeep
from app.readers import cleaning
from app.readers.decoding import storable
from app.readers.html import fragment_blocks
from app.readers.markdown import markdown_blocks

#: A longer output keeps its first and last lines only.
_MOST_CHARACTERS = 20_000
_KEPT_LINES = 50
_WIDGET = "application/vnd.jupyter.widget-view+json"
#: Colours, cursor movements and titles of terminals.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")
_OBJECT = r"<(?:Figure size [^<>]*|[\w.]+(?:\[[^<>]*\])? (?:object )?at 0x[0-9A-Fa-f]+|[\w.]+\.\w+ object)>"
#: Prints of objects that say nothing but their class.
_OBJECTS = re.compile(rf"[\[(]?(?:{_OBJECT}[,\s]*)+[\])]?")
_TABLE_TAG = re.compile(r"<table[\s>]", re.IGNORECASE)
_DISPLAY_MATH = re.compile(r"\$\$?(.*?)\$\$?", re.DOTALL)
#: What versions before 4 call the types of what a cell shows.
_OLD_KEYS = {"text": "text/plain", "html": "text/html", "markdown": "text/markdown", "latex": "text/latex"}


@dataclass(slots=True)
class Notices:
    """What happened to the texts of a notebook on the way, for people."""

    replaced: int = 0
    #: Cells with a shortened output, or with HTML that was refused; numbered from 1.
    shortened: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def text_of(self, value: JsonValue) -> str:
        """Return a text that a notebook holds as a string or in a list of strings, with line feeds for line breaks."""
        parts = value if isinstance(value, list) else [value]
        text, replaced = storable("".join(part for part in parts if isinstance(part, str)))
        self.replaced += replaced
        return text.replace("\r\n", "\n")

    def warnings(self) -> tuple[str, ...]:
        """Return them as sentences."""
        found = (
            (self.replaced, f"Characters that can't be stored were replaced by U+FFFD: {self.replaced}."),
            (self.shortened, f"Long outputs were shortened: {_places(self.shortened)}."),
            (self.refused, f"HTML outputs that are nested too deeply were left out: {_places(self.refused)}."),
        )
        return tuple(sentence for happened, sentence in found if happened)


def _places(cells: Sequence[int]) -> str:
    return f"{len(cells)}, the first in cell {cells[0]}" if cells else ""


def output_blocks(outputs: JsonValue, cell: int, notices: Notices) -> Iterator[Block]:
    """Return the blocks of a cell's outputs; `cell` is its number."""
    for output in _joined(outputs if isinstance(outputs, list) else [], notices):
        kind = output.get("output_type")
        if kind == "stream":
            yield from _printed(notices.text_of(output.get("text")), cell, notices)
        elif kind in {"error", "pyerr"}:
            name, message = notices.text_of(output.get("ename")), notices.text_of(output.get("evalue"))
            yield from _code(_terminal(": ".join(part for part in (name, message) if part)))
        elif kind in {"execute_result", "display_data", "update_display_data", "pyout"}:
            yield from _shown(output, cell, notices)


def _joined(outputs: Sequence[JsonValue], notices: Notices) -> Iterator[Mapping[str, JsonValue]]:
    """Put together what one stream printed in pieces."""
    waiting: list[str] = []
    stream: JsonValue = None
    for output in outputs:
        if not isinstance(output, Mapping):
            continue
        name = output.get("name", output.get("stream")) if output.get("output_type") == "stream" else None
        if waiting and name != stream:
            yield {"output_type": "stream", "text": "".join(waiting)}
            waiting = []
        if output.get("output_type") == "stream":
            waiting.append(notices.text_of(output.get("text")))
            stream = name
        else:
            yield output
    if waiting:
        yield {"output_type": "stream", "text": "".join(waiting)}


def _shown(output: Mapping[str, JsonValue], cell: int, notices: Notices) -> Iterator[Block]:
    """Return what a result or display shows: the richest of its forms that is text."""
    data = output.get("data")
    if not isinstance(data, Mapping):
        data = {kind: output[key] for key, kind in _OLD_KEYS.items() if key in output}
    if _WIDGET in data:
        return
    page, markdown = notices.text_of(data.get("text/html")), notices.text_of(data.get("text/markdown"))
    plain, latex = notices.text_of(data.get("text/plain")), notices.text_of(data.get("text/latex"))
    says_something = bool(plain.strip()) and _OBJECTS.fullmatch(plain.strip()) is None
    shown = _html(page, cell, notices) if _TABLE_TAG.search(page) or not (markdown or says_something) else []
    if any(block.type is BlockType.TABLE for block in shown):
        yield from shown
    elif markdown.strip():
        yield from (replace(block, start=None, end=None) for block in markdown_blocks(markdown))
    elif says_something:
        yield from _printed(plain, cell, notices)
    elif shown:
        yield from shown
    elif latex.strip():
        math = _DISPLAY_MATH.fullmatch(latex.strip())
        yield from _code((math[1] if math else latex).strip(), "latex")


def _html(page: str, cell: int, notices: Notices) -> list[Block]:
    try:
        return fragment_blocks(page) if page.strip() else []
    except TooDeep:
        notices.refused.append(cell)
        return []


def _printed(text: str, cell: int, notices: Notices) -> Iterator[Block]:
    text = cleaning.code(_terminal(text))
    if not text or _OBJECTS.fullmatch(text):
        return
    lines = text.split("\n")
    left_out = len(lines) - 2 * _KEPT_LINES
    if len(text) > _MOST_CHARACTERS and left_out > 0:
        notices.shortened.append(cell)
        text = "\n".join([*lines[:_KEPT_LINES], f"[... {left_out} lines]", *lines[-_KEPT_LINES:]])
    yield Block(type=BlockType.CODE, text=f"Output:\n{text}")


def _code(text: str, language: str | None = None) -> Iterator[Block]:
    text = cleaning.code(text)
    if text:
        yield Block(type=BlockType.CODE, text=text, meta={"language": language} if language else {})


def _terminal(text: str) -> str:
    """Return what a terminal shows in the end: no colours, and of a line that was written anew its last state."""
    shown = (line.rstrip().rpartition("\r")[2] for line in _ESCAPES.sub("", text).split("\n"))
    return "\n".join(line.rstrip() for line in shown)
