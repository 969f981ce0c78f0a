"""What is taken out of HTML before it is parsed (readers design, section 10, "Guards before parsing").

The tree builder follows the standard and with it takes quadratic time over elements nested without end and over
thousands of attributes in one tag. One scan over the tags keeps both away from it.
"""

import re
from dataclasses import dataclass, field

from app.errors import TooDeep

#: More unclosed elements than this are refused.
MOST_UNCLOSED = 20_000
#: Elements nested deeper than this are taken out, their content stays. Browsers nest 512 deep.
_DEEPEST = 2_000
#: Attributes of one tag beyond this many are taken out.
_MOST_ATTRIBUTES = 500
#: Shorter tags can't hold so many.
_FEW_CHARACTERS = 2 * _MOST_ATTRIBUTES
#: The standard keeps at most three equal formatting elements open.
_MOST_EQUAL = 3

_ATTRIBUTE = r"[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+|(?=>)))?+"
_ATTRIBUTES = re.compile(_ATTRIBUTE)
#: A comment, or a tag as browsers cut it out of the text; one that never ends runs to the end of the text.
_MARKUP = re.compile(
    rf"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?)([a-zA-Z][^\s/>]*+)((?:[\s/]++|{_ATTRIBUTE})*+)(?:>|\Z))", re.DOTALL
)
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()  # noqa: SIM905 - as above
)
_END_MAY_BE_MISSING = frozenset("p li dt dd td th tr thead tbody tfoot option colgroup rt rp".split())  # noqa: SIM905 - as above
_UNCOUNTED = _VOID | _END_MAY_BE_MISSING | {"html", "head", "body", "image"}
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())  # noqa: SIM905 - as above
#: Their content is text up to their own end tag.
_RAW = frozenset("script style textarea title xmp iframe noembed noframes noscript".split())  # noqa: SIM905 - as above
_FOREIGN = ("svg", "math")
#: Their edges part nothing.
_INLINE = _FORMATTING | frozenset("span abbr cite dfn kbd mark q samp sub sup time var label ruby bdi bdo".split())  # noqa: SIM905 - as above
_HEADING = re.compile(r"h[1-6]\Z")
_DOCTYPE_SUBSET = re.compile(
    r"(\A\s*+(?:<\?[^>]*+>\s*+|<!--(?:(?!-->).)*+-->\s*+)*+<!doctype[^<>\[]*+)\[.*?\]\s*>", re.IGNORECASE | re.DOTALL
)


@dataclass(slots=True)
class _Open:
    """An open element: whether it counts as nested, and whether its tag is taken out."""

    counts: bool
    removed: bool
    written: str


@dataclass(slots=True)
class _Scan:
    source: str
    #: True when `/>` closes any element.
    xml: bool
    opened: dict[str, list[_Open]] = field(default_factory=dict)
    #: Open formatting elements by how they are written.
    equal: dict[str, int] = field(default_factory=dict)
    unclosed: int = 0
    depth: int = 0
    parts: list[str] = field(default_factory=list)
    #: How much of the source is in `parts`, or left out of it.
    done: int = 0
    #: Elements without markup inside whose end tag doesn't come any more.
    never_closed: set[str] = field(default_factory=set)
    flattened: int = 0
    cut_attributes: int = 0

    def run(self) -> str:
        source, at = self.source, 0
        while match := _MARKUP.search(source, at):
            at = match.end()
            if match[2] is None:
                continue
            name = match[2].lower()
            if match[1]:
                self._close(name, match)
                continue
            if len(match[3]) > _FEW_CHARACTERS:
                self._cut_attributes(match)
            if match[3].endswith("/") and (self.xml or name in _FOREIGN or self._foreign()):
                continue
            if name in _RAW and not self._foreign():
                at = self._after_raw(name, match)
            elif name not in _UNCOUNTED:
                self._open(name, match)
        return "".join((*self.parts, source[self.done :])) if self.done else source

    def _open(self, name: str, match: re.Match[str]) -> None:
        self.unclosed += 1
        if self.unclosed > MOST_UNCLOSED:
            raise TooDeep(f"The HTML has more than {MOST_UNCLOSED:,} elements open at once.")
        written = name + match[3] if name in _FORMATTING else ""
        counts = True
        if written:
            counts = self.equal.get(written, 0) < _MOST_EQUAL
            self.equal[written] = self.equal.get(written, 0) + 1
        self.depth += counts
        removed = counts and self.depth > _DEEPEST and not _HEADING.match(name)
        if removed:
            self.flattened += 1
            self._replace(match, _edge(name))
        self.opened.setdefault(name, []).append(_Open(counts, removed, written))

    def _close(self, name: str, match: re.Match[str]) -> None:
        stack = self.opened.get(name)
        if not stack:
            return
        closed = stack.pop()
        self.unclosed -= 1
        self.depth -= closed.counts
        if closed.written:
            self.equal[closed.written] -= 1
        if closed.removed:
            self._replace(match, _edge(name))

    def _foreign(self) -> bool:
        return any(self.opened.get(name) for name in _FOREIGN)

    def _after_raw(self, name: str, match: re.Match[str]) -> int:
        """Return where the text of an element that holds no markup ends."""
        pattern = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
        end = None if name in self.never_closed else pattern.search(self.source, match.end())
        if end is None:
            self.never_closed.add(name)
        if name == "noscript":
            # Never closed, it would take the rest of the document with it.
            tag_end = -1 if end is None else self.source.find(">", end.end())
            stop = match.end() if tag_end < 0 else tag_end + 1
            self._replace(match, "", stop)
            return stop
        return len(self.source) if end is None else end.start()

    def _cut_attributes(self, match: re.Match[str]) -> None:
        attributes = _ATTRIBUTES.findall(match[3])
        if len(attributes) > _MOST_ATTRIBUTES:
            self.cut_attributes += 1
            self._replace(match, f"<{match[2]} {' '.join(attributes[:_MOST_ATTRIBUTES])}>")

    def _replace(self, match: re.Match[str], text: str, stop: int | None = None) -> None:
        if match.start() >= self.done:
            self.parts.append(self.source[self.done : match.start()])
        self.parts.append(text)
        self.done = match.end() if stop is None else stop


def guarded(source: str, *, xml: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return HTML that the tree builder reads in linear time, and warnings about what that cost.

    Comments and the text of scripts are left alone; `noscript` elements go with all they hold.

    Raises:
        TooDeep: more than 20,000 elements are open at once, those not counted that need no end tag.
    """
    source = _DOCTYPE_SUBSET.sub(r"\1>", source, count=1)
    scan = _Scan(source, xml)
    text = scan.run()
    warnings = []
    if scan.flattened:
        warnings.append(
            f"{scan.flattened} elements nested deeper than {_DEEPEST:,} were read as if they stood one above."
        )
    if scan.cut_attributes:
        warnings.append(f"{scan.cut_attributes} tags lost their attributes beyond the first {_MOST_ATTRIBUTES}.")
    return text, tuple(warnings)


def _edge(name: str) -> str:
    """Return what parts the texts around a tag that is taken out."""
    return "" if name in _INLINE else "<hr>"
