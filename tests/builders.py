"""Values with defaults, for tests that care about one or two of their fields."""

from collections.abc import Sequence
from datetime import UTC, datetime

from app.documents.document import Document, Link, LinkType, Unit, UnitHit, UnitKind
from app.documents.profile import Detected, DetectedBy, Profile
from app.documents.values import JsonValue

#: When everything in a test happened.
A_MOMENT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def a_unit(
    text: str = "A late fee of 2 % is charged.",
    *,
    id: str = "p1",  # noqa: A002 - the unit's own name for it
    path: tuple[str, ...] = (),
    profile: Profile | None = Profile.GUIDANCE,
    page: int | None = None,
    start: int | None = None,
    end: int | None = None,
) -> Unit:
    """A passage whose text opens with its path, as ingestion makes it."""
    meta = {"blocks": [0], "profile": profile, "page": page}
    return Unit(
        id=id,
        kind=UnitKind.PASSAGE,
        text=f"[{' > '.join(path)}]\n\n{text}" if path else text,
        path=path,
        meta={name: value for name, value in meta.items() if value is not None},
        start=start,
        end=end,
    )


def an_entry(
    name: str,
    text: str = "",
    *,
    id: str = "e1",  # noqa: A002 - the unit's own name for it
    path: tuple[str, ...] = (),
    **fields: JsonValue,
) -> Unit:
    """An entry of a reference document, with its name on the first line of its text."""
    own = "\n".join(part for part in (name, text) if part)
    return Unit(
        id=id,
        kind=UnitKind.ENTRY,
        text=f"[{' > '.join(path)}]\n\n{own}" if path else own,
        path=path,
        meta={"blocks": [0], "profile": Profile.REFERENCE, "name": name, "fields": fields, "row": False},
    )


def a_hit(
    unit: Unit | str = "A late fee of 2 % is charged.",
    *,
    document: str = "terms",
    ordinal: int = 0,
    score: float = 1.0,
    language: str | None = None,
    collection: str = "default",
    document_key: int = 1,
    title: str = "Terms",
) -> UnitHit:
    """A unit that a search found; given a text, unit `p1`, `p2`… by its ordinal."""
    return UnitHit(
        collection=collection,
        document=document,
        document_key=document_key,
        version=1,
        ordinal=ordinal,
        unit=a_unit(unit, id=f"p{ordinal + 1}") if isinstance(unit, str) else unit,
        title=title,
        language=language,
        updated_at=A_MOMENT,
        score=score,
    )


def a_document(
    *texts: str,
    id: str = "terms",  # noqa: A002 - the document's own name for it
    units: Sequence[Unit] | None = None,
    needs: Sequence[tuple[str, str]] = (),
    profile: Profile = Profile.GUIDANCE,
    title: str = "Terms",
    language: str | None = None,
) -> Document:
    """A document with a passage per text, or with the units given, and its `needs` links by unit id."""
    if units is None:
        units = [a_unit(text, id=f"p{number}") for number, text in enumerate(texts or ("Pay in time.",), start=1)]
    return Document(
        id=id,
        profile=profile,
        detected=Detected(profile=profile, score=None, by=DetectedBy.CALLER),
        units=tuple(units),
        links=tuple(Link(type=LinkType.NEEDS, source=source, target=target) for source, target in needs),
        title=title,
        format="markdown",
        language=language,
    )
