"""Pandoc's tree to blocks (readers design, sections 5 and 13)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, TypeAlias

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject, JsonValue
from app.readers import cleaning
from app.readers.list_tree import BULLET, Item, ItemContent, NestedList, defined, list_blocks, numbered
from app.readers.pandoc import Refused, Tree
from app.readers.pandoc_marks import ITEM_MARKER, NOTE_LABEL, Literals, is_marked, reference, resolved, unmarked
from app.readers.tables import Cell, spread, table_block

#: Nodes inside nodes. Deeper than this is no document but a flood.
_DEEPEST = 120
_ADMONITIONS = frozenset(
    ("note", "tip", "important", "warning", "caution", "danger", "attention", "hint", "error", "info", "seealso")
)
_ABSOLUTE = ("http://", "https://", "mailto:")
_MAIL = re.compile(r"[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+\Z")
_BOXES = {"\u2610": "[ ]", "\u2611": "[x]", "\u2612": "[x]"}
_QUOTES = {"DoubleQuote": ("\u201c", "\u201d"), "SingleQuote": ("\u2018", "\u2019")}
_RAISED = str.maketrans(
    "0123456789+-\u2212n", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207f"
)
_RAISABLE = re.compile("[0-9+\u2212-]*[0-9]n?\\Z|n\\Z")
#: A unit after another one, as siunitx sets them: `m s` before a negative power.
_SECOND_UNIT = re.compile("(?<=[^\\W\\d_])\u00a0([^\\W\\d_]+)\\Z")
#: The letter that accents are set on; composed, they are set on the plain one.
_DOTLESS = re.compile("\u0131(?=[\u0300-\u036f])")
_NO_LANGUAGE = frozenset({"numberlines", "number-lines", "literate", "verbatim", "listing", "sourcecode"})

Node: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DisplayMath:
    """Mathematics on a line of its own: it parts the paragraph that it stands in."""

    tex: str


Part: TypeAlias = str | DisplayMath


class Where(Enum):
    """What blocks stand in."""

    TOP = auto()
    #: A list item, a cell or a note: paragraphs are strings that somebody joins.
    INSIDE = auto()
    QUOTE = auto()


class Dialect:
    """What a format has of its own; the defaults suit most."""

    #: True where people type the markup: the address of a link follows its text.
    keeps_addresses = True
    #: True where a table without a marked header has it in its first row.
    first_row_is_header = False
    #: True where a term without a definition shares that of the next one.
    joins_terms = False
    #: True where small raised digits mean powers.
    raises_digits = False

    def heading(self, text: str, level: int) -> tuple[str, int]:
        """Return a heading's text without what its format adds to it, and its level."""
        return text, level

    def identifier(self, text: str) -> str:  # noqa: ARG002
        """Return the label that a heading with this text has when it has none of its own."""
        return ""

    def place(self, label: str) -> JsonObject | None:  # noqa: ARG002
        """Return the meta of what follows a heading with this label, or None where that stays as it is."""
        return None

    def untitled(self, label: str) -> str | None:  # noqa: ARG002
        """Return what Pandoc calls a slide without a title of its own."""
        return None

    def caption(self, text: str) -> str:
        """Return a listing's caption, which Pandoc hands on as it is written."""
        return text

    def math(self, tex: str) -> str:
        """Return mathematics without what is no part of it."""
        return tex

    def raw(self, format_name: str, text: str) -> Sequence[Part]:  # noqa: ARG002 - for those that know some
        """Return what markup that Pandoc does not know reads as."""
        return ()

    def div(self, classes: Sequence[str], blocks: Sequence[Node], reader: "TreeReader") -> list[ItemContent] | None:  # noqa: ARG002
        """Return what a group of blocks reads as, or None where it is an ordinary one."""
        return None

    def skips(self, classes: Sequence[str], pairs: Mapping[str, str]) -> bool:  # noqa: ARG002
        """True for inline text with these classes and attributes that is no text."""
        return False


