"""The tree of HTML to content (readers design, sections 6.1 and 10)."""

import re
from collections.abc import Callable, Iterator, Mapping

from app.documents.block import BlockType
from app.readers import cleaning, html_notes
from app.readers.html_code import mathematics, script_sign
from app.readers.html_content import Content, Frame, Kind, Text
from app.readers.html_furniture import Furniture
from app.readers.html_list_builder import ListBuilder
from app.readers.html_notes import Mark, Notes
from app.readers.html_paragraphs import BREAK
from app.readers.html_speakers import Speaker, Speakers, without_separators
from app.readers.html_table_builder import TableBuilder
from app.readers.html_tree import Element, Holds
from app.readers.html_walk import Speech, Walk

_BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form header hgroup hr html legend li main menu ol optgroup option p pre search section summary table tbody
    td tfoot th thead tr ul nav h1 h2 h3 h4 h5 h6 listing plaintext xmp
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_HEADING = re.compile(r"h([1-6])\Z")
_ARIA_LEVEL = re.compile(r"\s*([1-6])\s*\Z")
#: Level of a `role=heading` that names none.
_USUAL_LEVEL = 2
_ADMONITIONS = frozenset(
    """
    note tip info warning danger caution important hint error attention seealso success question example
    """.split()  # noqa: SIM905 - see above
)
_ADMONITION_TITLES = frozenset({"admonition-title", "markdown-alert-title"})
#: Links from a signature to its source.
_SIGNATURE_LINKS = frozenset({"viewcode-link", "viewcode-back"})
_DASHES = ("\u2014", "\u2013", "\u2015")
#: How many nodes are looked at to find out whether a block holds a speaker's name and nothing else.
_LOOKED_AT = 40
#: What becomes part of a note's paragraph.
_NOTE_TEXTS = frozenset({BlockType.PARAGRAPH, BlockType.QUOTE, BlockType.HEADING})


