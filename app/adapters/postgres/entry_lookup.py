"""Reference entries by name and by field value, in the documents of some units (retrieval design, step 6)."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import transaction
from app.adapters.postgres.rows import HIT_COLUMNS, to_hit
from app.documents.document import UnitHit, UnitKind
from app.documents.entry_property import Property
from app.ports.document_store import MOST_MATCHES

#: Shorter names and values stand in nearly every text.
_SHORTEST = 2

_ENTRIES = f"""
    FROM unnest(CAST(:collections AS text[]), CAST(:documents AS bigint[]), CAST(:versions AS integer[]))
        AS wanted (collection, document, version)
    JOIN collections c ON c.name = wanted.collection
    JOIN documents d ON d.collection_id = c.id AND d.key = wanted.document AND d.live_version = wanted.version
    JOIN units u ON u.collection_id = c.id AND u.document_key = d.key AND u.kind = '{UnitKind.ENTRY.value}'
"""
_NAMED = text(rf"""
    SELECT {HIT_COLUMNS}, wanted.collection
    {_ENTRIES}
    CROSS JOIN LATERAL (SELECT regexp_replace(u.meta ->> 'name', '^.*(\.|::|#|->)(?=.)', '') AS own) name
    WHERE length(name.own) >= {_SHORTEST} AND position(lower(name.own) IN lower(:text)) > 0
    ORDER BY length(u.meta ->> 'name') DESC, c.id, d.key, u.ordinal LIMIT {MOST_MATCHES}
""")
_VALUES = """
    json_each(u.meta -> 'fields') AS field (name, content)
    CROSS JOIN LATERAL (
        SELECT json_array_elements_text(
            CASE WHEN json_typeof(field.content) = 'array' THEN field.content ELSE json_build_array(field.content) END
        ) AS value
    ) one
"""
_HELD = text(rf"""
    SELECT field.name, one.value, count(*) AS entries
    {_ENTRIES} CROSS JOIN {_VALUES}
    WHERE length(one.value) >= {_SHORTEST}
        AND position(lower(CASE WHEN field.name = 'versions'
            THEN coalesce(substring(one.value FROM '\d[\w.]*$'), one.value) ELSE one.value END) IN lower(:text)) > 0
    GROUP BY field.name, one.value
    ORDER BY length(one.value) DESC, field.name, one.value LIMIT {MOST_MATCHES}
""")  # noqa: S608 - constants
_WITH = text(f"""
    SELECT {HIT_COLUMNS}, wanted.collection
    {_ENTRIES}
    WHERE EXISTS (SELECT FROM {_VALUES} WHERE field.name = :field AND one.value = :value)
    ORDER BY c.id, d.key, u.ordinal LIMIT :limit
""")  # noqa: S608 - constants


async def entries_named(engine: AsyncEngine, documents: Sequence[UnitHit], said: str) -> list[UnitHit]:
    """Do what the port `DocumentStore.entries_named` says."""
    async with transaction(engine) as connection:
        rows = await connection.execute(_NAMED, {**_documents(documents), "text": said})
        return [to_hit(row, row["collection"]) for row in rows.mappings()]


async def properties_held(engine: AsyncEngine, documents: Sequence[UnitHit], said: str) -> list[Property]:
    """Do what the port `DocumentStore.properties_held` says."""
    async with transaction(engine) as connection:
        rows = await connection.execute(_HELD, {**_documents(documents), "text": said})
        return [Property(row.name, row.value, row.entries) for row in rows]


async def entries_with(
    engine: AsyncEngine, documents: Sequence[UnitHit], wanted: Property, limit: int
) -> list[UnitHit]:
    """Do what the port `DocumentStore.entries_with` says."""
    async with transaction(engine) as connection:
        having = {"field": wanted.field, "value": wanted.value, "limit": limit}
        rows = await connection.execute(_WITH, {**_documents(documents), **having})
        return [to_hit(row, row["collection"]) for row in rows.mappings()]


def _documents(hits: Sequence[UnitHit]) -> dict[str, list[object]]:
    """The documents of units, each once."""
    distinct = dict.fromkeys((hit.collection, hit.document_key, hit.version) for hit in hits)
    return {
        "collections": [collection for collection, _, _ in distinct],
        "documents": [key for _, key, _ in distinct],
        "versions": [version for _, _, version in distinct],
    }
