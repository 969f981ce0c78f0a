"""How documents grow: by appending, by a longer copy of the same log, and by exports of many conversations.

Values that pass between the operations and the store (conversations design, sections d and f.21).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.documents.document import Document, Link, StoredDocument, Unit
from app.documents.values import JsonValue


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a log that were read: how many, and their SHA-256 in hex.

    A log read in several goes has as many pieces, so that a longer copy of it is known again.
    """

    size: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How a stored document came to be."""

    #: Config keys that its caller set.
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    #: The profile that its caller named.
    profile: str | None = None
    #: Of the build that ingested it.
    ingestion_version: str = ""
    #: Of a log in JSON Lines: what was read of it, from its start. Empty when a longer copy would not be known again.
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Growing:
    """A live document as whatever is added to it finds it."""

    stored: StoredDocument
    #: The highest number ever used in its unit ids, per counter (ruling 15).
    highest: Mapping[str, int]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What is added to a document. What is stored of it stays as it is, but for what is given here whole."""

    #: The version that it was made for.
    base: int
    #: With their final ids.
    units: tuple[Unit, ...]
    #: From new units, to new or stored ones.
    links: tuple[Link, ...]
    #: Of the whole document, as are those that follow.
    data: Mapping[str, JsonValue]
    highest: Mapping[str, int]
    pieces: tuple[Piece, ...]
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """One conversation of an export, ready to be stored as a document."""

    document: Document
    #: What it was made of: equal ones make equal documents.
    fingerprint: bytes
    origin: Origin


@dataclass(frozen=True, slots=True)
class KeptPart:
    """A document that is there as an export would make it."""

    #: The version of the export that brought it last before.
    made_by: int
    units: int
