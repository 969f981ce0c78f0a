"""What a data file is read into: subtrees with the references between them (markup design, section 1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from app.documents.block import ParsedDocument, ParsedExport
from app.documents.values import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeSizes:
    """How large subtrees may get, in tokens as the markup design counts them (its section 2)."""

    #: A subtree up to this size is one unit.
    most: int = 450
    #: A child up to this size stays in its parent's unit.
    small: int = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtree:
    """A piece of a data file: a whole subtree, the lines of a node that its children leave over, or a part of them."""

    #: Where it stands, for people: `paths > /emails > post`, or `(top level)`.
    label: str
    path: tuple[str, ...]
    #: Its lines, without their common indent.
    text: str
    #: `path`, `lines`, and `part`, `external`, `document` and `escapes` (the text has backslashes to be read) where
    #: they apply.
    meta: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedMarkup:
    """What a reader returns for a data file."""

    subtrees: tuple[Subtree, ...]
    #: References from subtree to subtree, by position, ascending.
    links: tuple[tuple[int, int], ...] = ()
    #: What was learned about the whole: `format`, `layout`, and `documents`, `external` and `lenient` where they apply.
    data: Mapping[str, JsonValue] = field(default_factory=dict)
    #: Name of the encoding that the bytes were read with.
    encoding: str | None = None
    #: What was replaced or dropped: for people, in full sentences.
    warnings: tuple[str, ...] = ()


#: What reading a document gives: blocks for prose, subtrees for data, documents for an export of conversations.
Parsed: TypeAlias = ParsedDocument | ParsedMarkup | ParsedExport
