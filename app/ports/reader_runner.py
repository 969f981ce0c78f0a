"""The port that runs readers away from this process."""

from dataclasses import dataclass, field
from typing import Protocol

from app.documents.markup import Parsed, SubtreeSizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The bytes of one document with what was said about them."""

    data: bytes
    format: str
    filename: str | None = None
    #: Charset that the request declared, or None.
    charset: str | None = None
    #: Whether names in front of paragraphs tell who speaks, where the format doesn't.
    infer_speakers: bool = True
    #: Whether the caller named the format; a JSON file that nobody named may be a chat log.
    declared: bool = True
    #: Of chat logs: one document for each conversation of an export, and withdrawn branches under their own headings.
    split_conversations: bool = False
    include_branches: bool = False
    #: How data files are cut.
    subtrees: SubtreeSizes = field(default_factory=SubtreeSizes)


class ReaderRunner(Protocol):
    """Reads a document where a hostile file can harm nobody."""

    async def read(self, source: Source) -> Parsed:
        """Read a document within the limits of time and memory.

        Raises:
            BadInput: the reader refuses the document, or it took more than a document may.
        """
        ...
