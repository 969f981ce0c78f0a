"""Markdown to blocks (readers design, section 7)."""

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.code_points import CodePoints
from app.readers.decoding import Decoded, decode
from app.readers.front_matter import FrontMatter, read_front_matter
from app.readers.markdown_builder import Builder
from app.readers.markdown_events import events
from app.readers.markdown_masks import Masked, mask
from app.readers.reader import Reader


def read_markdown(source: Source) -> ParsedDocument:
    """Read Markdown into blocks. Every text is Markdown: nothing is refused."""
    decoded = decode(source.data, source.charset)
    front = read_front_matter(decoded.text)
    return parsed(decoded, front, markdown_blocks(decoded.text, front.length))


def parsed(decoded: Decoded, front: FrontMatter, blocks: list[Block]) -> ParsedDocument:
    """Return a document with its title in front where no heading of level 1 says it."""
    title = cleaning.prose(front.title or "")
    if title and not any(block.type is BlockType.HEADING and block.level == 1 for block in blocks):
        blocks.insert(0, Block(type=BlockType.HEADING, text=title, level=1))
    return ParsedDocument(
        blocks=tuple(blocks),
        source=decoded.text,
        title=title or None,
        body_start=front.length,
        language=front.language,
        encoding=decoded.encoding,
        warnings=decoded.warnings,
    )


def markdown_blocks(text: str, skipped: int = 0) -> list[Block]:
    """Read Markdown without front matter.

    Args:
        text: The normalized source that offsets count in.
        skipped: How many characters at its start are no Markdown.
    """
    body = text[skipped:]
    return masked_blocks(mask(body), body, skipped)


def masked_blocks(masked: Masked, body: str, base: int) -> list[Block]:
    """Read masked Markdown.

    Args:
        masked: What the parser should see of it.
        body: What was masked; byte for byte as long.
        base: Offset of the body in the source.
    """
    # Masked bytes are as many, but maybe other characters.
    data = masked.data if len(masked.text) == len(body) else body.encode()
    builder = Builder(masked, CodePoints(data, base), asides="^[" in body)
    builder.feed(events(masked.text, masked.data))
    return builder.finish()


READER = Reader(
    format="markdown",
    extensions=("md", "markdown", "mkd", "mdown", "qmd", "rmd"),
    media_types=("text/markdown", "text/x-markdown"),
    read=read_markdown,
)
