"""Mends DocBook that is not well formed, so that Pandoc reads all its words (readers design, sections 4 and 13).

lxml mends XML too, but drops what follows the root element, CDATA that does not end, single signs and whatever stands
behind a quotation mark that is not closed (measured with 6.1). So tags are balanced here, and lxml reads the result.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import escape

from lxml import etree

from app.readers.package_parts import Element

_NAME = r"[A-Za-z_][\w:.-]*+"
_TOKEN = re.compile(
    rf"<!\[CDATA\[|<!--|<\?|<!DOCTYPE\b[^<>\[\]]*+>"
    rf"|</(?P<end>{_NAME})\s*+>"
    rf"|<(?P<start>{_NAME})(?P<attributes>(?:\s++[^\s=<>/\"']++\s*+=\s*+(?:\"[^\"<]*+\"|'[^'<]*+'))*+)\s*+(?P<empty>/?)>"
    rf"|<(?P<bare>{_NAME})[^<>]*+>"
    rf"|(?P<cut><(?:[/!?]?[\w:.-]*+|{_NAME}\s[^<>=]*+=[^<>]*+)\Z)"
    r"|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});"
    r"|(?P<sign>[<>&])"
)
_NO_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ENDS = {"<![CDATA[": "]]>", "<!--": "-->", "<?": "?>"}
#: Deeper than this, the tags of a flood are left out.
_DEEPEST = 200
_ROOTS = frozenset(
    """
    appendix article book bookinfo chapter colophon dedication glossary part preface refentry reference refsection
    sect1 sect2 sect3 sect4 sect5 section set simplesect topic
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: What holds text and no blocks, or no paragraphs: one of those ends it.
_ONLY_TEXT = frozenset({"title", "subtitle", "titleabbrev", "term", "programlisting", "screen", "literallayout"})
_LINES = _ONLY_TEXT | {"para", "simpara"}
_NOT_IN_LINES = _ROOTS | frozenset(
    """
    abstract entry formalpara info listitem member para row simpara step subtitle tbody term tfoot tgroup thead title
    titleabbrev varlistentry
    """.split()  # noqa: SIM905
)
_BLOCKS = frozenset(
    """
    blockquote caution example figure important informaltable itemizedlist literallayout mediaobject note orderedlist
    procedure programlisting screen table tip variablelist warning
    """.split()  # noqa: SIM905
)
_INLINE = frozenset(
    """
    acronym application citetitle classname code command computeroutput constant emphasis envar filename firstterm
    foreignphrase function guilabel keycap link literal menuchoice option package parameter phrase productname prompt
    property quote replaceable subscript superscript systemitem tag trademark ulink userinput varname
    """.split()  # noqa: SIM905
)
_IN_ANY = frozenset({"title", "titleabbrev", "info", "blockinfo", "objectinfo", "indexterm", "alt", "caption"})
_ROWS = frozenset({"row", "tr", "colspec"})
_TABLE = frozenset({"tgroup", "thead", "tbody", "tfoot", "tr", "col", "colgroup", "textobject", "mediaobject"})
_MEDIA = frozenset({"imageobject", "imageobjectco", "textobject", "videoobject", "audioobject"})
_TABLES = frozenset({"table", "informaltable"})
_CELLS = ("{*}entry", "{*}td", "{*}th")
#: What elements hold that have no text of their own; Pandoc drops the rest.
_HELD = {
    "table": _TABLE,
    "informaltable": _TABLE,
    "tgroup": frozenset({"colspec", "spanspec", "thead", "tbody", "tfoot"}),
    "thead": _ROWS,
    "tbody": _ROWS,
    "tfoot": _ROWS,
    "row": frozenset({"entry", "entrytbl"}),
    "tr": frozenset({"td", "th"}),
    "itemizedlist": frozenset({"listitem"}),
    "orderedlist": frozenset({"listitem"}),
    "variablelist": frozenset({"varlistentry"}),
    "varlistentry": frozenset({"term", "listitem"}),
    "mediaobject": _MEDIA,
}


def mended_docbook(text: str) -> str | None:
    """Return a source with its tags balanced and with text where Pandoc sees it; None where nothing is left of it."""
    balanced = "".join(_Balance(text).parts())
    if not balanced:
        return None
    parser = etree.XMLParser(recover=True, encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False)
    root = etree.fromstring(balanced.encode(), parser)
    if root is None:
        return None
    _move_strays(root)
    _keep_titles(root)
    return etree.tostring(root, encoding="unicode")


