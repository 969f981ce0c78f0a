"""A pass over the content of an ODT file before Pandoc reads it (readers design, sections 5 and 13).

Pandoc 3.9 knows no code, no captions of tables, no descriptions of pictures and no hidden text in ODT, and reads the
title as a paragraph (measured). What styles and frames say of these is put where it sees it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from app.errors import MalformedDocument
from app.readers import cleaning
from app.readers.package_parts import Element, PackageParts
from app.readers.pandoc_marks import CAPTION, CODE, Literals

#: The member that holds the text.
CONTENT = "content.xml"
_STYLES = "styles.xml"
_O = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_S = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table"
_D = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_PARAGRAPH, _SPAN, _STYLE_NAME = f"{_T}p", f"{_T}span", f"{_T}style-name"
_FRAME = f"{_D}frame"
_CODE_STYLES = ("preformatted", "code", "source")
_CAPTION_STYLES = frozenset({"table", "caption", "illustration", "figure"})
_MOST_PARENTS = 20
_SPACES = f"{_T}s"
_MOST_SPACES = 1_000


@dataclass(frozen=True, slots=True)
class _Style:
    parent: str
    is_hidden: bool


def prepared_odt(data: bytes, literals: Literals) -> tuple[bytes, str]:
    """Return a package as Pandoc is to read it, and the title that stands in its text.

    Raises:
        MalformedDocument: it holds no text, a part is not well formed, or has a document type declaration.
        TooDeep: elements are nested over 256 levels deep.
    """
    parts = PackageParts(data)
    root = parts.tree(CONTENT)
    body = root.find(f"{_O}body/{_O}text") if root is not None else None
    if root is None or body is None:
        raise MalformedDocument(f"The package is no ODT document: {CONTENT} holds no text (office:text).")
    content = _Content(body, _Styles([parts.tree(_STYLES), root]), literals)
    content.prepare()
    return parts.replaced(CONTENT, root), content.title


class _Styles:
    def __init__(self, roots: Iterable[Element | None]) -> None:
        self._styles: dict[str, _Style] = {}
        for root in roots:
            for style in root.iter(f"{_S}style") if root is not None else ():
                properties = style.find(f"{_S}text-properties")
                hidden = properties is not None and properties.get(f"{_T}display") == "none"
                self._styles[style.get(f"{_S}name", "")] = _Style(style.get(f"{_S}parent-style-name", ""), hidden)

    def names(self, element: Element) -> Iterator[str]:
        """Yield the name of an element's style and of those that it is made from, in lower case."""
        name = element.get(_STYLE_NAME, "")
        for _ in range(_MOST_PARENTS):
            if not name:
                return
            yield name.replace("_20_", " ").lower()
            style = self._styles.get(name)
            name = style.parent if style else ""

    def hides(self, element: Element) -> bool:
        """True when an element's own style hides it."""
        style = self._styles.get(element.get(_STYLE_NAME, ""))
        return style is not None and style.is_hidden


class _Content:
    def __init__(self, body: Element, styles: _Styles, literals: Literals) -> None:
        self._body = body
        self._styles = styles
        self._literals = literals
        self.title = ""

    def prepare(self) -> None:
        """Rewrite what stands in the text."""
        for element in list(self._body.iter(_PARAGRAPH, _SPAN)):
            if self._styles.hides(element):
                _remove(element)
        for frame in list(self._body.iter(_FRAME)):
            self._describe(frame)
        self._take_title()
        for table in self._body.iter(_TABLE):
            for beside in (table.getprevious(), table.getnext()):
                if beside is not None and beside.tag == _PARAGRAPH and self._is_caption(beside):
                    beside.text = f"{CAPTION}{beside.text or ''}"
                    # Pandoc makes a group of a paragraph in such a style.
                    del beside.attrib[_STYLE_NAME]
                    break
        self._mark_code()

    def _describe(self, frame: Element) -> None:
        """Put the description of a picture in its place."""
        words = " ".join(dict.fromkeys(filter(None, (_words(frame, "title"), _words(frame, "desc")))))
        image = frame.find(f"{_D}image")
        if image is None or not words:
            return
        # The frame of a figure, which Pandoc knows by the picture in it: the words stand before that.
        outer = next(iter(frame.iterancestors(_FRAME)), None)
        target = frame if outer is None else outer
        span = etree.Element(_SPAN)
        span.text = self._literals.add(f"[image: {words}]")
        paragraph = target.getparent()
        if paragraph is None:
            return
        if outer is not None and paragraph.tag == _PARAGRAPH and paragraph.getparent() is not None:
            own = etree.Element(_PARAGRAPH)
            own.append(span)
            paragraph.addprevious(own)
        else:
            span.tail, target.tail = target.tail, None
            paragraph.replace(target, span)

    def _take_title(self) -> None:
        for paragraph in self._body.iterchildren(_PARAGRAPH):
            if "title" in self._styles.names(paragraph):
                self.title = cleaning.prose("".join(map(str, paragraph.itertext())))
                if self.title:
                    _remove(paragraph)
                    return

    def _is_caption(self, paragraph: Element) -> bool:
        return not _CAPTION_STYLES.isdisjoint(self._styles.names(paragraph))

    def _mark_code(self) -> None:
        """Make one paragraph of neighbours that hold code, with the code out of Pandoc's sight."""
        for first in list(self._body.iter(_PARAGRAPH)):
            if first.getparent() is None or not self._is_code(first):
                continue
            lines = [_line(first)]
            following = first.getnext()
            while following is not None and following.tag == _PARAGRAPH and self._is_code(following):
                lines.append(_line(following))
                beyond = following.getnext()
                _remove(following)
                following = beyond
            for child in list(first):
                first.remove(child)
            code = cleaning.code("\n".join(lines))
            first.text = f"{CODE}{self._literals.add(code)}" if code else ""

    def _is_code(self, paragraph: Element) -> bool:
        return any(word in name for name in self._styles.names(paragraph) for word in _CODE_STYLES)


def _words(frame: Element, name: str) -> str:
    return cleaning.prose(frame.findtext(f"{_SVG}{name}") or "")


def _line(paragraph: Element) -> str:
    """Return a paragraph of code as it shows: its spaces, tabs and line breaks are elements."""
    signs: Mapping[str, str] = {f"{_T}tab": "\t", f"{_T}line-break": "\n"}
    parts: list[str] = []
    for event, element in etree.iterwalk(paragraph, events=("start", "end")):
        if event == "end":
            parts.append(element.tail or "" if element is not paragraph else "")
            continue
        if element.tag == _SPACES:
            count = element.get(f"{_T}c", "1")
            parts.append(" " * min(int(count) if count.isdecimal() else 1, _MOST_SPACES))
        parts += [signs.get(str(element.tag), ""), element.text or ""]
    return "".join(parts)


def _remove(element: Element) -> None:
    """Take an element out, and leave the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)
