"""MDX to blocks (readers design, section 8)."""

from app.documents.block import ParsedDocument
from app.ports.reader_runner import Source
from app.readers.decoding import decode
from app.readers.front_matter import read_front_matter
from app.readers.markdown import masked_blocks, parsed
from app.readers.mdx_masks import mask_mdx
from app.readers.reader import Reader


def read_mdx(source: Source) -> ParsedDocument:
    """Read MDX into blocks: what is no Markdown is masked first. Nothing is refused, and nothing is run."""
    decoded = decode(source.data, source.charset)
    front = read_front_matter(decoded.text)
    masked, body = mask_mdx(decoded.text[front.length :])
    return parsed(decoded, front, masked_blocks(masked, body, front.length))


READER = Reader(format="mdx", extensions=("mdx",), media_types=("text/mdx",), read=read_mdx)
