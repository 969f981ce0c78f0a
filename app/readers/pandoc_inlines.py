"""Inline text of Pandoc's tree (readers design, sections 5 and 13)."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from app.readers import cleaning
from app.readers.pandoc import Refused
from app.readers.pandoc_dialect import Dialect, DisplayMath, Node, Part
from app.readers.pandoc_marks import reference, unmarked, with_notes

#: Nodes inside nodes. Deeper than this is no document but a flood.
_DEEPEST = 120
_ABSOLUTE = ("http://", "https://", "mailto:")
_MAIL = re.compile(r"[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+\Z")
_QUOTES = {"DoubleQuote": ("\u201c", "\u201d"), "SingleQuote": ("\u2018", "\u2019")}
_RAISED = str.maketrans(
    "0123456789+-\u2212n", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207f"
)
_RAISABLE = re.compile("[0-9+\u2212-]*[0-9]n?\\Z|n\\Z")
#: The letter that accents are set on; composed, they are set on the plain one.
_DOTLESS = re.compile("\u0131(?=[\u0300-\u036f])")
#: A link that shows the number of what it leads to.
_REFERENCES = frozenset({"cross-reference", "ref"})


class Depth:
    """How deep the node that is read now stands in others."""

    def __init__(self) -> None:
        self._depth = 0

    @contextmanager
    def one_deeper(self) -> Iterator[None]:
        """Count what is read inside as one level.

        Raises:
            Refused: there are too many.
        """
        if self._depth >= _DEEPEST:
            raise Refused("it is nested too deeply", at_limit=True)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1


class InlineReader:
    """Reads inline nodes.

    Args:
        dialect: What the format has of its own.
        note: Reads the blocks of a note into what stands for it in the text.
        depth: Of the document's nodes, those of blocks included.
    """

    def __init__(self, dialect: Dialect, note: Callable[[Sequence[Node]], str], depth: Depth) -> None:
        self._dialect = dialect
        self._note = note
        self._depth = depth
        #: The page that has begun inside the text that was read last, if one has.
        self.page: int | None = None

    def text(self, inlines: Sequence[Node]) -> str:
        """Return inline text on one line; display mathematics keeps its dollars."""
        return prose(_flat(self.parts(inlines)))

    def verse(self, inlines: Sequence[Node]) -> str:
        """Return inline text with its line breaks."""
        lines = (self.text(line) for line in at_line_breaks(inlines))
        return "\n".join(line for line in lines if line)

    def parts(self, nodes: Sequence[Node]) -> list[Part]:
        """Return inline text as it comes, white space and all."""
        parts: list[Part] = []
        with self._depth.one_deeper():
            for node in nodes:
                kind = node["t"]
                if kind == "Str":
                    text = node["c"]
                    parts.append(text if "\u0131" not in text else _DOTLESS.sub("i", text))
                elif kind in {"Space", "SoftBreak", "LineBreak"}:
                    parts.append(" ")
                else:
                    self._rare(kind, node["c"], parts)
        return parts

    def _rare(self, kind: str, value: Any, parts: list[Part]) -> None:  # noqa: ANN401, C901 - a flat dispatch over a node's own payload
        match kind:
            case "Emph" | "Strong" | "Underline" | "Strikeout" | "SmallCaps" | "Subscript":
                parts += self.parts(value)
            case "Superscript":
                text = _flat(self.parts(value))
                raises = self._dialect.raises_digits and _RAISABLE.match(text)
                parts.append(text.translate(_RAISED) if raises else text)
            case "Quoted":
                opening, closing = _QUOTES[value[0]["t"]]
                parts += [opening, *self.parts(value[1]), closing]
            case "Cite":
                keys = f"[{', '.join(citation['citationId'] for citation in value[0])}]"
                parts.append(reference(keys) if self._dialect.cites_sections else keys)
            case "Code":
                parts.append(value[1])
            case "Math":
                display = value[0]["t"] == "DisplayMath"
                tex = self._dialect.math(value[1])
                parts.append(DisplayMath(tex) if display else f"${tex}$")
            case "RawInline":
                parts += self._dialect.raw(*value)
            case "Link":
                parts.append(self._link(*value))
            case "Image":
                alt = self.text(value[1]) or cleaning.prose(dict(value[0][2]).get("alt", ""))
                parts.append(f"[image: {alt}]" if alt and alt != self._dialect.unnamed_image else "")
            case "Note":
                mark = self._note(value)
                parts.append(mark[1:] if mark[:1] == " " and _flat(parts[-1:])[-1:].isspace() else mark)
            case "Span":
                inside = self.parts(value[1])
                page = self._dialect.page(value[0], _flat(inside))
                self.page = self.page if page is None else page
                if page is None and not self._dialect.skips(value[0][1], dict(value[0][2])):
                    parts += inside

    def _link(self, attributes: Any, inlines: Sequence[Node], target: Sequence[str]) -> str:  # noqa: ANN401
        text, address = self.text(inlines), target[0]
        if not _REFERENCES.isdisjoint(attributes[1]):
            label = address.lstrip("#")
            return reference(label) if text.strip("#[]") == label else unmarked(text)
        if _MAIL.match(address):
            address = f"mailto:{address}"
        if not address.startswith(_ABSOLUTE) or text in {address, address.removeprefix("mailto:")}:
            return text
        if not text:
            return address.removeprefix("mailto:")
        return f"{text} ({address})" if self._dialect.keeps_addresses else text


def prose(text: str) -> str:
    """Return inline text on one line, with the notes in it."""
    return with_notes(cleaning.prose(text))


def at_line_breaks(inlines: Sequence[Node]) -> list[list[Node]]:
    """Return inline text cut at its line breaks."""
    lines: list[list[Node]] = [[]]
    for node in inlines:
        if node["t"] == "LineBreak":
            lines.append([])
        else:
            lines[-1].append(node)
    return lines


def _flat(parts: Sequence[Part]) -> str:
    return "".join(part if isinstance(part, str) else f"$${part.tex.strip()}$$" for part in parts)