class _Balance:
    def __init__(self, text: str) -> None:
        self._text = _NO_CHARACTERS.sub("", text)
        #: Names of the open elements. The first is the root, which stays open to the end.
        self._open: list[str] = []
        self._counts: Counter[str] = Counter()
        #: Tags that were left out and whose end tags are still to come.
        self._left_out: Counter[str] = Counter()
        #: What was looked for in vain: it is not there any more.
        self._missing: set[str] = set()

    def parts(self) -> Iterator[str]:
        """Yield the source in parts, balanced."""
        at = 0
        while match := _TOKEN.search(self._text, at):
            yield from self._words(self._text[at : match.start()])
            at = match.end()
            written = match[0]
            if written in _ENDS:
                end = self._end_of(_ENDS[written], at)
                if written == "<![CDATA[":
                    last = len(self._text) if end is None else end - len("]]>")
                    yield from self._words(escape(self._text[at:last], quote=False))
                    at = len(self._text) if end is None else end
                elif end is None:
                    yield from self._words(escape(written))
                else:
                    # Instructions end no paragraph, and some say where a line breaks.
                    yield self._text[match.start() : end] if written == "<?" and self._open else ""
                    at = end
            elif match["end"]:
                yield from self._close(match["end"])
            elif name := match["start"] or match["bare"]:
                yield from self._start(name, match["attributes"] or "", match["empty"] or "")
            elif match["sign"]:
                yield from self._words(escape(written))
            elif written.startswith("&"):
                yield from self._words(written)
        yield from self._words(self._text[at:])
        yield from (f"</{name}>" for name in reversed(self._open))

    def _end_of(self, mark: str, at: int) -> int | None:
        end = -1 if mark in self._missing else self._text.find(mark, at)
        if end < 0:
            self._missing.add(mark)
            return None
        return end + len(mark)

    def _words(self, text: str) -> Iterator[str]:
        if text.strip() and not self._open:
            yield from self._push("article")
        if self._open:
            yield text

    def _start(self, name: str, attributes: str, empty: str) -> Iterator[str]:
        if not self._open and name not in _ROOTS:
            yield from self._push("article")
        yield from self._end_line(name)
        if empty:
            yield f"<{name}{attributes}/>"
        elif len(self._open) < _DEEPEST:
            yield from self._push(name, attributes)
        else:
            self._left_out[name] += 1
            yield " "

    def _push(self, name: str, attributes: str = "") -> Iterator[str]:
        self._open.append(name)
        self._counts[name] += 1
        yield f"<{name}{attributes}>"

    def _end_line(self, name: str) -> Iterator[str]:
        """Close a line of text that can't hold an element, if nothing but inline elements is open in it."""
        if name not in _NOT_IN_LINES and name not in _BLOCKS:
            return
        line = next((name for name in reversed(self._open) if name not in _INLINE), "")
        if line in (_LINES if name in _NOT_IN_LINES else _ONLY_TEXT):
            yield from self._close(line)

    def _close(self, name: str) -> Iterator[str]:
        """Close an element with all that is open in it; an end tag of none is left out."""
        if self._left_out[name]:
            self._left_out[name] -= 1
            return
        if not self._counts[name]:
            return
        closed = ""
        while closed != name and len(self._open) > 1:
            closed = self._open.pop()
            self._counts[closed] -= 1
            yield f"</{closed}>"


def _move_strays(root: Element) -> None:
    """Move what stands right in a table, list or the like, and in no part of it, behind that."""
    # From the inside out: what stands behind a row stands in its table.
    for holder in reversed(list(root.iter(*(f"{{*}}{name}" for name in _HELD)))):
        strays = list(_strays(holder))
        if strays:
            strays[-1].tail, holder.tail = holder.tail, None
        for stray in reversed(strays):
            holder.addnext(stray)


def _keep_titles(root: Element) -> None:
    """Make paragraphs of titles that Pandoc does not show: of a table without rows, the second of an element."""
    titled: set[Element] = set()
    for title in list(root.iter("{*}title")):
        parent = title.getparent()
        if parent is None:
            continue
        is_second = parent in titled
        is_lost = _local(parent) in _TABLES and (is_second or not _has_cells(parent))
        if is_lost:
            parent.addprevious(title)
        if is_lost or is_second:
            title.tag = "para"
        titled.add(parent)


def _has_cells(table: Element) -> bool:
    return any(str(text).strip() for cell in table.iter(*_CELLS) for text in cell.itertext())


def _strays(holder: Element) -> Iterator[Element]:
    """Take out of an element what it doesn't hold, text as paragraphs."""
    held = _HELD[_local(holder)]
    yield from _paragraph(holder.text)
    holder.text = None
    for child in list(holder):
        tail, child.tail = child.tail, None
        if isinstance(child.tag, str) and _local(child) not in held and _local(child) not in _IN_ANY:
            holder.remove(child)
            yield child
        yield from _paragraph(tail)


def _paragraph(text: str | None) -> Iterator[Element]:
    if text and text.strip():
        # Without a namespace: the document's may be none that can be made, and Pandoc goes by local names.
        paragraph = etree.Element("para")
        paragraph.text = text
        yield paragraph


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]
