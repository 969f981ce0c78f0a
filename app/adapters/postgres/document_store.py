"""Documents, units and links in PostgreSQL (documents design, "What the store promises")."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres import conversation_lookup, cursors, export_parts
from app.adapters.postgres.appending import append
from app.adapters.postgres.endings import to_origin
from app.adapters.postgres.engine import snapshot, transaction
from app.adapters.postgres.entry_lookup import entries_named, entries_with, properties_held
from app.adapters.postgres.removal import remove
from app.adapters.postgres.replacement import replace
from app.adapters.postgres.rows import HIT_COLUMNS, to_document, to_hit, to_link, to_summary
from app.adapters.postgres.segment import Place, units_of
from app.documents.document import Document, DocumentSummary, LinkType, Page, StoredDocument, UnitHit
from app.documents.entry_property import Property
from app.documents.growth import Addition, ExportPart, Growing, KeptPart
from app.documents.job import Claim, Job, JobResult
from app.errors import DocumentNotFound
from app.ports.document_store import MOST_LINKED, Linked, Speaker

_DOCUMENT = text("""
    SELECT d.* FROM documents d JOIN collections c ON c.id = d.collection_id
    WHERE c.name = :collection AND d.id = :document AND d.live_version IS NOT NULL
""")
_DOCUMENTS = text("""
    SELECT d.* FROM documents d JOIN collections c ON c.id = d.collection_id
    WHERE c.name = :collection AND d.live_version IS NOT NULL AND d.id > :after
    ORDER BY d.id LIMIT :limit
""")
_LINKS = text("""
    SELECT l.type, l.source_ordinal, l.target_ordinal FROM links l
    WHERE l.collection_id = :collection AND l.document_key = :document
    ORDER BY l.source_ordinal, l.type, l.target_ordinal
""")
_UNITS = text(f"""
    SELECT {HIT_COLUMNS} FROM units u
    JOIN documents d ON d.collection_id = u.collection_id AND d.key = u.document_key
    WHERE u.collection_id = :collection AND u.document_key = :document AND u.ordinal > :after
    ORDER BY u.ordinal LIMIT :limit
""")  # noqa: S608 - constants
_UNITS_BY_ID = text(f"""
    SELECT {HIT_COLUMNS} FROM unnest(CAST(:documents AS text[]), CAST(:units AS text[])) WITH ORDINALITY
        AS wanted (document, unit, place)
    JOIN collections c ON c.name = :collection
    JOIN documents d ON d.collection_id = c.id AND d.id = wanted.document AND d.live_version IS NOT NULL
    JOIN units u ON u.collection_id = c.id AND u.document_key = d.key AND u.id = wanted.unit
    ORDER BY wanted.place
""")  # noqa: S608 - constants
_LINKED = text(f"""
    SELECT {HIT_COLUMNS}, wanted.place, link.type AS link_type, link.arrives
    FROM unnest(CAST(:collections AS text[]), CAST(:documents AS bigint[]), CAST(:versions AS integer[]),
                CAST(:ordinals AS integer[])) WITH ORDINALITY AS wanted (collection, document, version, ordinal, place)
    JOIN collections c ON c.name = wanted.collection
    JOIN documents d ON d.collection_id = c.id AND d.key = wanted.document AND d.live_version = wanted.version
    CROSS JOIN LATERAL (
        SELECT l.type, l.target_ordinal AS other, false AS arrives,
               row_number() OVER (PARTITION BY l.type ORDER BY l.target_ordinal) AS number
        FROM links l
        WHERE l.collection_id = c.id AND l.document_key = d.key AND l.source_ordinal = wanted.ordinal
            AND l.type = ANY(CAST(:types AS text[]))
        UNION ALL
        SELECT l.type, l.source_ordinal, true, row_number() OVER (PARTITION BY l.type ORDER BY l.source_ordinal)
        FROM links l
        WHERE l.collection_id = c.id AND l.document_key = d.key AND l.target_ordinal = wanted.ordinal
            AND l.type = ANY(CAST(:arriving AS text[]))
    ) link
    JOIN units u ON u.collection_id = c.id AND u.document_key = d.key AND u.ordinal = link.other
    WHERE link.number <= {MOST_LINKED}
    ORDER BY wanted.place, link.arrives, link.type, link.other
