"""reStructuredText to blocks (readers design, section 12)."""

from app.documents.block import ParsedDocument
from app.ports.reader_runner import Source
from app.readers.decoding import decode
from app.readers.reader import Reader
from app.readers.rst_directives import run_directive
from app.readers.rst_parser import parse
from app.readers.rst_tree import TreeReader


def read_rst(source: Source) -> ParsedDocument:
    """Read reStructuredText into blocks. Every text is accepted: what is not well formed is read as plain text.

    Raises:
        TooDeep: nested beyond what the parser can take (from `registry.read`).
    """
    decoded = decode(source.data, source.charset)
    reader = TreeReader(parse(decoded.text, run_directive), decoded.text)
    blocks = reader.blocks()
    return ParsedDocument(
        blocks=tuple(blocks), encoding=decoded.encoding, warnings=(*decoded.warnings, *reader.warnings)
    )


READER = Reader(
    format="rst",
    extensions=("rst", "rest"),
    media_types=("text/x-rst", "text/prs.fallenstein.rst"),
    read=read_rst,
)
