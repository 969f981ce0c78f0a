"""What a document's metadata puts in front of its blocks (readers design, section 13, last row)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, BlockType
from app.readers.pandoc import Tree
from app.readers.pandoc_dialect import Node, Where
from app.readers.pandoc_tree import TreeReader


@dataclass(frozen=True, slots=True)
class Front:
    """Title, subtitle and abstract; false when there is nothing of it."""

    title: str = ""
    #: Subtitle and abstract as paragraphs.
    blocks: tuple[Block, ...] = ()
    language: str | None = None

    def __bool__(self) -> bool:
        return bool(self.title or self.blocks or self.language)


def front_of(tree: Tree, reader: TreeReader) -> Front:
    """Return what a tree's metadata says."""
    subtitle = reader.content(_metadata_blocks(tree.meta.get("subtitle")), Where.QUOTE)
    abstract = reader.content(_metadata_blocks(tree.meta.get("abstract")), Where.QUOTE)
    return Front(
        title=reader.inlines.text(_metadata_inlines(tree.meta.get("title"))),
        blocks=tuple(reader.at_top([*subtitle, *abstract])),
        language=reader.inlines.text(_metadata_inlines(tree.meta.get("lang") or tree.meta.get("language"))) or None,
    )


def with_front(front: Front, blocks: Sequence[Block], reader: TreeReader) -> list[Block]:
    """Return blocks behind their title, which is heading 1, all other headings one level down."""
    if not front.title:
        return [*front.blocks, *blocks]
    title = Block(type=BlockType.HEADING, text=reader.finished_text(front.title), level=1)
    return [title, *front.blocks, *(_one_down(block) for block in blocks)]


def _one_down(block: Block) -> Block:
    return replace(block, level=block.level + 1) if block.level is not None else block


def _metadata_inlines(value: Node | None) -> Sequence[Node]:
    """Return the inline text of a metadata field; of several paragraphs the first."""
    match value:
        case {"t": "MetaInlines", "c": inlines}:
            return list(inlines)
        case {"t": "MetaString", "c": text}:
            return [{"t": "Str", "c": text}]
        case {"t": "MetaBlocks", "c": [{"t": "Para" | "Plain", "c": inlines}, *_]}:
            return list(inlines)
        case {"t": "MetaList", "c": [first, *_]}:
            return _metadata_inlines(first)
    return []


def _metadata_blocks(value: Node | None) -> Sequence[Node]:
    """Return a metadata field as blocks."""
    if value is not None and value["t"] == "MetaBlocks":
        return list(value["c"])
    inlines = _metadata_inlines(value)
    return [{"t": "Para", "c": inlines}] if inlines else []
