"""Rows as values, and the columns that they need."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping

from app.documents.document import Document, DocumentSummary, Link, LinkType, StoredDocument, Unit, UnitHit, UnitKind
from app.documents.profile import Detected, DetectedBy, Profile

#: Columns of `units u`.
UNIT_COLUMNS = "u.ordinal, u.id, u.kind, u.text, u.path, u.meta, u.start_offset, u.end_offset"
#: Columns of `units u` with those of its document `documents d`.
HIT_COLUMNS = (
    UNIT_COLUMNS
    + ", d.id AS document, d.key AS document_key, d.live_version AS version, d.title, d.language, d.updated_at"
)


def to_unit(row: RowMapping) -> Unit:
    """Return the unit of a row with `UNIT_COLUMNS`."""
    return Unit(
        id=row["id"],
        kind=UnitKind(row["kind"]),
        text=row["text"],
        path=tuple(row["path"]),
        meta=row["meta"],
        start=row["start_offset"],
        end=row["end_offset"],
    )


def to_hit(row: RowMapping, collection: str, score: float = 0.0) -> UnitHit:
    """Return the unit of a row with `HIT_COLUMNS`, and where it stands."""
    return UnitHit(
        collection=collection,
        document=row["document"],
        document_key=row["document_key"],
        version=row["version"],
        ordinal=row["ordinal"],
        unit=to_unit(row),
        title=row["title"],
        language=row["language"],
        updated_at=row["updated_at"],
        score=score,
    )


def to_document(row: RowMapping, units: tuple[Unit, ...], links: tuple[Link, ...], collection: str) -> StoredDocument:
    """Return the document of a row of `documents`."""
    document = Document(
        id=row["id"],
        profile=Profile(row["profile"]),
        detected=_to_detected(row["detected"]),
        units=units,
        links=links,
        data=row["data"],
        title=row["title"],
        format=row["format"],
        language=row["language"],
        encoding=row["encoding"],
        metadata=row["metadata"],
    )
    return StoredDocument(
        document=document,
        collection=collection,
        version=row["live_version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def to_summary(row: RowMapping, collection: str) -> DocumentSummary:
    """Return a row of `documents` as lists show it."""
    return DocumentSummary(
        id=row["id"],
        collection=collection,
        version=row["live_version"],
        title=row["title"],
        format=row["format"],
        profile=Profile(row["profile"]),
        language=row["language"],
        units=row["unit_count"],
        metadata=row["metadata"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def to_link(row: RowMapping, units: tuple[Unit, ...]) -> Link:
    """Return the link of a row of `links`, between units in document order."""
    return Link(
        type=LinkType(row["type"]), source=units[row["source_ordinal"]].id, target=units[row["target_ordinal"]].id
    )


def from_detected(detected: Detected | None) -> dict[str, Any] | None:
    """Return a found profile as its column holds it."""
    if detected is None:
        return None
    return {"profile": detected.profile.value, "score": detected.score, "by": detected.by.value}


def _to_detected(value: Mapping[str, Any] | None) -> Detected | None:
    if value is None:
        return None
    return Detected(profile=Profile(value["profile"]), score=value["score"], by=DetectedBy(value["by"]))
