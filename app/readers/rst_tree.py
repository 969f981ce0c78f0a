"""docutils' tree to blocks (readers design, section 12)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from docutils import nodes

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.list_tree import BULLET, Item, ItemContent, NestedList, defined, list_blocks, numbered
from app.readers.numerals import letters, roman
from app.readers.rst_entries import entry_name
from app.readers.rst_inline import InlineReader, alternative
from app.readers.rst_nodes import Admonition, Change, Described, Heading, Refused
from app.readers.tables import Cell, spread, table_block
from app.readers.text import read_text

_INVISIBLE = (
    nodes.comment,
    nodes.substitution_definition,
    nodes.transition,
    nodes.pending,
    nodes.label,
    nodes.footnote,
    nodes.citation,
)
_LISTS = (nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.field_list, nodes.option_list)
_SEVERE = 3
#: Columns between tab stops.
_TAB = 8
_LABELS = {"seealso": "See also"}
#: Fields that tell Sphinx about the file.
_FILE_FIELDS = frozenset({"orphan", "nocomments", "nosearch", "no-search", "tocdepth"})
_CLASSES = frozenset({"class", "exception", "struct", "union"})


class TreeReader:
    """Turns a document's nodes into blocks.

    Args:
        document: As it was parsed.
        source: What it was parsed from.
    """

    def __init__(self, document: nodes.document, source: str) -> None:
        self._lines = source.splitlines() if "\t" in source else []
        self._inline = InlineReader(document)
        #: Open entries, outermost first.
        self._entries: list[str] = []
        self._warnings: dict[str, None] = {}
        self._document = document
        self._readers: dict[type, Callable[[Any], Sequence[ItemContent]]] = {
            Heading: self._heading,
            nodes.literal_block: self._code,
            nodes.doctest_block: self._code,
            nodes.block_quote: self._quote,
            nodes.line_block: self._verse,
            nodes.table: self._table,
            nodes.image: self._image,
            nodes.system_message: self._message,
            Admonition: self._admonition,
            Change: self._change,
            Described: self._described,
            Refused: self._refused,
            nodes.target: self._paragraph,
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was read as plain text or left as it is, for people."""
        return (*self._warnings, *self._inline.warnings)

    def blocks(self) -> list[Block]:
        """Return the blocks: the document's, then its notes in the order of their first marks."""
        children: Sequence[nodes.Node] = self._document.children
        if children and isinstance(children[0], nodes.field_list):
            children = [*_without_file_fields(children[0]), *children[1:]]
        found = self._at_top(self._content(children))
        done = 0
        while done < len(self._inline.marks):
            for label in list(self._inline.marks)[done:]:
                found += self._note(label)
                done += 1
        for label in list(self._inline.notes):
            if label not in self._inline.marks:
                found += self._note(label)
        return found

    def _note(self, label: str) -> list[Block]:
        body = self._inline.notes.get(label)
        text = self._line(body.children) if body is not None else ""
        return [Block(type=BlockType.PARAGRAPH, text=f"[{label}] {text}")] if text else []

    # Blocks

    def _content(self, children: Iterable[nodes.Node]) -> list[ItemContent]:
        """Return what nodes hold: paragraphs as strings, lists, and other blocks."""
        content: list[ItemContent] = []
        for node in children:
            content += self._node(node)
        return content

    def _node(self, node: nodes.Node) -> Sequence[ItemContent]:
        if isinstance(node, nodes.paragraph):
            return self._paragraph(node)
        if isinstance(node, _INVISIBLE):
            return ()
        if isinstance(node, _LISTS):
            items = self._items(node)
            return (NestedList(tuple(items)),) if items else ()
        read = self._readers.get(type(node))
        if read is not None:
            return read(node)
        if isinstance(node, nodes.Element):
            return self._content(node.children)
        return (text,) if (text := cleaning.prose(self._inline.text(node))) else ()

    def _at_top(self, content: Sequence[ItemContent], kind: BlockType = BlockType.PARAGRAPH) -> list[Block]:
        """Return content as blocks where no list is open."""
        found: list[Block] = []
        for part in content:
            if isinstance(part, str):
                found.append(Block(type=kind, text=part))
            elif isinstance(part, NestedList):
                found += list_blocks(part.items)
            else:
                found.append(part)
        return found

    def _paragraph(self, node: nodes.Element) -> Sequence[ItemContent]:
        refused = [child for child in node.children if isinstance(child, Refused)]
        if refused:
            return [block for part in refused for block in self._refused(part)]
        text = cleaning.prose(self._inline.text(node))
        return (text,) if text else ()

    def _heading(self, node: nodes.Element) -> Sequence[ItemContent]:
        text = cleaning.prose(self._inline.text(node))
        return (Block(type=BlockType.HEADING, text=text, level=node["level"]),) if text else ()

    def _code(self, node: nodes.Element) -> Sequence[ItemContent]:
        text = self._inline.text(node)
        if self._lines and node.line:
            text = self._with_tabs(text, node.line - 1)
        text = cleaning.code(text)
        language = node.get("language")
        meta: JsonObject = {"language": language} if language else {}
        return (Block(type=BlockType.CODE, text=text, meta=meta),) if text else ()

    def _with_tabs(self, text: str, first: int) -> str:
        """Put the tabs back that the parser made spaces of, where its lines are the source's from `first` on."""
        lines = text.split("\n")
        return "\n".join(
            _tabbed(self._lines[first + at], line) if first + at < len(self._lines) else line
            for at, line in enumerate(lines)
        )

    def _quote(self, node: nodes.Element) -> Sequence[ItemContent]:
        attribution = next((child for child in node.children if isinstance(child, nodes.attribution)), None)
        content = self._content([child for child in node.children if child is not attribution])
        if attribution is not None and (name := cleaning.prose(self._inline.text(attribution))):
            if content and isinstance(content[-1], str):
                content[-1] = f"{content[-1]} — {name}"
            else:
                content.append(f"— {name}")
        return self._at_top(content, BlockType.QUOTE)

    def _verse(self, node: nodes.Element) -> Sequence[ItemContent]:
        lines = (cleaning.prose(self._inline.text(line)) for line in node.findall(nodes.line))
        text = "\n".join(filter(None, lines))
        return (Block(type=BlockType.PARAGRAPH, text=text),) if text else ()

    def _image(self, node: nodes.Element) -> Sequence[ItemContent]:
        text = cleaning.prose(alternative(node))
        return (text,) if text else ()

    def _admonition(self, node: nodes.Element) -> Sequence[ItemContent]:
        kind = node["kind"]
        content = self._content(node.children)
        self._prefix(content, _LABELS.get(kind, kind.capitalize()))
        return [replace(block, meta={**block.meta, "admonition": kind}) for block in self._at_top(content)]

    def _change(self, node: nodes.Element) -> Sequence[ItemContent]:
        content = self._content(node.children)
        if content:
            self._prefix(content, node["label"])
            return content
        return (node["label"],)

    def _prefix(self, content: list[ItemContent], label: str) -> None:
        if content and isinstance(content[0], str):
            content[0] = f"{label}: {content[0]}"
        elif content:
            content.insert(0, f"{label}:")

    def _message(self, node: nodes.Element) -> Sequence[ItemContent]:
        """Read what the parser refused as plain text; its other messages are for authors."""
        source = next((child for child in node.children if isinstance(child, nodes.literal_block)), None)
        if source is None or node["level"] < _SEVERE:
            return ()
        return self._plain(source.astext(), node.get("line"))

    def _refused(self, node: nodes.Element) -> Sequence[ItemContent]:
        return self._plain(node["text"], node["line"])

    def _plain(self, text: str, line: int | None) -> list[Block]:
        where = f" at line {line}" if line else ""
        self._warnings[f"The markup{where} could not be read; that part was read as plain text."] = None
        parsed = read_text(Source(data=text.encode(), format="text"))
        return [replace(block, start=None, end=None) for block in parsed.blocks]

    # Reference entries

    def _described(self, node: nodes.Element) -> Sequence[ItemContent]:
        found: list[ItemContent] = []
        outer = self._entries[-1] if self._entries else ""
        opened = full = ""
        for signature in node["signatures"]:
            text = cleaning.prose(signature)
            name = entry_name(text, node["kind"], node["domain"])
            separator = "::" if node["domain"] == "cpp" else "."
            full, called = name, text
            if outer and name and not name.startswith(outer + separator):
                full, called = f"{outer}{separator}{name}", text.replace(name, f"{outer}{separator}{name}", 1)
            opened = opened or (full if node["kind"] in _CLASSES else "")
            meta: JsonObject = {"entry": full, "signature": called} if full else {}
            found.append(Block(type=BlockType.PARAGRAPH, text=text, meta=meta))
        if opened:
            self._entries.append(opened)
        found += self._under(full, node.children)
        if opened:
            self._entries.pop()
        return found

    def _under(self, entry: str, children: Sequence[nodes.Node]) -> Iterator[ItemContent]:
        """Yield an entry's content; what follows an entry inside it says that it is the outer one's again."""
        inside = False
        for child in children:
            content = self._node(child)
            if inside and content and not isinstance(child, Described):
                first, *rest = self._at_top(content)
                content = [replace(first, meta={"entry": entry, **first.meta}), *rest]
            inside = isinstance(child, Described) or (inside and not content)
            yield from content

    # Lists

    def _items(self, node: nodes.Element) -> list[Item]:
        if isinstance(node, nodes.definition_list):
            return [item for child in node.children for item in self._definition(child)]
        if isinstance(node, nodes.field_list):
            return [
                self._item(defined([self._joined(child.children[0])]), child.children[1:]) for child in _elements(node)
            ]
        if isinstance(node, nodes.option_list):
            return [self._item(defined([_options(child.children[0])]), child.children[1:]) for child in _elements(node)]
        count = node.get("start", 1) - 1
        items: list[Item] = []
        for child in _elements(node):
            count += 1
            marker = BULLET if isinstance(node, nodes.bullet_list) else numbered(_number(count, node["enumtype"]))
            items.append(self._item(marker, child.children))
        return items

    def _item(self, marker: str, children: Sequence[nodes.Node]) -> Item:
        if marker == defined([""]):
            marker = BULLET
        return Item(marker, tuple(self._content(children)))

    def _definition(self, node: nodes.Node) -> Iterator[Item]:
        terms: list[str] = []
        bodies: list[nodes.Node] = []
        for child in node.children:
            if isinstance(child, nodes.term):
                terms.append(self._joined(child))
            elif isinstance(child, nodes.classifier) and terms:
                terms[-1] += f" ({self._joined(child)})"
            else:
                bodies.append(child)
        if any(terms):
            yield self._item(defined([term for term in terms if term]), bodies)

    def _joined(self, node: nodes.Node) -> str:
        return cleaning.prose(self._inline.text(node))

    # Tables

    def _table(self, node: nodes.Element) -> Sequence[ItemContent]:
        caption, header, body = "", list[list[Cell]](), list[list[Cell]]()
        for child in node.children:
            if isinstance(child, nodes.title):
                caption = self._joined(child)
        for group in node.findall(nodes.tgroup):
            if group.parent is not node:
                continue
            for part in group.children:
                rows = header if isinstance(part, nodes.thead) else body
                if isinstance(part, nodes.thead | nodes.tbody):
                    rows += [[self._cell(entry) for entry in row.children] for row in part.children]
        block = table_block(caption=caption, header=spread(header), rows=spread(body))
        return () if block is None else (block,)

    def _cell(self, entry: nodes.Node) -> Cell:
        element = entry if isinstance(entry, nodes.Element) else nodes.entry()
        text = self._line(element.children)
        return Cell(text, columns=element.get("morecols", 0) + 1, rows=element.get("morerows", 0) + 1)

    def _line(self, children: Sequence[nodes.Node]) -> str:
        """Return content as one line: items joined by `; `, rows of nested tables too."""
        return " ".join(filter(None, (_flat(part) for part in self._content(children))))


