"""Blocks: what a reader turns a document into (readers design, section 1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.documents.values import JsonValue


class BlockType(StrEnum):
    """The six kinds of block that readers know."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    QUOTE = "quote"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One heading, paragraph, list, quote, table or code block, in reading order."""

    type: BlockType
    #: What a person reading the rendered document sees; never blank.
    text: str
    #: 1 is the top. Set on headings only.
    level: int | None = None
    meta: Mapping[str, JsonValue] = field(default_factory=dict)
    #: Code-point offsets into the normalized source, end excluded. Both or neither; the slice holds the marks too.
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDocument:
    """What a reader returns for one document: its blocks, and what it learned beside them."""

    blocks: tuple[Block, ...]
    #: The normalized source that offsets count in; None where the format has no source text.
    source: str | None = None
    #: Where the text begins in it, behind front matter.
    body_start: int = 0
    title: str | None = None
    #: BCP 47 tag as the document declares it, or None.
    language: str | None = None
    #: Name of the encoding that the bytes were read with.
    encoding: str | None = None
    #: What was replaced, dropped at a limit or read as plain text: for people, in full sentences.
    warnings: tuple[str, ...] = ()