class TreeReader:
    """Turns the trees of one document, whole or in pieces, into blocks."""

    def __init__(self, dialect: Dialect, literals: Literals | None = None) -> None:
        self._dialect = dialect
        self._literals = literals or Literals()
        #: Titles of sections by label.
        self._titles: dict[str, str] = {}
        #: Bodies of notes kept apart, by label, in the order of their first marks.
        self._notes: dict[str, list[ItemContent]] = {}
        self._depth = 0
        #: Number of the open slide, where the format has them.
        self._place: JsonObject = {}

    def read(self, tree: Tree) -> list[Block]:
        """Return the blocks of a tree.

        Raises:
            Refused: the tree is nested too deeply.
        """
        self._depth = 0
        return self.at_top(self.content(tree.blocks, Where.TOP))

    def finish(self, blocks: Sequence[Block]) -> list[Block]:
        """Put what all trees gave together: notes at the end, references and literal texts in their places."""
        notes = [block for label, body in self._notes.items() for block in self._note(label, body)]
        return [self._resolved(block) for block in [*blocks, *notes]]

    def has_note(self, label: str) -> bool:
        """True when the body of a note kept apart was read."""
        return label in self._notes

    def finished_text(self, text: str) -> str:
        """Return a text with references and literal texts in their places."""
        return self._literals.put_back(resolved(text, self._titles))

    def at_top(self, content: Sequence[ItemContent], kind: BlockType = BlockType.PARAGRAPH) -> list[Block]:
        """Return content as blocks, its paragraphs as blocks of a kind."""
        found: list[Block] = []
        for part in content:
            if isinstance(part, str):
                found.append(Block(type=kind, text=part, meta=self._place))
            elif isinstance(part, NestedList):
                found += list_blocks(part.items, self._place)
            else:
                found.append(part)
        return found

    # Blocks

    def content(self, nodes: Sequence[Node], where: Where) -> list[ItemContent]:
        """Return what blocks read as: paragraphs as strings, lists as their items, the rest as blocks."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Refused("it is nested too deeply", at_limit=True)
        found: list[ItemContent] = []
        for node in nodes:
            content = self._block(node["t"], node.get("c"), where)
            # What stands at the top stands on the slide that is open now.
            found += self.at_top(content) if where is Where.TOP else content
        self._depth -= 1
        return found

    def _block(self, kind: str, value: Any, where: Where) -> list[ItemContent]:  # noqa: ANN401, C901, PLR0911 - a flat dispatch over a node's own payload
        match kind:
            case "Para" | "Plain":
                return self.paragraphs(value)
            case "Header":
                return self._header(value, where)
            case "BulletList":
                return [NestedList(tuple(self._item(BULLET, item) for item in value))]
            case "OrderedList":
                return [NestedList(tuple(self._ordered(value)))]
            case "DefinitionList":
                return [NestedList(tuple(self._definitions(value)))]
            case "CodeBlock":
                return self._code(*value)
            case "BlockQuote":
                content = self.content(value, Where.QUOTE)
                return content if where is Where.INSIDE else list(self.at_top(content, BlockType.QUOTE))
            case "Table":
                return self._table(value)
            case "Figure":
                return self._figure(value, where)
            case "Div":
                return self._div(value[0], value[1], where)
            case "LineBlock":
                lines = [self.text(line) for line in value]
                text = (" " if where is Where.INSIDE else "\n").join(line for line in lines if line)
                return [text] if text else []
            case "RawBlock":
                return self._split(list(self._dialect.raw(*value)))
        return []

    def paragraphs(self, inlines: Sequence[Node]) -> list[ItemContent]:
        """Return the paragraph that inline text makes; display mathematics in it is code and parts it."""
        return self._split(self._inline(inlines))

    def _split(self, parts: Sequence[Part]) -> list[ItemContent]:
        found: list[ItemContent] = []
        open_parts: list[str] = []
        for part in [*parts, DisplayMath("")]:
            if isinstance(part, str):
                open_parts.append(part)
                continue
            text = cleaning.prose("".join(open_parts))
            open_parts.clear()
            # A full stop set after a formula is no paragraph.
            if text and (not found or any(character.isalnum() for character in text) or not part.tex):
                found.append(text)
            if tex := cleaning.code(part.tex.strip()):
                found.append(Block(type=BlockType.CODE, text=tex, meta={"language": "latex", **self._place}))
        if len(found) > 1 and isinstance(found[-1], str) and not any(character.isalnum() for character in found[-1]):
            found.pop()
        return found

    def _header(self, value: Any, where: Where) -> list[ItemContent]:  # noqa: ANN401 - a node's own payload
        level, (label, _, _), inlines = value
        text, level = self._dialect.heading(self.text(inlines), level)
        label = label or self._dialect.identifier(text)
        if label and text:
            self._titles.setdefault(unmarked(label), text)
        if (place := self._dialect.place(label)) is not None:
            self._place = place
            text = "" if text == self._dialect.untitled(label) else text
        if not text:
            return []
        return [text] if where is not Where.TOP else [self.heading(text, level)]

    def heading(self, text: str, level: int) -> Block:
        """Return a heading where it stands."""
        return Block(type=BlockType.HEADING, text=text, level=level, meta=self._place)

    def _code(self, attributes: Any, text: str) -> list[ItemContent]:  # noqa: ANN401 - a node's own payload
        _, classes, pairs = attributes
        named = dict(pairs)
        language = named.get("org-language") or next(
            (name for name in classes if name.lower() not in _NO_LANGUAGE), None
        )
        text = cleaning.code(text)
        if not text:
            return []
        caption = cleaning.prose(self._dialect.caption(named.get("caption") or named.get("title") or ""))
        meta: JsonObject = {"language": language.lower()} if language else {}
        block = Block(type=BlockType.CODE, text=text, meta={**meta, **self._place})
        return [caption, block] if caption else [block]

    def _figure(self, value: Any, where: Where) -> list[ItemContent]:  # noqa: ANN401 - a node's own payload
        _, (_, caption_blocks), blocks = value
        caption = self._joined(self.content(caption_blocks, Where.INSIDE))
        content = self.content(blocks, where)
        if not caption:
            return content
        if len(content) == 1 and isinstance(content[0], Block) and content[0].type is BlockType.TABLE:
            return [_with_caption(content[0], caption)]
        return [*(part for part in content if part != f"[image: {caption}]"), f"Figure: {caption}"]

    def _div(self, attributes: Any, blocks: Sequence[Node], where: Where) -> list[ItemContent]:  # noqa: ANN401
        classes: list[str] = attributes[1]
        own = self._dialect.div(classes, blocks, self)
        if own is not None:
            return own
        kind = next((name for name in classes if name in _ADMONITIONS), None)
        if kind is None:
            return self.content(blocks, where)
        title = ""
        if blocks and blocks[0]["t"] == "Div" and "title" in blocks[0]["c"][0][1]:
            title, blocks = self._joined(self.content(blocks[0]["c"][1], Where.INSIDE)), blocks[1:]
        return self._admonition(kind, "" if title.lower() == kind else title, blocks, where)

    def _admonition(self, kind: str, title: str, blocks: Sequence[Node], where: Where) -> list[ItemContent]:
        content = self.content(blocks, Where.INSIDE if where is Where.INSIDE else Where.QUOTE)
        prefix = f"{kind.capitalize()}: "
        if title:
            content.insert(0, prefix + title)
        else:
            first = next((number for number, part in enumerate(content) if isinstance(part, str)), None)
            if first is None:
                content.insert(0, prefix.rstrip())
            else:
                content[first] = f"{prefix}{content[first]}"
        if where is Where.INSIDE:
            return content
        return [replace(block, meta={"admonition": kind, **block.meta}) for block in self.at_top(content)]

    # Lists

    def _item(self, marker: str, blocks: Sequence[Node]) -> Item:
        content = self.content(blocks, Where.INSIDE)
        if content and isinstance(content[0], str):
            text = content[0]
            if text[0] in _BOXES:
                text = _BOXES[text[0]] + text[1:]
            elif own := ITEM_MARKER.match(text):
                marker, text = f"{own[1].strip()} ".lstrip() or BULLET, text[own.end() :]
            content[0:1] = [text] if text else []
        return Item(marker, tuple(content))

    def _ordered(self, value: Any) -> Iterator[Item]:  # noqa: ANN401 - a node's own payload
        (start, style, _), items = value
        for number, blocks in enumerate(items, start):
            yield self._item(numbered(_in_style(number, style["t"])), blocks)

    def _definitions(self, value: Any) -> Iterator[Item]:  # noqa: ANN401 - a node's own payload
        waiting: list[str] = []
        for term, definitions in value:
            waiting.append(", ".join(filter(None, (self.text(part) for part in _at_line_breaks(term)))))
            bodies = [content for blocks in definitions if (content := self.content(blocks, Where.INSIDE))]
            if not bodies and self._dialect.joins_terms:
                continue
            for body in bodies or [[]]:
                yield Item(defined(waiting), tuple(body))
            waiting = []
        if waiting:
            yield Item(defined(waiting))

    # Tables

    def _table(self, value: Any) -> list[ItemContent]:  # noqa: ANN401 - a node's own payload
        _, (_, caption), _, (_, head), bodies, (_, foot) = value
        header = self._grid(head)
        rows = [row for _, _, head_rows, body in bodies for row in (*self._grid(head_rows), *self._grid(body))]
        rows += self._grid(foot)
        if not any(any(row) for row in header) and self._dialect.first_row_is_header and len(rows) > 1:
            header, rows = rows[:1], rows[1:]
        block = table_block(caption=self._joined(self.content(caption, Where.INSIDE)), header=header, rows=rows)
        return [replace(block, meta={**block.meta, **self._place})] if block else []

    def _grid(self, rows: Any) -> list[list[str]]:  # noqa: ANN401 - a node's own payload
        return spread(
            [[Cell(self.cell(blocks), columns, down) for _, _, down, columns, blocks in cells] for _, cells in rows]
        )

    def cell(self, blocks: Sequence[Node]) -> str:
        """Return the text of a table's cell on one line."""
        return self._joined(self.content(blocks, Where.INSIDE))

    def _joined(self, content: Sequence[ItemContent]) -> str:
        return cleaning.prose(" ".join(_one_line(part) for part in content))

    # Notes

    def _note(self, label: str, body: Sequence[ItemContent]) -> list[Block]:
        texts = [part for part in body if isinstance(part, str)]
        others = self.at_top([part for part in body if not isinstance(part, str)])
        return [Block(type=BlockType.PARAGRAPH, text=" ".join([f"[{label}]", *texts])), *others]

    def _note_mark(self, blocks: Sequence[Node]) -> str:
        body = self.content(blocks, Where.INSIDE)
        label = NOTE_LABEL.match(body[0]) if body and isinstance(body[0], str) else None
        if label is None:
            text = self._joined(body)
            return f" ({text})" if text else ""
        if label[1] not in self._notes:
            rest = label.string[label.end() :]
            self._notes[label[1]] = [*([rest] if rest else []), *body[1:]]
        return f"[{label[1]}]"

    # Inline text

    def text(self, inlines: Sequence[Node]) -> str:
        """Return inline text on one line; display mathematics keeps its dollars."""
        return cleaning.prose(_flat(self._inline(inlines)))

    def verse(self, inlines: Sequence[Node]) -> str:
        """Return inline text with its line breaks."""
        lines = (self.text(line) for line in _at_line_breaks(inlines))
        return "\n".join(line for line in lines if line)

    def _inline(self, nodes: Sequence[Node]) -> list[Part]:
        parts: list[Part] = []
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Refused("it is nested too deeply", at_limit=True)
        for node in nodes:
            kind = node["t"]
            if kind == "Str":
                text = node["c"]
                parts.append(text if "\u0131" not in text else _DOTLESS.sub("i", text))
            elif kind in {"Space", "SoftBreak", "LineBreak"}:
                parts.append(" ")
            else:
                self._rare(kind, node["c"], parts)
        self._depth -= 1
        return parts

    def _rare(self, kind: str, value: Any, parts: list[Part]) -> None:  # noqa: ANN401, C901 - a flat dispatch over a node's own payload
        match kind:
            case "Emph" | "Strong" | "Underline" | "Strikeout" | "SmallCaps" | "Subscript":
                parts += self._inline(value)
            case "Superscript":
                self._raise(_flat(self._inline(value)), parts)
            case "Quoted":
                opening, closing = _QUOTES[value[0]["t"]]
                parts += [opening, *self._inline(value[1]), closing]
            case "Cite":
                parts.append(f"[{', '.join(citation['citationId'] for citation in value[0])}]")
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
                parts.append(f"[image: {alt}]" if alt else "")
            case "Note":
                mark = self._note_mark(value)
                parts.append(mark[1:] if mark[:1] == " " and _flat(parts[-1:])[-1:].isspace() else mark)
            case "Span":
                if not self._dialect.skips(value[0][1], dict(value[0][2])):
                    parts += self._inline(value[1])

    def _link(self, attributes: Any, inlines: Sequence[Node], target: Sequence[str]) -> str:  # noqa: ANN401
        text, address = self.text(inlines), target[0]
        if "cross-reference" in attributes[1]:
            label = address.lstrip("#")
            return reference(label) if text.lstrip("#") == label else unmarked(text)
        if _MAIL.match(address):
            address = f"mailto:{address}"
        if not address.startswith(_ABSOLUTE) or text in {address, address.removeprefix("mailto:")}:
            return text
        if not text:
            return address.removeprefix("mailto:")
        return f"{text} ({address})" if self._dialect.keeps_addresses else text

    def _raise(self, text: str, parts: list[Part]) -> None:
        if not (self._dialect.raises_digits and _RAISABLE.match(text)):
            parts.append(text)
            return
        before = parts[-1] if parts else ""
        unit = _SECOND_UNIT.search(before) if isinstance(before, str) and text[0] in "-\u2212" else None
        if unit is not None and isinstance(before, str):
            parts[-1] = f"{before[: unit.start()]}/{unit[1]}"
            text = text[1:].removeprefix("1") if text[1:] == "1" else text[1:]
        parts.append(text.translate(_RAISED))

    # Marks

    def _resolved(self, block: Block) -> Block:
        if not is_marked(block.text):
            return block
        meta = {key: self._resolved_value(value) for key, value in block.meta.items()}
        return replace(block, text=self.finished_text(block.text), meta=meta)

    def _resolved_value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.finished_text(value)
        return [self._resolved_value(item) for item in value] if isinstance(value, list) else value