class Builder:
    """Reads elements into content.

    Args:
        furniture: Tells what is dropped.
        speakers: Who is named as a speaker.
        notes: Where the bodies of notes are.
    """

    def __init__(self, furniture: Furniture, speakers: Speakers, notes: Notes) -> None:
        self._furniture = furniture
        self._speakers = speakers
        self._notes = notes
        self._walk = Walk()
        self._lists = ListBuilder(self._walk, self._drops)
        self._tables = TableBuilder(self._walk, self._drops)
        #: Open article zones.
        self._zones = 0
        #: Label of the first mark, by the note's anchor, in order; and the notes' bodies.
        self._marks: dict[str, str] = {}
        self._bodies: dict[str, list[Content]] = {}
        self._tags: Mapping[str, Callable[[Element], None]] = {
            **{f"h{level}": self._heading for level in range(1, 7)},
            **dict.fromkeys(("ul", "ol", "menu"), self._lists.list),
            **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), self._tables.code),
            **dict.fromkeys(("sup", "sub"), self._script),
            **dict.fromkeys(("article", "main"), self._zone),
            "a": self._link,
            "blockquote": self._quote,
            "br": self._break,
            "dd": self._lists.definition,
            "dl": self._lists.definitions,
            "dt": self._lists.term,
            "figcaption": self._figure_caption,
            "figure": self._figure,
            "footer": self._footer,
            "img": self._image,
            "input": self._input,
            "li": self._lists.item,
            "math": self._math,
            "table": self._tables.table,
        }

    @property
    def without_spans(self) -> int:
        """How many tables were read without their spans, which would have made them too large."""
        return self._tables.without_spans

    def read(self, top: Element) -> list[Content]:
        """Return what an element holds, the notes after the rest."""
        self._read(top)
        content = self._walk.run(self._enter)
        for anchor in dict.fromkeys((*self._marks, *self._bodies)):
            content += self._note(anchor)
        return content

    # The walk

    def _enter(self, element: Element) -> None:
        if self._drops(element):
            return
        if element in self._notes.bodies and not self._walk.frame.in_note:
            self._note_body(element)
        elif element not in self._speakers.by_element or not self._speaks(self._speakers.by_element[element]):
            self._read(element)

    def _read(self, element: Element) -> None:
        if element.attributes and self._by_attributes(element):
            return
        handler = self._tags.get(element.tag)
        if handler is not None:
            handler(element)
        elif element.tag in _BLOCKS:
            self._walk.block(element)
        else:
            self._walk.visit(element)

    def _drops(self, element: Element) -> bool:
        frame = self._walk.frame
        if element in self._speakers.times and (frame.kind is Kind.FLOW or frame.heading is not None):
            return True
        if self._furniture.drops(element, in_article=self._zones > 0, heading=frame.heading, in_quote=frame.quote):
            return True
        return frame.in_note and html_notes.is_back_link(element, self._notes)

    def _by_attributes(self, element: Element) -> bool:
        """Read an element that its role or class makes something else. False when they don't."""
        role = element.role if "role" in element.attributes else ""
        if role == "heading" and not _HEADING.match(element.tag):
            level = _ARIA_LEVEL.match(element.attributes.get("aria-level", ""))
            self._heading(element, int(level[1]) if level else _USUAL_LEVEL)
            return True
        if role == "main" and element.tag not in {"article", "main"}:
            self._zone(element)
            return True
        written = element.attributes.get("class", "")
        if "admonition" in written or "markdown-alert" in written:
            return self._admonition(element)
        # Links from an entry to its source code belong to no signature.
        return "viewcode" in written and not _SIGNATURE_LINKS.isdisjoint(element.classes)

    # Inline elements

    def _link(self, element: Element) -> None:
        mark = html_notes.linked_mark(element)
        if mark is not None:
            self._mark(mark)
        elif "href" in element.attributes:
            self._walk.link(element)
        else:
            self._walk.visit(element)

    def _script(self, element: Element) -> None:
        marks = html_notes.marks(element) if element.tag == "sup" else []
        if marks:
            for mark in marks:
                self._mark(mark)
            return
        sign = script_sign(element, self._walk.last_character)
        if sign:
            self._walk.text(sign)
        self._walk.visit(element)

    def _mark(self, mark: Mark) -> None:
        if self._walk.frame.in_note and mark.link in self._notes.back_links:
            return
        self._walk.text(f"[{mark.label}]")
        self._marks.setdefault(mark.anchor, mark.label)

    def _break(self, _element: Element) -> None:
        self._walk.text(BREAK)

    def _image(self, element: Element) -> None:
        alt = cleaning.prose(element.attributes.get("alt", ""))
        if alt:
            self._walk.text(f"[image: {alt}]")

    def _input(self, element: Element) -> None:
        """A box at the start of an item tells whether the task is done."""
        frame = self._walk.frame
        is_box = element.attributes.get("type", "").strip().lower() == "checkbox"
        if is_box and frame.kind is Kind.ITEM and not frame.content and self._walk.is_blank:
            self._walk.text("[x] " if "checked" in element.attributes else "[ ] ")

    def _math(self, element: Element) -> None:
        self._walk.text(mathematics(element))

    # Blocks

    def _zone(self, element: Element) -> None:
        self._walk.flush()
        self._zones += 1
        self._walk.visit(element, self._leave_zone)

    def _leave_zone(self) -> None:
        self._walk.flush()
        self._zones -= 1

    def _heading(self, element: Element, level: int | None = None) -> None:
        if self._walk.frame.nested:
            self._walk.block(element)
            return
        of_tag = _HEADING.match(element.tag)
        shown = level or (int(of_tag[1]) if of_tag else _USUAL_LEVEL)

        def leave(text: str) -> None:
            if text:
                self._walk.add(Text(BlockType.HEADING, text, level=shown))

        self._walk.line(element, leave, heading=element)

    def _quote(self, element: Element) -> None:
        frame = self._walk.frame
        if frame.kind is Kind.LINE:
            self._walk.block(element)
        elif frame.kind is Kind.LIST:
            self._walk.open(element, Frame(Kind.FLOW, quote=True), self._end_quote_in_list)
        else:
            self._walk.open(element, Frame(Kind.FLOW, frame.content, quote=True), lambda _: None)

    def _end_quote_in_list(self, frame: Frame) -> None:
        for content in frame.content:
            self._walk.add(content)

    def _footer(self, element: Element) -> None:
        if self._walk.frame.quote:
            self._walk.line(element, self._attribution)
        else:
            self._walk.block(element)

    def _attribution(self, text: str) -> None:
        """Add who is quoted."""
        if text:
            self._walk.add(Text(BlockType.QUOTE, text if text.startswith(_DASHES) else f"\u2014 {text}"))

    def _figure(self, element: Element) -> None:
        self._walk.flush()
        children = element.children
        if element.holds & Holds.PRE:
            # What code is called stands in front of it.
            children = sorted(
                children, key=lambda child: not (isinstance(child, Element) and child.tag == "figcaption")
            )
        self._walk.visit_children(element, iter(children), self._walk.flush)

    def _figure_caption(self, element: Element) -> None:
        figure = element.parent
        while figure is not None and figure.tag == "div":
            figure = figure.parent
        if figure is None or figure.tag != "figure":
            self._walk.block(element)
        elif figure.holds & Holds.QUOTE and self._walk.frame.kind in {Kind.FLOW, Kind.ITEM}:
            self._walk.line(element, self._attribution)
        else:
            prefix = "" if figure.holds & Holds.PRE else "Figure: "
            self._walk.line(element, lambda text: self._walk.paragraph(prefix + text) if text else None)

    # Admonitions

    def _admonition(self, element: Element) -> bool:
        """Read an admonition, or the title of one; false when the class names another part of it."""
        classes = [token.lower() for token in element.classes]
        frame = self._walk.frame
        if not _ADMONITION_TITLES.isdisjoint(classes):
            self._walk.line(element, self._admonition_title)
            return True
        if frame.in_admonition or frame.kind is not Kind.FLOW or {"admonition", "markdown-alert"}.isdisjoint(classes):
            return False
        kinds = (token.removeprefix("markdown-alert-") for token in classes)
        kind = next((kind for kind in kinds if kind in _ADMONITIONS), None)
        if kind is None:
            return False
        inner = Frame(Kind.FLOW, quote=frame.quote, in_admonition=True)
        self._walk.open(element, inner, lambda closed: self._end_admonition(closed, kind))
        return True

    def _admonition_title(self, text: str) -> None:
        if text:
            self._walk.frame.title = self._walk.frame.title or text
            self._walk.paragraph(text)

    def _end_admonition(self, frame: Frame, kind: str) -> None:
        """Put the kind in front; a title that says no more than it goes."""
        content = frame.content
        if frame.title.rstrip(":").lower() == kind and isinstance(content[0], Text) and content[0].text == frame.title:
            content = content[1:]
        if content and isinstance(first := content[0], Text) and first.type is not BlockType.CODE:
            first.text = f"{kind.capitalize()}: {first.text}"
        for entry in content:
            entry.meta = {**entry.meta, "admonition": kind}
            self._walk.add(entry)

    # Notes

    def _note_body(self, element: Element) -> None:
        anchor = self._notes.bodies[element]
        frame = self._walk.frame
        if element.tag == "li" and frame.kind is Kind.LIST:
            # The items that stay keep their numbers.
            frame.numbering.marker(element)
        self._walk.open(element, Frame(Kind.NOTE), lambda note: self._bodies.__setitem__(anchor, note.content))

    def _note(self, anchor: str) -> Iterator[Content]:
        """Yield a note: its paragraphs as one with the label in front, then what else it holds."""
        content = self._bodies.get(anchor)
        if not content:
            return
        texts = [entry.text for entry in content if isinstance(entry, Text) and entry.type in _NOTE_TEXTS]
        label = self._marks.get(anchor, anchor)
        yield Text(BlockType.PARAGRAPH, html_notes.labelled(label, " ".join(texts)).strip())
        yield from (entry for entry in content if not (isinstance(entry, Text) and entry.type in _NOTE_TEXTS))

    # Speakers

    def _speaks(self, speaker: Speaker) -> bool:
        """Note who speaks from here on. False where a name is ordinary text: in a cell, an item, or amid a heading."""
        walk, frame = self._walk, self._walk.frame
        scope = self._scope(speaker.element)
        in_flow = frame.kind is Kind.FLOW or (frame.heading is not None and scope is not frame.heading)
        if scope is None or not in_flow:
            return False
        if frame.heading is None:
            walk.flush()
        name = Text(BlockType.PARAGRAPH, speaker.full)
        walk.frames[-1 if frame.heading is None else -2].content.append(name)
        walk.speech = Speech(speaker, scope, name)
        walk.cuts_separators = True
        return True

    def _scope(self, name: Element) -> Element | None:
        """Return the element at whose end a speaker falls silent.

        It is the block around the name; for a name that opens a `p`, or is all that its block holds, the one around.
        """
        block = name.parent
        while block is not None and block.tag not in _BLOCKS and block.parent is not None:
            block = block.parent
        if block is not None and block.tag == "p" and block.parent is not None and self._walk.is_blank:
            return block.parent
        while block is not None and block.parent is not None and self._holds_only(block, name):
            block = block.parent
        return block

    def _holds_only(self, block: Element, name: Element) -> bool:
        """True when a block has no text beside a name and its time."""
        texts = block.texts(skipped=self._speakers.times | {name}, most=_LOOKED_AT)
        return not any(without_separators(text.strip()) for text in texts)
