"""Blocks: what a reader turns a document into (readers design, section 1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain

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
    #: What the reader counted, for the document's data: `conversation` of a chat log.
    data: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One of many conversations of an export, to be a document of its own."""

    #: As the export names it: unique in it, and the last part of its document's id.
    id: str
    document: ParsedDocument
    #: What the export tells beside the messages: times as written.
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedExport:
    """What a reader returns for an export of several conversations that are to be split."""

    conversations: tuple[Conversation, ...]
    #: Name of the encoding that the bytes were read with.
    encoding: str | None = None
    #: What was replaced, skipped or dropped in the whole: for people, in full sentences.
    warnings: tuple[str, ...] = ()

    def joined(self) -> ParsedDocument:
        """Return the conversations as one document, one behind the other."""
        told = [conversation.document for conversation in self.conversations]
        return ParsedDocument(
            blocks=tuple(chain.from_iterable(document.blocks for document in told)),
            encoding=self.encoding,
            warnings=(*self.warnings, *chain.from_iterable(document.warnings for document in told)),
        )