def metadata_inlines(value: Node | None) -> Sequence[Node]:
    """Return the inline text of a metadata field; of several paragraphs the first."""
    match value:
        case {"t": "MetaInlines", "c": inlines}:
            return list(inlines)
        case {"t": "MetaString", "c": text}:
            return [{"t": "Str", "c": text}]
        case {"t": "MetaBlocks", "c": [{"t": "Para" | "Plain", "c": inlines}, *_]}:
            return list(inlines)
        case {"t": "MetaList", "c": [first, *_]}:
            return metadata_inlines(first)
    return []


def metadata_blocks(value: Node | None) -> Sequence[Node]:
    """Return a metadata field as blocks."""
    if value is not None and value["t"] == "MetaBlocks":
        return list(value["c"])
    inlines = metadata_inlines(value)
    return [{"t": "Para", "c": inlines}] if inlines else []


def _flat(parts: Sequence[Part]) -> str:
    return "".join(part if isinstance(part, str) else f"$${part.tex.strip()}$$" for part in parts)


def _one_line(part: ItemContent) -> str:
    """Return what stands in a cell as one line: `a; b` for a list, `a, b; c, d` for a table."""
    if isinstance(part, str):
        return part
    if isinstance(part, NestedList):
        return "; ".join(filter(None, (_one_line_item(item) for item in part.items)))
    rows = part.meta.get("rows")
    if part.type is BlockType.TABLE and isinstance(rows, list):
        lines = [part.meta.get("header") or [], *rows]
        return "; ".join(", ".join(str(cell) for cell in line) for line in lines if isinstance(line, list) and line)
    return part.text


