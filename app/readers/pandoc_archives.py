"""Reads packages by Pandoc's tree (readers design, section 13)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, BlockType, ParsedDocument
from app.errors import MalformedDocument, ReaderLimit
from app.ports.reader_runner import Source
from app.readers.pandoc import Allowance, Refused, run_pandoc
from app.readers.pandoc_dialect import Dialect
from app.readers.pandoc_document import front_of, with_front
from app.readers.pandoc_marks import Literals
from app.readers.pandoc_packages import inspect
from app.readers.pandoc_tree import TreeReader


@dataclass(frozen=True, slots=True)
class PandocPackage:
    """A format of packages, by what it has of its own."""

    format: str
    name: str
    #: The member that holds its properties, and the one that it is not read without.
    properties: str
    main: str
    dialect: type[Dialect]
    #: Puts the package into a form that Pandoc reads right; returns it, and the title that stands in the text.
    prepare: Callable[[bytes, Literals], tuple[bytes, str]] = lambda data, _: (data, "")

    def read(self, source: Source) -> ParsedDocument:
        """Read a package into blocks.

        Raises:
            MalformedDocument: it is damaged or encrypted, or not what it says it is.
            TooLarge: it would unpack to more than a document may.
            TooDeep: elements are nested over 256 levels deep.
            ReaderLimit: it takes too much time or memory.
        """
        properties = inspect(source.data, self.name, self.properties, self.main)
        size = max(properties.text_size, len(source.data))
        literals = Literals()
        reader = TreeReader(self.dialect(), literals)
        data, shown_title = self.prepare(source.data, literals)
        try:
            tree = run_pandoc(self.format, data, Allowance.of(size), size=size)
            blocks = reader.read(tree)
            front = front_of(tree, reader)
            front = replace(front, title=shown_title or front.title)
        except Refused as refused:
            if refused.at_limit:
                raise ReaderLimit(f"The {self.name} document could not be read, because {refused}.") from None
            raise MalformedDocument(f"The {self.name} document could not be read, because {refused}.") from None
        blocks = with_front(front, reader.finish(blocks), reader)
        title = front.title or properties.title
        return ParsedDocument(
            blocks=tuple(blocks if front.title else under_title(title, blocks)),
            title=title or None,
            language=front.language or properties.language,
        )


def under_title(title: str, blocks: Sequence[Block]) -> list[Block]:
    """Return blocks under the title that the package's properties give, where they say it or lack a top heading."""
    has_top = any(block.level == 1 for block in blocks[1:])
    if title and blocks and blocks[0].text == title and blocks[0].level != 1:
        down = 1 if has_top else 0
        rest = (replace(block, level=block.level + down) if block.level is not None else block for block in blocks[1:])
        return [replace(blocks[0], type=BlockType.HEADING, level=1), *rest]
    if title and blocks and not has_top and blocks[0].level != 1:
        return [Block(type=BlockType.HEADING, text=title, level=1), *blocks]
    return list(blocks)