def _number(count: int, kind: str) -> str:
    shown = letters(count) if kind.endswith("alpha") else roman(count) if kind.endswith("roman") else str(count)
    return shown.upper() if kind.startswith("upper") else shown


def _options(group: nodes.Node) -> str:
    return ", ".join("".join(part.astext() for part in option.children) for option in group.children)


def _elements(node: nodes.Element) -> Iterator[nodes.Element]:
    return (child for child in node.children if isinstance(child, nodes.Element) and child.children)


def _without_file_fields(fields: nodes.Element) -> list[nodes.Node]:
    kept = [field for field in fields.children if field.children[0].astext().lower() not in _FILE_FIELDS]
    return [nodes.field_list("", *kept)] if kept else []


def _flat(part: ItemContent) -> str:
    """Return a part of a cell or note as text on one line."""
    if isinstance(part, str):
        return part
    if isinstance(part, NestedList):
        return "; ".join(filter(None, (_flat_item(item) for item in part.items)))
    if part.type is BlockType.TABLE:
        rows = [part.meta["header"], *part.meta["rows"]]  # type: ignore[misc]  # a table's own grid
        return "; ".join(", ".join(cell for cell in row if cell) for row in rows if any(row))
    return cleaning.prose(part.text)


def _flat_item(item: Item) -> str:
    term = item.marker.removeprefix(BULLET) if item.marker.endswith(": ") else ""
    return term + " ".join(filter(None, (_flat(part) for part in item.content)))


def _tabbed(written: str, expanded: str) -> str:
    """Return the end of a line as it was written, given what it reads as with tabs expanded."""
    if "\t" not in written or not expanded:
        return expanded
    whole = written.expandtabs(_TAB).rstrip()
    cut = len(whole) - len(expanded)
    if cut < 0 or not whole.endswith(expanded):
        return expanded
    column = 0
    for at, character in enumerate(written):
        if column >= cut:
            return " " * (column - cut) + written[at:].rstrip()
        column += _TAB - column % _TAB if character == "\t" else 1
    return expanded
