"""The port that runs readers away from this process."""

from dataclasses import dataclass
from typing import Protocol

from app.documents.block import ParsedDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The bytes of one document with what was said about them."""

    data: bytes
    format: str
    filename: str | None = None
    #: Charset that the request declared, or None.
    charset: str | None = None


class ReaderRunner(Protocol):
    """Reads a document where a hostile file can harm nobody."""

    async def read(self, source: Source) -> ParsedDocument:
        """Read a document within the limits of time and memory.

        Raises:
            BadInput: the reader refuses the document, or it took more than a document may.
        """
        ...
