"""Stored documents and their units."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, AnyJson
from app.documents.document import DocumentSummary, LinkType, UnitHit, UnitKind
from app.documents.profile import DetectedBy, Profile


class DocumentEntry(Answer):
    """A document as lists show it."""

    id: str
    collection: str
    version: int
    title: str
    format: str
    profile: Profile
    language: str | None
    units: int
    metadata: dict[str, AnyJson]
    created_at: datetime
    updated_at: datetime

    @classmethod
    def from_domain(cls, summary: DocumentSummary) -> "DocumentEntry":
        """Show a document in a list."""
        return cls(
            id=summary.id,
            collection=summary.collection,
            version=summary.version,
            title=summary.title,
            format=summary.format,
            profile=summary.profile,
            language=summary.language,
            units=summary.units,
            metadata=dict(summary.metadata),
            created_at=summary.created_at,
            updated_at=summary.updated_at,
        )


class DocumentPage(Answer):
    """Documents of a collection, ordered by id."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "documents": [
                        {
                            "id": "returns-policy",
                            "collection": "default",
                            "version": 1,
                            "title": "Returns policy",
                            "format": "markdown",
                            "profile": "normative",
                            "language": "en",
                            "units": 14,
                            "metadata": {},
                            "created_at": "2026-11-30T09:00:00Z",
                            "updated_at": "2026-11-30T09:00:01Z",
                        }
                    ],
                    "next_cursor": None,
                }
            ]
        }
    )

    documents: list[DocumentEntry]
    next_cursor: str | None

    @classmethod
    def from_domain(cls, documents: Sequence[DocumentSummary], next_cursor: str | None) -> "DocumentPage":
        """Show a page of documents."""
        return cls(documents=[DocumentEntry.from_domain(document) for document in documents], next_cursor=next_cursor)


class UnitEntry(Answer):
    """A unit to embed, with where it stands."""

    document: str
    version: int
    id: str
    kind: UnitKind
    text: str
    path: list[str]
    meta: dict[str, AnyJson]
    start: Annotated[int | None, Field(description="Code point of the normalized source where its own text starts.")]
    end: int | None

    @classmethod
    def from_domain(cls, hit: UnitHit) -> "UnitEntry":
        """Show a unit."""
        unit = hit.unit
        return cls(
            document=hit.document,
            version=hit.version,
            id=unit.id,
            kind=unit.kind,
            text=unit.text,
            path=list(unit.path),
            meta=dict(unit.meta),
            start=unit.start,
            end=unit.end,
        )


class UnitPage(Answer):
    """Units of a document, in its order."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "units": [
                        {
                            "document": "returns-policy",
                            "version": 1,
                            "id": "p1",
                            "kind": "passage",
                            "text": "[Returns > Refunds]\n\nA refund is paid within 14 days of the return.",
                            "path": ["Returns", "Refunds"],
                            "meta": {"blocks": [2]},
                            "start": 23,
                            "end": 70,
                        }
                    ],
                    "next_cursor": None,
                }
            ]
        }
    )

    units: list[UnitEntry]
    next_cursor: str | None

    @classmethod
    def from_domain(cls, units: Sequence[UnitHit], next_cursor: str | None) -> "UnitPage":
        """Show a page of units."""
        return cls(units=[UnitEntry.from_domain(unit) for unit in units], next_cursor=next_cursor)


class Format2Detected(Answer):
    """Who chose the profile, and how sure they were."""

    profile: Profile
    score: float | None
    by: DetectedBy


class Format2Unit(Answer):
    """A unit of a document."""

    id: str
    kind: UnitKind
    text: str
    path: Annotated[list[str], Field(default_factory=list, description="Left out when empty.")]
    meta: Annotated[dict[str, AnyJson], Field(default_factory=dict, description="Left out when empty.")]


class Format2Link(Answer):
    """A link from one unit to another."""

    type: LinkType
    from_: Annotated[str, Field(alias="from")]
    to: str


class Format2Lexical(Answer):
    """Exact terms of the units: how long each is, and how often each term stands in it."""

    length: dict[str, int]
    terms: dict[str, dict[str, int]]


class Format2Document(Answer):
    """A whole document as it is stored and exchanged (documents design, format 2). Built by `app.documents.format2`."""

    model_config = ConfigDict(
        json_schema_mode_override="validation",
        json_schema_extra={
            "examples": [
                {
                    "format": 2,
                    "id": "returns-policy",
                    "profile": "normative",
                    "detected": {"profile": "normative", "score": 0.91, "by": "offline"},
                    "units": [
                        {
                            "id": "p1",
                            "kind": "passage",
                            "text": "[Fees]\n\nfee",
                            "path": ["Fees"],
                            "meta": {"blocks": [1], "profile": "normative"},
                        }
                    ],
                    "links": [],
                    "lexical": {"length": {"p1": 3}, "terms": {"fee": {"p1": 1}, "fees": {"p1": 2}}},
                    "data": {
                        "outline": [{"block": 0, "title": "Fees", "level": 1}],
                        "sections": {"Fees": "normative"},
                    },
                }
            ]
        },
    )

    format: Literal[2]
    id: str
    profile: Profile
    detected: Format2Detected | None
    units: list[Format2Unit]
    links: list[Format2Link]
    lexical: Format2Lexical
    data: dict[str, AnyJson]
