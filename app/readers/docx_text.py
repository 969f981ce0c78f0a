"""The text of a DOCX paragraph: runs, fields, revisions, notes, drawings (readers design, section 11)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.readers.docx_content import ALTERNATIVES, chosen, content
from app.readers.docx_math import EQUATIONS, equation
from app.readers.docx_package import Element, W
from app.readers.docx_styles import Style, Styles, toggle, value

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V = "{urn:schemas-microsoft-com:vml}"
_CHARACTERS = {
    **dict.fromkeys((f"{W}tab", f"{W}ptab"), "\t"),
    **dict.fromkeys((f"{W}br", f"{W}cr"), "\n"),
    f"{W}noBreakHyphen": "-",
}
_PICTURES = frozenset({f"{W}drawing", f"{W}pict", f"{W}object"})
_NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}
_PRIVATE = range(0xE000, 0xF900)
_HIGHEST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
_CONTENTS = "TOC"
_IMAGE = " [image: "
_CHAR = f"{W}char"
_CUSTOM_MARK_FOLLOWS = f"{W}customMarkFollows"
_FLD_CHAR = f"{W}fldChar"
_FLD_CHAR_TYPE = f"{W}fldCharType"
_FLD_SIMPLE = f"{W}fldSimple"
_ID = f"{W}id"
_INSTR = f"{W}instr"
_INSTR_TEXT = f"{W}instrText"
_R = f"{W}r"
_R_PR = f"{W}rPr"
_R_STYLE = f"{W}rStyle"
_SYM = f"{W}sym"
_T = f"{W}t"
_TXBX_CONTENT = f"{W}txbxContent"
_WP_DOC_PR = f"{_WP}docPr"


@dataclass(slots=True)
class _Field:
    instruction: list[str] = field(default_factory=list)
    shown: bool = False


@dataclass(slots=True)
class Fields:
    """Open fields, innermost last: they may span paragraphs. What is asked for is not text, what came of it is."""

    #: Starts that nothing ends; they would hide all that follows.
    unended: frozenset[Element] = frozenset()
    open: list[_Field] = field(default_factory=list)
    muted: int = 0

    def mark(self, element: Element) -> None:
        """Take in a field's begin, separator or end."""
        kind = element.get(_FLD_CHAR_TYPE)
        if kind == "begin" and element not in self.unended:
            self.open.append(_Field())
            self.muted += 1
        elif kind == "separate" and self.open:
            top = self.open[-1]
            if not top.shown and not _asks_for_contents("".join(top.instruction)):
                top.shown = True
                self.muted -= 1
        elif kind == "end" and self.open and not self.open.pop().shown:
            self.muted -= 1

    def instruct(self, text: str) -> None:
        """Take in a part of an instruction."""
        if self.open:
            self.open[-1].instruction.append(text)


def unended_fields(root: Element) -> frozenset[Element]:
    """Return the starts of fields that have no end."""
    starts: list[Element] = []
    for element in root.iter(_FLD_CHAR):
        kind = element.get(_FLD_CHAR_TYPE)
        if kind == "begin":
            starts.append(element)
        elif kind == "end" and starts:
            starts.pop()
    return frozenset(starts)


def _asks_for_contents(instruction: str) -> bool:
    return instruction.split(maxsplit=1)[:1] == [_CONTENTS]


@dataclass(slots=True)
class Notes:
    """Footnotes and endnotes, in the order of their marks; they share one count."""

    #: By kind and identifier: the note's element.
    bodies: dict[tuple[str, str], Element]
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    _count: int = 0

    def refer(self, kind: str, identifier: str, own_mark: str) -> str:
        """Return the label for a mark; notes that don't exist have none."""
        key = (kind, identifier)
        if key not in self.bodies:
            return ""
        if key not in self.labels:
            if not own_mark:
                self._count += 1
            self.labels[key] = own_mark or str(self._count)
        return self.labels[key]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph's text as it is written, and what it holds beside it."""

    #: Tabs and line breaks as such; neither squashed nor cleaned.
    text: str
    #: The contents of text boxes anchored in it.
    boxes: tuple[Element, ...] = ()
    #: True when it shows a picture and no words of its own.
    picture: bool = False


