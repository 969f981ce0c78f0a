"""Pandoc's tree to blocks (readers design, sections 5 and 13)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject, JsonValue
from app.readers import cleaning
from app.readers.list_tree import ItemContent, NestedList, list_blocks
from app.readers.pandoc import Tree
from app.readers.pandoc_dialect import Dialect, DisplayMath, Node, Part, Where
from app.readers.pandoc_inlines import Depth, InlineReader, prose
from app.readers.pandoc_lists import bullet_list, definition_list, ordered_list
from app.readers.pandoc_marks import Literals, is_marked, resolved, unmarked, with_line_breaks
from app.readers.pandoc_notes import Notes
from app.readers.pandoc_tables import on_one_line, table, with_caption

_ADMONITIONS = frozenset(
    ("note", "tip", "important", "warning", "caution", "danger", "attention", "hint", "error", "info", "seealso")
)
_NO_LANGUAGE = frozenset({"numberlines", "number-lines", "literate", "verbatim", "listing", "sourcecode"})


class TreeReader:
    """Turns the trees of one document, whole or in pieces, into blocks."""

    def __init__(self, dialect: Dialect, literals: Literals | None = None) -> None:
        self._dialect = dialect
        self._literals = literals or Literals()
        #: Titles of sections by label.
        self._titles: dict[str, str] = {}
        self._notes = Notes()
        self._depth = Depth()
        self.inlines = InlineReader(dialect, self._note_mark, self._depth)
        #: Title of the heading that was read last, while nothing stands behind it.
        self._open_title = ""
        #: Meta that tells the open page, where the format has them.
        self._place: JsonObject = {}

    def read(self, tree: Tree) -> list[Block]:
        """Return the blocks of a tree.

        Raises:
            Refused: the tree is nested too deeply.
        """
        return self.at_top(self.content(tree.blocks, Where.TOP))

    def finish(self, blocks: Sequence[Block]) -> list[Block]:
        """Put what all trees gave together: notes at the end, references and literal texts in their places."""
        return [self._resolved(block) for block in [*blocks, *self.at_top(list(self._notes.contents()))]]

    def has_note(self, label: str) -> bool:
        """True when the body of a note kept apart was read."""
        return label in self._notes

    def finished_text(self, text: str, line_break: str = " ") -> str:
        """Return a text with references, literal texts and line breaks in their places."""
        return self._literals.put_back(resolved(with_line_breaks(text, line_break), self._titles))

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

    def content(self, nodes: Sequence[Node], where: Where) -> list[ItemContent]:
        """Return what blocks read as: paragraphs as strings, lists as their items, the rest as blocks."""
        found: list[ItemContent] = []
        with self._depth.one_deeper():
            for node in self._dialect.siblings(nodes):
                content = self._block(node["t"], node.get("c"), where)
                # What stands at the top stands on the page that was open when it began.
                found += self.at_top(content) if where is Where.TOP else content
                if where is Where.TOP:
                    self._turn_to(self.inlines.page)
        return found

    def line(self, nodes: Sequence[Node]) -> str:
        """Return blocks on one line, as the cell of a table has them."""
        return on_one_line(self.content(nodes, Where.INSIDE))

    def verse(self, inlines: Sequence[Node]) -> str:
        """Return inline text with its line breaks."""
        return self.inlines.verse(inlines)

    def heading(self, text: str, level: int) -> Block:
        """Return a heading where it stands."""
        return Block(type=BlockType.HEADING, text=text, level=level, meta=self._place)

    def _block(self, kind: str, value: Any, where: Where) -> list[ItemContent]:  # noqa: ANN401, C901, PLR0911 - a flat dispatch over a node's own payload
        title, self._open_title = self._open_title, ""
        match kind:
            case "Para" | "Plain":
                return self._paragraph(value, title)
            case "Header":
                return self._header(value, where)
            case "BulletList":
                return [bullet_list(value, self._inside)]
            case "OrderedList":
                return [ordered_list(value, self._inside)]
            case "DefinitionList":
                return [definition_list(value, self._inside, self.inlines, self._dialect)]
            case "CodeBlock":
                return self._code(*value)
            case "BlockQuote":
                content = self.content(value, Where.QUOTE)
                return content if where is Where.INSIDE else list(self.at_top(content, BlockType.QUOTE))
            case "Table":
                block = table(value, self.line, first_row_is_header=self._dialect.first_row_is_header)
                return [replace(block, meta={**block.meta, **self._place})] if block else []
            case "Figure":
                return self._figure(value, where)
            case "Div":
                return self._div(value[0], value[1], where)
            case "LineBlock":
                lines = [self.inlines.text(line) for line in value]
                text = (" " if where is Where.INSIDE else "\n").join(line for line in lines if line)
                return [text] if text else []
            case "RawBlock":
                return self._split(list(self._dialect.raw(*value)))
        return []

    def _turn_to(self, page: int | None) -> None:
        if page is not None:
            self._place, self.inlines.page = {"page": page}, None

    def _inside(self, nodes: Sequence[Node]) -> list[ItemContent]:
        return self.content(nodes, Where.INSIDE)

    # Paragraphs and headings

    def _paragraph(self, inlines: Sequence[Node], title: str) -> list[ItemContent]:
        """Read a paragraph; one behind a heading may open with that heading's label."""
        if code := self._dialect.code_lines(inlines):
            return [Block(type=BlockType.CODE, text=code, meta=self._place)] if code.strip() else []
        if inlines and inlines[0]["t"] == "Span":
            attributes, inside = inlines[0]["c"]
            if title and attributes[0] and not inside and self._dialect.labels_follow_headings:
                self._titles.setdefault(attributes[0], title)
            self._turn_to(self._dialect.page(attributes, self.inlines.text(inside)))
        return self._split(self.inlines.parts(inlines))

    def _split(self, parts: Sequence[Part]) -> list[ItemContent]:
        found: list[ItemContent] = []
        open_parts: list[str] = []
        for part in [*parts, DisplayMath("")]:
            if isinstance(part, str):
                open_parts.append(part)
                continue
            text = prose("".join(open_parts))
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
        text, level = self._dialect.heading(self.inlines.text(inlines), level)
        label = label or self._dialect.identifier(text)
        if label and text:
            self._titles.setdefault(unmarked(label), text)
        self._open_title = text
        if not text:
            return []
        return [text] if where is not Where.TOP else [self.heading(text, level)]

    # Code, figures and groups

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
        meta: JsonObject = {"language": self._dialect.language(language).lower()} if language else {}
        block = Block(type=BlockType.CODE, text=text, meta={**meta, **self._place})
        return [caption, block] if caption else [block]

    def _figure(self, value: Any, where: Where) -> list[ItemContent]:  # noqa: ANN401 - a node's own payload
        (_, _, pairs), (_, caption_blocks), blocks = value
        caption = self.line(caption_blocks)
        content = self.content(blocks, where)
        if alt := cleaning.prose(dict(pairs).get("alt", "")):
            content = [f"[image: {alt}]", *content]
        if not caption:
            return content
        if len(content) == 1 and isinstance(content[0], Block) and content[0].type is BlockType.TABLE:
            return [with_caption(content[0], caption)]
        return [*(part for part in content if not _repeats(part, caption)), f"Figure: {caption}"]

    def _div(self, attributes: Any, blocks: Sequence[Node], where: Where) -> list[ItemContent]:  # noqa: ANN401
        classes: list[str] = attributes[1]
        if (page := self._dialect.page(attributes, "")) is not None:
            self._turn_to(page)
            return []
        own = self._dialect.div(classes, blocks, self)
        if own is not None:
            return own
        kind = next((name for name in classes if name in _ADMONITIONS), None)
        if kind is None:
            return self.content(blocks, where)
        title = ""
        if blocks and blocks[0]["t"] == "Div" and "title" in blocks[0]["c"][0][1]:
            title, blocks = self.line(blocks[0]["c"][1]), blocks[1:]
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

    # Notes and marks

    def _note_mark(self, blocks: Sequence[Node]) -> str:
        body = self.content(blocks, Where.INSIDE)
        mark = self._notes.take(body)
        if mark is None:
            text = on_one_line(body)
            mark = f" ({text})" if text else ""
        return mark

    def _resolved(self, block: Block) -> Block:
        if not is_marked(block.text):
            return block
        meta = {key: self._resolved_value(value) for key, value in block.meta.items()}
        line_break = "\n" if block.type in {BlockType.PARAGRAPH, BlockType.QUOTE} else " "
        return replace(block, text=self.finished_text(block.text, line_break), meta=meta)

    def _resolved_value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.finished_text(value)
        return [self._resolved_value(item) for item in value] if isinstance(value, list) else value


def _repeats(part: ItemContent, caption: str) -> bool:
    """True for an image whose alternative text is its caption, with the figure's number in front or without."""
    text = part.text if isinstance(part, Block) else part if isinstance(part, str) else ""
    return text.startswith("[image: ") and (text == f"[image: {caption}]" or text.endswith(f": {caption}]"))