""")  # noqa: S608 - constants
_AROUND = text(f"""
    SELECT {HIT_COLUMNS}, wanted.collection
    FROM (
        SELECT DISTINCT w.collection, w.document, w.version, near.ordinal
        FROM unnest(CAST(:collections AS text[]), CAST(:documents AS bigint[]), CAST(:versions AS integer[]),
                    CAST(:ordinals AS integer[])) AS w (collection, document, version, ordinal),
            generate_series(w.ordinal - CAST(:reach AS integer), w.ordinal + CAST(:reach AS integer)) AS near (ordinal)
    ) wanted
    JOIN collections c ON c.name = wanted.collection
    JOIN documents d ON d.collection_id = c.id AND d.key = wanted.document AND d.live_version = wanted.version
    JOIN units u ON u.collection_id = c.id AND u.document_key = d.key AND u.ordinal = wanted.ordinal
    ORDER BY c.id, d.key, u.ordinal
""")  # noqa: S608 - constants


class PostgresDocumentStore:
    """Keeps documents. See the port `DocumentStore`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def replace(self, claim: Claim, document: Document, result: JobResult) -> Job:
        """Make `document` the live version and finish the job, in one transaction."""
        return await replace(self._engine, claim, document, result)

    async def append(self, claim: Claim, addition: Addition, result: JobResult) -> Job | None:
        """Add to the live version and finish the job, in one transaction; None when that is live no more."""
        return await append(self._engine, claim, addition, result)

    async def keep_part(self, claim: Claim, document: str, fingerprint: bytes) -> KeptPart | None:
        """Return the part of the claim's export that is live and was made of the same, or None."""
        return await export_parts.keep_part(self._engine, claim, document, fingerprint)

    async def put_part(self, claim: Claim, part: ExportPart) -> None:
        """Make one conversation of the claim's export a live document, in a transaction of its own."""
        await export_parts.put_part(self._engine, claim, part)

    async def finish_export(self, claim: Claim, units: int, result: JobResult) -> Job:
        """Finish the job of an export whose parts are all stored; return it."""
        return await export_parts.finish_export(self._engine, claim, units, result)

    async def growing(self, collection: str, document: str) -> Growing:
        """Return the live version of a document with what adding to it needs, all of it as of one moment."""
        async with snapshot(self._engine) as connection:
            row = await _live(connection, collection, document)
            stored = await _whole(connection, row, collection)
        return Growing(stored=stored, highest=row["highest"], origin=to_origin(row["origin"]))

    async def document(self, collection: str, document: str) -> StoredDocument:
        """Return the live version of a document, all of it as of one moment."""
        async with snapshot(self._engine) as connection:
            return await _whole(connection, await _live(connection, collection, document), collection)

    async def documents(self, collection: str, page: Page) -> tuple[Sequence[DocumentSummary], str | None]:
        """Return a page of live documents ordered by id, and the next cursor or None."""
        after = "" if page.cursor is None else cursors.text_key(page.cursor)
        async with transaction(self._engine) as connection:
            rows = await connection.execute(
                _DOCUMENTS, {"collection": collection, "after": after, "limit": page.limit + 1}
            )
            found = [to_summary(row, collection) for row in rows.mappings()]
        shown = found[: page.limit]
        return shown, cursors.encode(shown[-1].id) if len(found) > page.limit else None

    async def remove(self, collection: str, document: str, *, if_version: int | None = None) -> None:
        """Remove a document at once; jobs accepted for it earlier end cancelled."""
        await remove(self._engine, collection, document, if_version)

    async def units(self, collection: str, document: str, page: Page) -> tuple[Sequence[UnitHit], str | None]:
        """Return a page of a document's units in document order, and the next cursor or None."""
        version, after = (None, -1) if page.cursor is None else cursors.versioned_key(page.cursor)
        async with snapshot(self._engine) as connection:
            row = await _live(connection, collection, document)
            if version is not None and version != row["live_version"]:
                raise cursors.stale()
            rows = await connection.execute(
                _UNITS,
                {
                    "collection": row["collection_id"],
                    "document": row["key"],
                    "after": after,
                    "limit": page.limit + 1,
                },
            )
            found = [to_hit(unit, collection) for unit in rows.mappings()]
        shown = found[: page.limit]
        more = len(found) > page.limit
        return shown, cursors.encode(row["live_version"], shown[-1].ordinal) if more else None

    async def units_by_id(self, collection: str, ids: Sequence[tuple[str, str]]) -> Sequence[UnitHit]:
        """Return the live units named by (document id, unit id), in the order asked; unknown ones are left out."""
        if not ids:
            return []
        async with transaction(self._engine) as connection:
            rows = await connection.execute(
                _UNITS_BY_ID,
                {
                    "collection": collection,
                    "documents": [document for document, _ in ids],
                    "units": [unit for _, unit in ids],
                },
            )
            return [to_hit(row, collection) for row in rows.mappings()]

    async def linked(
        self, units: Sequence[UnitHit], types: Sequence[LinkType], *, arriving: Sequence[LinkType] = ()
    ) -> Sequence[Linked]:
        """Return every link of `types` that leaves one of `units`, and of `arriving` that ends at one, in one query."""
        if not units or not (types or arriving):
            return []
        wanted = {"types": [link.value for link in types], "arriving": [link.value for link in arriving]}
        async with transaction(self._engine) as connection:
            rows = await connection.execute(_LINKED, {**_places(units), **wanted})
            return [_linked(units[row["place"] - 1], row) for row in rows.mappings()]

    async def entries_named(self, documents: Sequence[UnitHit], text: str) -> Sequence[UnitHit]:
        """Return entries of these units' documents whose own names stand in `text`, in one query."""
        return await entries_named(self._engine, documents, text) if documents else []

    async def properties_held(self, documents: Sequence[UnitHit], text: str) -> Sequence[Property]:
        """Return the field values of these documents' entries that stand in `text`, in one query."""
        return await properties_held(self._engine, documents, text) if documents else []

    async def entries_with(self, documents: Sequence[UnitHit], wanted: Property, limit: int) -> Sequence[UnitHit]:
        """Return these documents' entries that have a value in a field, in document order, in one query."""
        return await entries_with(self._engine, documents, wanted, limit) if documents else []

    async def outcome_parts(self, documents: Sequence[UnitHit]) -> Sequence[UnitHit]:
        """Return what records an outcome in these units' documents, in document order, in one query."""
        return await conversation_lookup.outcome_parts(self._engine, documents) if documents else []

    async def speakers(self, documents: Sequence[UnitHit]) -> Sequence[Speaker]:
        """Return who speaks in these units' documents, by how much they say, in one query."""
        return await conversation_lookup.speakers(self._engine, documents) if documents else []

    async def said_by(self, documents: Sequence[UnitHit], speaker: str) -> Sequence[UnitHit]:
        """Return a speaker's messages in these units' documents, in document order, in one query."""
        return await conversation_lookup.said_by(self._engine, documents, speaker) if documents else []

    async def turns(self, units: Sequence[UnitHit], steps: int) -> Sequence[UnitHit]:
        """Return all parts of the turns of `units`, and of those that these answer or belong to, in one query."""
        return await conversation_lookup.turns(self._engine, units, steps) if units else []

    async def corrections(self, units: Sequence[UnitHit]) -> Sequence[tuple[UnitHit, UnitHit]]:
        """Return pairs of a unit and the latest one that corrects it, for `units` and on from there, in one query."""
        return await conversation_lookup.corrections(self._engine, units) if units else []

    async def around(self, units: Sequence[UnitHit], reach: int) -> Sequence[UnitHit]:
        """Return the units at most `reach` places from one of `units`, each once, in document order, in one query."""
        if not units:
            return []
        async with transaction(self._engine) as connection:
            rows = await connection.execute(_AROUND, {**_places(units), "reach": reach})
            return [to_hit(row, row["collection"]) for row in rows.mappings()]


def _linked(unit: UnitHit, row: RowMapping) -> Linked:
    return Linked(LinkType(row["link_type"]), unit, to_hit(row, unit.collection), arrives=row["arrives"])


def _places(units: Sequence[UnitHit]) -> dict[str, list[Any]]:
    return {
        "collections": [unit.collection for unit in units],
        "documents": [unit.document_key for unit in units],
        "versions": [unit.version for unit in units],
        "ordinals": [unit.ordinal for unit in units],
    }


async def _whole(connection: AsyncConnection, row: RowMapping, collection: str) -> StoredDocument:
    place = Place(row["collection_id"], row["key"])
    units = await units_of(connection, place)
    links = await connection.execute(_LINKS, {"collection": place.collection, "document": place.document})
    return to_document(row, units, tuple(to_link(link, units) for link in links.mappings()), collection)


async def _live(connection: AsyncConnection, collection: str, document: str) -> RowMapping:
    found = await connection.execute(_DOCUMENT, {"collection": collection, "document": document})
    row = found.mappings().one_or_none()
    if row is None:
        raise DocumentNotFound(f"Collection {collection!r} holds no document {document!r}.")
    return row
