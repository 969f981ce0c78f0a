"""The text of HTML that stands in Markdown: tags go, text stays.

The standard library's parser takes quadratic time over floods such as `<a <a <a`; one expression that stops at every
`<` does not.
"""

import html
import re
from dataclasses import dataclass, field

#: A comment (to the end when it never closes), a tag, or a declaration. A quoted value may hold `>` but no `<`.
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(/?)([a-zA-Z][a-zA-Z0-9:-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+)>"
    r"|<[!?][^<>]*+>",
    re.DOTALL,
)
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
#: Their edges end paragraphs.
_BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form header hgroup hr html legend li main menu nav ol option p pre search section summary table tbody td
    tfoot th thead tr ul h1 h2 h3 h4 h5 h6
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: Their content is no text.
_HIDDEN = frozenset({"script", "style", "template", "head", "noscript", "object", "svg", "title"})
_HEADING = re.compile(r"h([1-6])\Z")


def inline_text(tag: str) -> str:
    """Return what a single inline tag or comment reads as: a space for a line break, an image's text, else nothing."""
    match = _MARKUP.match(tag)
    name = match[2].lower() if match and match[2] else ""
    if name == "br":
        return " "
    return _image(match[3]) if match and name == "img" else ""


def html_paragraphs(source: str) -> list[tuple[int | None, str]]:
    """Return the paragraphs of an HTML fragment in order, each with its level if it is a heading; not yet squashed."""
    reading = _Paragraphs()
    at = 0
    for match in _MARKUP.finditer(source):
        reading.text(source[at : match.start()])
        reading.markup(match)
        at = match.end()
    reading.text(source[at:])
    return reading.end_paragraph()


@dataclass(slots=True)
class _Paragraphs:
    """Collects paragraphs; what stands in a hidden element is left out."""

    found: list[tuple[int | None, str]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    level: int | None = None
    hidden: str | None = None

    def text(self, written: str) -> None:
        if self.hidden is None:
            self.parts.append(html.unescape(written))

    def markup(self, match: re.Match[str]) -> None:
        closing, name = match[1], match[2].lower() if match[2] else ""
        if self.hidden is not None:
            self.hidden = None if closing and name == self.hidden else self.hidden
        elif name in _HIDDEN and not closing and not match[3].endswith("/"):
            self.hidden = name
        elif name in _BLOCKS:
            self.end_paragraph()
            heading = _HEADING.match(name)
            self.level = int(heading[1]) if heading and not closing else None
        elif name == "br":
            self.parts.append(" ")
        elif name == "img":
            self.parts.append(_image(match[3]))

    def end_paragraph(self) -> list[tuple[int | None, str]]:
        text = "".join(self.parts)
        self.parts.clear()
        if text.strip():
            self.found.append((self.level, text))
        return self.found


def _image(attributes: str) -> str:
    match = _ALT.search(attributes)
    alt = html.unescape(match[1] or match[2] or match[3] or "").strip() if match else ""
    return f"[image: {alt}]" if alt else ""
