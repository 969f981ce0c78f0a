"""The document as it is stored: units, links and what was found out about it (documents design, format 2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.documents.profile import Detected, Profile
from app.documents.values import JsonValue


class UnitKind(StrEnum):
    """What a unit is. Ids start with the kind's letter: `p1` for the first passage."""

    PASSAGE = "passage"
    ENTRY = "entry"
    SUBTREE = "subtree"
    #: What somebody said, or a tool call.
    MESSAGE = "message"
    #: What belongs to a message: a tool's result, reasoning, media. Its id starts with `a`.
    OUTPUT = "output"


class LinkType(StrEnum):
    """Why one unit points at another."""

    #: To the passage before, without which it misleads.
    NEEDS = "needs"
    #: To a numbered part or a heading that it names.
    REFERS_TO = "refers_to"
    #: To the passage that defines a term it uses.
    DEFINED_BY = "defined_by"
    #: Between pieces of a data file.
    REF = "ref"
    #: To the turn that this one answers.
    REPLY_TO = "reply_to"
    #: To the message or call that this output belongs to.
    OUTPUT_OF = "output_of"
    #: To the message that this outcome settles.
    DECIDES = "decides"
    #: To the message whose fact or figure this one corrects.
    CORRECTS = "corrects"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What is searched and returned: one passage of a document, or one subtree of a data file."""

    #: Unique in its document, stable while the text stays the same (ruling 15).
    id: str
    kind: UnitKind
    #: Heading path in brackets, a blank line, overlap if any, and the body. A subtree has one line with title and path
    #: before its body.
    text: str
    path: tuple[str, ...] = ()
    meta: Mapping[str, JsonValue] = field(default_factory=dict)
    #: Code-point span of the unit's own text in the normalized source, where known.
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link from one unit to another of the same document, by unit id."""

    type: LinkType
    source: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that has been read, cut, profiled and linked: what ingestion hands to the store."""

    id: str
    profile: Profile
    detected: Detected | None
    units: tuple[Unit, ...]
    links: tuple[Link, ...]
    #: Profile data: the outline, and the profile of each section by its title.
    data: Mapping[str, JsonValue] = field(default_factory=dict)
    title: str
    format: str
    language: str | None = None
    encoding: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A live document with what the store knows of it."""

    document: Document
    collection: str
    #: Counts accepted ingestions of this id, from 1.
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    """A live document as lists show it."""

    id: str
    collection: str
    version: int
    title: str
    format: str
    profile: Profile
    language: str | None
    units: int
    metadata: Mapping[str, JsonValue]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitHit:
    """A live unit with where it stands, and its score when a search found it."""

    collection: str
    document: str
    #: The store's own key of the document: ties are ordered by it (documents design, "Search").
    document_key: int
    version: int
    #: Position of the unit in its document, from 0.
    ordinal: int
    unit: Unit
    title: str
    language: str | None
    updated_at: datetime
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """A position in a list: opaque to callers, made by the store."""

    cursor: str | None
    limit: int