class TextReader:
    """Reads the text of paragraphs in order; fields and notes carry on from one to the next."""

    def __init__(self, styles: Styles, notes: Notes) -> None:
        self._styles = styles
        self._notes = notes
        self.fields = Fields()

    def read(self, paragraph: Element, style: Style) -> Text:
        """Read a paragraph that has a style."""
        reading = _Reading()
        for element in content(paragraph):
            tag = element.tag
            if tag == _R:
                self._run(element, style, reading)
            elif tag == _FLD_SIMPLE:
                self._simple_field(element, style, reading)
            elif tag in EQUATIONS and not self.fields.muted:
                reading.parts.append(equation(element))
        return reading.take()

    def _simple_field(self, element: Element, style: Style, reading: "_Reading") -> None:
        if _asks_for_contents(element.get(_INSTR, "")):
            return
        result = self.read(element, style)
        reading.parts.append(result.text)
        reading.boxes += result.boxes
        reading.picture |= result.picture

    def _run(self, run: Element, style: Style, reading: "_Reading") -> None:
        hidden = self._is_hidden(run, style)
        elements = content(run)
        for element in elements:
            tag = element.tag
            if tag == _FLD_CHAR:
                self.fields.mark(element)
            elif tag == _INSTR_TEXT:
                self.fields.instruct(element.text or "")
            elif hidden or self.fields.muted:
                continue
            elif tag == _T:
                reading.parts.append(element.text or "")
            elif tag in _NOTES:
                self._note(element, elements, reading)
            elif tag in _PICTURES:
                _picture(element, reading)
            elif tag == _R:  # the base of a ruby
                self._run(element, style, reading)
            else:
                reading.parts.append(_character(element))

    def _is_hidden(self, run: Element, style: Style) -> bool:
        properties = run.find(_R_PR)
        own = toggle(properties, "vanish")
        if own is None and properties is not None:
            named = value(properties.find(_R_STYLE))
            own = self._styles.get(named).hidden if named is not None else None
        return bool(style.hidden if own is None else own)

    def _note(self, element: Element, following: Iterator[Element], reading: "_Reading") -> None:
        own_mark = ""
        if element.get(_CUSTOM_MARK_FOLLOWS, "0") not in {"0", "false", "off"}:
            own_mark = "".join((after.text or "") if after.tag == _T else _character(after) for after in following)
        label = self._notes.refer(_NOTES[str(element.tag)], element.get(_ID, ""), own_mark.strip())
        reading.parts.append(f"[{label}]" if label else own_mark)


@dataclass(slots=True)
class _Reading:
    parts: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    #: A picture was seen.
    picture: bool = False

    def take(self) -> Text:
        worded = any(part.strip() for part in self.parts if not part.startswith(_IMAGE))
        return Text("".join(self.parts), tuple(self.boxes), self.picture and not worded)


def _character(element: Element) -> str:
    """Return the character that an element stands for; nothing for what is no text."""
    if element.tag == _SYM:
        code = _hexadecimal(element.get(_CHAR, ""))
        return "" if code is None or code in _PRIVATE or code in _SURROGATES else chr(code)
    return _CHARACTERS.get(str(element.tag), "")


def _hexadecimal(digits: str) -> int | None:
    try:
        code = int(digits[:8], 16)
    except ValueError:
        return None
    return code if 0 < code <= _HIGHEST_CHARACTER else None


def _picture(element: Element, reading: _Reading) -> None:
    """Take in a drawing: its description, and the text boxes in it."""
    reading.picture = True
    stack: list[Iterator[Element]] = [iter(element)]
    while stack:
        inside = next(stack[-1], None)
        if inside is None:
            stack.pop()
            continue
        tag = inside.tag
        if tag == _TXBX_CONTENT:
            reading.boxes.append(inside)
            reading.picture = False
            continue
        if tag == _WP_DOC_PR or (isinstance(tag, str) and tag.startswith(_V)):
            description = " ".join((inside.get("descr" if tag == _WP_DOC_PR else "alt") or "").split())
            if description:
                reading.parts.append(f"{_IMAGE}{description}] ")
        stack.append(iter(chosen(inside) if tag == ALTERNATIVES else inside))
