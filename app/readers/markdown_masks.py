"""What is hidden from the Markdown parser, byte for byte, so that offsets hold (readers design, sections 7 and 8).

Two things that documents hold and CommonMark doesn't know would be read as something else: `:::note` containers, and
lines that open with a colon, which the parser takes for definitions (`:smile:`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyromark
from pyromark import Options

# Metadata blocks stay off: they swallow pairs of `---` in mid-document. So do heading attributes: they would take the
# end of `## GET /users/{id}`.
PARSER = pyromark.Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
    | Options.ENABLE_GFM
    | Options.ENABLE_DEFINITION_LIST
)

#: Stands for a colon that opens no definition. Control characters reach no block, so none is taken for it.
COLON = "\x01"
#: A colon at the start of a line with no space behind it, unless the line is a table's delimiter row.
_COLON = re.compile(rb"^([ \t>]*):(?=[^\s])(?![-:| \t]*$)", re.MULTILINE)
#: What a source with such lines holds; quicker to look for, as it opens with a character.
_MAYBE_COLON = re.compile(rb"\n[ \t>]*+:[^\s]")
#: `:::kind Title`, `:::kind[Title]`, `::: {.kind}` or a closing `:::`, maybe inside a quote or indented.
_DIRECTIVE = re.compile(
    rb"^[ \t>]*(:{3,}[ \t]*(?:\{[ \t]*\.?([\w-]+)[^}\n]*\}|([\w-]+))?(?:\[([^\]\n]*)\][^\n]*|[ \t]+([^\n]*)|[ \t]*))$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Directive:
    """A container's opening line, or with no kind and no title its closing line; offsets in bytes."""

    start: int
    end: int
    kind: str
    title: str
    #: True when the title is a paragraph by itself and no container opens.
    is_paragraph: bool = False
    #: Of such a paragraph, how far its line is indented: in a list, further than the item it belongs to.
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Masked:
    """Markdown for the parser: as text, as the UTF-8 bytes that ranges count in, and what was taken out."""

    text: str
    data: bytes
    #: In order; gone through once.
    directives: Iterable[Directive]
    #: True when some colons read `COLON`.
    colons: bool


def mask(markdown: str) -> Masked:
    """Return Markdown as the parser should see it."""
    data = markdown.encode()
    if _MAYBE_COLON.search(data) is None and _COLON.match(data) is None and b":::" not in data:
        return Masked(markdown, data, (), colons=False)
    # A control character of the source's own must not turn into a colon.
    masked = _COLON.sub(rb"\1" + COLON.encode(), data.replace(COLON.encode(), b"\x02"))
    directives: tuple[Directive, ...] = ()
    if b":::" in data:
        directives = tuple(_directives(data, masked))
        masked = _blank(masked, directives)
    return Masked(masked.decode(), masked, directives, colons=True)


def _directives(data: bytes, masked: bytes) -> Iterator[Directive]:
    """Find the container lines outside code: the parser tells where code is."""
    code = [
        span
        for event, span in PARSER.events_with_range(masked.decode())
        if isinstance(event, dict) and isinstance(tag := event.get("Start"), dict) and "CodeBlock" in tag
    ]
    code.reverse()
    for match in _DIRECTIVE.finditer(data):
        start, end = match.span(1)
        while code and code[-1]["end"] <= start:
            code.pop()
        if not code or start < code[-1]["start"]:
            kind, title = match[2] or match[3] or b"", match[4] or match[5] or b""
            yield Directive(start, end, kind.decode().lower(), title.decode().strip().rstrip(":").strip())


def _blank(data: bytes, directives: tuple[Directive, ...]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for directive in directives:
        parts += (data[at : directive.start], b" " * (directive.end - directive.start))
        at = directive.end
    return b"".join((*parts, data[at:]))
