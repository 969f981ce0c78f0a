"""How the tests of readers read, and how they write down what they expect."""

from app.documents.block import Block, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks


def parsed(text: str | bytes, format_name: str, charset: str | None = None) -> ParsedDocument:
    data = text if isinstance(text, bytes) else text.encode()
    return read_blocks(Source(data=data, format=format_name, charset=charset))


def line(block: Block) -> str:
    """A block in the notation of the readers design: `h2 | text`, `p | text`, `list | text`."""
    kind = {"heading": f"h{block.level}", "paragraph": "p"}.get(block.type.value, block.type.value)
    return f"{kind} | {block.text}"


def lines(text: str | bytes, format_name: str) -> list[str]:
    return [line(block) for block in parsed(text, format_name).blocks]


def slices(document: ParsedDocument) -> list[str | None]:
    """What each block was cut out of, or None where a block has no place in the source."""
    source = document.source or ""
    return [None if block.start is None else source[block.start : block.end] for block in document.blocks]