def _one_line_item(item: Item) -> str:
    marker = item.marker.removeprefix(BULLET) if item.marker.endswith(": ") else ""
    return (marker + " ".join(_one_line(part) for part in item.content)).strip()


def _at_line_breaks(inlines: Sequence[Node]) -> list[list[Node]]:
    lines: list[list[Node]] = [[]]
    for node in inlines:
        if node["t"] == "LineBreak":
            lines.append([])
        else:
            lines[-1].append(node)
    return lines


def _with_caption(table: Block, caption: str) -> Block:
    if table.meta.get("caption"):
        return table
    return replace(table, text=f"Table: {caption}\n{table.text}", meta={**table.meta, "caption": caption})


_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LETTERS = 26
_ROMAN_MOST = 3999


def _in_style(number: int, style: str) -> int | str:
    """Return an item's number as its list shows it."""
    if style in {"LowerAlpha", "UpperAlpha"} and 0 < number <= _LETTERS:
        letter = chr(ord("a") + number - 1)
        return letter if style == "LowerAlpha" else letter.upper()
    if style in {"LowerRoman", "UpperRoman"} and 0 < number <= _ROMAN_MOST:
        letters, left = "", number
        for value, roman in _ROMAN:
            letters += roman * (left // value)
            left %= value
        return letters if style == "LowerRoman" else letters.upper()
    return number
