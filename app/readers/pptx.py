"""PPTX to blocks (readers design, sections 1, 4 and 5).

Pandoc 3.9 reads slides, but loses speaker notes, makes paragraphs of bullets that the layout gives (most of them, and
how deep they stand), puts slides' numbers into made-up titles and leaves merged cells empty (measured). Slides are
plain enough XML, so they are read here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.values import JsonObject
from app.errors import MalformedDocument
from app.ports.reader_runner import Source
from app.readers.list_tree import ItemContent, NestedList, list_blocks
from app.readers.package_parts import Element, PackageParts, Relationship
from app.readers.pandoc_archives import under_title
from app.readers.pandoc_packages import LIMITS, has_member, inspect
from app.readers.pandoc_tables import on_one_line
from app.readers.pptx_shapes import P, R, placeholder, shape_content, shapes
from app.readers.pptx_text import A, text_content
from app.readers.reader import Reader

_TITLES = frozenset({"title", "ctrTitle"})
#: What a layout repeats on every slide.
_FURNITURE = frozenset({"dt", "ftr", "hdr", "sldNum", "sldImg"})
#: The place of the master that one of a layout takes its looks from, where that has another name.
_MASTER_PLACES = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
_TITLE_LEVEL = 2


def read_pptx(source: Source) -> ParsedDocument:
    """Read slides into blocks: each under its title, with its number, its speaker notes behind it.

    Raises:
        MalformedDocument: no PPTX package, damaged or encrypted.
        TooLarge: it would unpack to more than a document may.
        TooDeep: elements are nested over 256 levels deep.
    """
    properties = inspect(source.data, "PPTX", "docProps/core.xml")
    deck = _Deck(PackageParts(source.data))
    blocks = [block for number, name in enumerate(deck.slides(), 1) for block in deck.blocks(number, name)]
    title = deck.title or properties.title
    return ParsedDocument(blocks=tuple(under_title(title, blocks)), title=title or None, language=properties.language)


class _Deck:
    def __init__(self, parts: PackageParts) -> None:
        self._parts = parts
        #: Of layouts and masters, which many slides share.
        self._shared: dict[str, Element | None] = {}
        #: The master of each layout.
        self._masters: dict[str, str] = {}
        self.title = ""

    def slides(self) -> Iterator[str]:
        """Yield the slides' parts in the order of the presentation."""
        main = next((one.target for one in self._parts.relationships("").values() if one.kind == "officeDocument"), "")
        root = self._parts.tree(main)
        if root is None or root.tag != f"{P}presentation":
            what = "ppt/presentation.xml is missing" if root is None else f"its main part is {main}, which is none"
            raise MalformedDocument(f"The PPTX package has no presentation in it: {what}.")
        relationships = self._parts.relationships(main)
        for slide in root.iterfind(f"{P}sldIdLst/{P}sldId"):
            if (found := relationships.get(slide.get(f"{R}id", ""))) is not None:
                yield found.target

    def blocks(self, number: int, name: str) -> Iterator[Block]:
        """Yield the blocks of a slide."""
        root = self._parts.tree(name)
        tree = root.find(f"{P}cSld/{P}spTree") if root is not None else None
        if tree is None:
            return
        relationships = self._parts.relationships(name)
        layout = _related(relationships, "slideLayout")
        titles: list[str] = []
        content: list[ItemContent] = []
        for shape in shapes(tree):
            place = placeholder(shape)
            kind = place.get("type", "obj") if place is not None else ""
            if kind in _FURNITURE:
                continue
            styles = list(self._styles(place, layout)) if place is not None else []
            found = shape_content(shape, styles, self._parts, relationships)
            if kind not in _TITLES:
                content += found
            elif text := on_one_line(found):
                titles.append(text)
                self.title = self.title or (text if number == 1 and kind == "ctrTitle" else "")
        content += self._notes(relationships)
        yield from _blocks(titles, content, {"slide": number})

    def _styles(self, place: Element, layout: str) -> Iterator[Element]:
        """Yield the styles of a place's paragraphs, the nearest first: its layout's, its master's."""
        kind = place.get("type", "obj")
        master = self._master(layout)
        same_place = self._place_of(layout, "idx", place.get("idx")) if place.get("idx") else None
        if same_place is None:
            same_place = self._place_of(layout, "type", place.get("type"))
        same_kind = self._place_of(master, "type", _MASTER_PLACES.get(kind, kind))
        for shape in (same_place, same_kind):
            style = shape.find(f"{P}txBody/{A}lstStyle") if shape is not None else None
            if style is not None:
                yield style
        root = self._tree(master)
        looks = "titleStyle" if kind in _TITLES else "bodyStyle"
        style = root.find(f"{P}txStyles/{P}{looks}") if root is not None else None
        if style is not None:
            yield style

    def _master(self, layout: str) -> str:
        if layout not in self._masters:
            self._masters[layout] = _related(self._parts.relationships(layout), "slideMaster") if layout else ""
        return self._masters[layout]

    def _place_of(self, name: str, attribute: str, value: str | None) -> Element | None:
        root = self._tree(name)
        for shape in root.iter(f"{P}sp") if root is not None else ():
            place = placeholder(shape)
            if place is not None and place.get(attribute) == value:
                return shape
        return None

    def _tree(self, name: str) -> Element | None:
        if name not in self._shared:
            self._shared[name] = self._parts.tree(name) if name else None
        return self._shared[name]

    def _notes(self, relationships: dict[str, Relationship]) -> list[ItemContent]:
        """Return what the speaker is to say, opened by a word that tells it from what the slide shows."""
        root = self._parts.tree(_related(relationships, "notesSlide"))
        content: list[ItemContent] = []
        for shape in root.iter(f"{P}sp") if root is not None else ():
            place = placeholder(shape)
            if place is not None and place.get("type") == "body":
                content += text_content(shape.find(f"{P}txBody"), ())
        if not content:
            return []
        first, *rest = content
        return [f"Notes: {first}", *rest] if isinstance(first, str) else ["Notes:", *content]


def _related(relationships: dict[str, Relationship], kind: str) -> str:
    return next((one.target for one in relationships.values() if one.kind == kind), "")


def _blocks(titles: Sequence[str], content: Sequence[ItemContent], meta: JsonObject) -> Iterator[Block]:
    for title in titles:
        yield Block(type=BlockType.HEADING, text=title, level=_TITLE_LEVEL, meta=meta)
    for part in content:
        if isinstance(part, str):
            yield Block(type=BlockType.PARAGRAPH, text=part, meta=meta)
        elif isinstance(part, NestedList):
            yield from list_blocks(part.items, meta)
        else:
            yield replace(part, meta={**part.meta, **meta})


READER = Reader(
    format="pptx",
    extensions=("pptx",),
    media_types=("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    read=read_pptx,
    looks_like=lambda head, _: has_member(head, b"ppt/"),
    binary=True,
    limits=LIMITS,
)
