"""Outcomes, speakers, turns and corrections of conversations (conversations design, e)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import transaction
from app.adapters.postgres.rows import HIT_COLUMNS, to_hit
from app.documents.document import LinkType, UnitHit, UnitKind
from app.ports.document_store import MOST_PARTS, MOST_SPEAKERS, MOST_SPOKEN, Speaker

_DOCUMENTS = """
    FROM unnest(CAST(:collections AS text[]), CAST(:documents AS bigint[]), CAST(:versions AS integer[]))
        AS wanted (collection, document, version)
    JOIN collections c ON c.name = wanted.collection
    JOIN documents d ON d.collection_id = c.id AND d.key = wanted.document AND d.live_version = wanted.version
"""
_MESSAGES = f"""
    {_DOCUMENTS}
    JOIN units u ON u.collection_id = c.id AND u.document_key = d.key AND u.kind = '{UnitKind.MESSAGE.value}'
"""
_OUTCOMES = text(f"""
    SELECT * FROM (
        SELECT {HIT_COLUMNS}, c.name AS collection, c.id AS collection_id
        {_MESSAGES} AND u.meta ->> 'outcome' = 'true'
        ORDER BY c.id DESC, d.key DESC, u.ordinal DESC LIMIT {MOST_SPOKEN}
    ) last ORDER BY collection_id, document_key, ordinal
""")  # noqa: S608 - constants
_SPEAKERS = text(f"""
    SELECT u.meta ->> 'speaker' AS name, max(u.meta ->> 'speaker_full') AS full_name
    {_MESSAGES} AND u.meta ->> 'speaker' <> ''
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {MOST_SPEAKERS}
""")
_SAID_BY = text(f"""
    SELECT {HIT_COLUMNS}, c.name AS collection
    {_MESSAGES} AND u.meta ->> 'speaker' = :speaker
    ORDER BY c.id, d.key, u.ordinal LIMIT {MOST_SPOKEN}
""")

_UNITS = """
    FROM unnest(CAST(:collections AS text[]), CAST(:documents AS bigint[]), CAST(:versions AS integer[]),
                CAST(:ordinals AS integer[])) AS wanted (collection, document, version, ordinal)
    JOIN collections c ON c.name = wanted.collection
    JOIN documents d ON d.collection_id = c.id AND d.key = wanted.document AND d.live_version = wanted.version
"""
#: A turn by its first part. Its parts stand one behind the other with the same `turn`, which may be the id that the
#: first had in another version: so it is compared, and never looked up.
_TURN_OF = f"""
    CROSS JOIN LATERAL (
        SELECT coalesce(min(p.ordinal), u.ordinal) AS first FROM units p
        WHERE p.collection_id = u.collection_id AND p.document_key = u.document_key
            AND p.ordinal BETWEEN u.ordinal - {MOST_PARTS} AND u.ordinal AND p.meta ->> 'turn' = u.meta ->> 'turn'
    ) turn
"""  # noqa: S608 - constants
_TURNS = text(f"""
    WITH RECURSIVE up (collection, document, first, name, step) AS (
        SELECT c.id, d.key, turn.first, u.meta ->> 'turn', 0
        {_UNITS}
        JOIN units u ON u.collection_id = c.id AND u.document_key = d.key AND u.ordinal = wanted.ordinal
        {_TURN_OF}
        UNION
        SELECT up.collection, up.document, turn.first, u.meta ->> 'turn', up.step + 1
        FROM up
        JOIN links l ON l.collection_id = up.collection AND l.document_key = up.document
            AND l.source_ordinal = up.first
            AND l.type IN ('{LinkType.REPLY_TO.value}', '{LinkType.OUTPUT_OF.value}')
        JOIN units u ON u.collection_id = up.collection AND u.document_key = up.document
            AND u.ordinal = l.target_ordinal
        {_TURN_OF}
        WHERE up.step < CAST(:steps AS integer)
    )
    SELECT {HIT_COLUMNS}, c.name AS collection
    FROM (SELECT DISTINCT collection, document, first, name FROM up) turn
    JOIN collections c ON c.id = turn.collection
    JOIN documents d ON d.collection_id = turn.collection AND d.key = turn.document
    JOIN units u ON u.collection_id = turn.collection AND u.document_key = turn.document
        AND u.ordinal >= turn.first AND u.ordinal < turn.first + {MOST_PARTS}
        AND (u.ordinal = turn.first OR u.meta ->> 'turn' = turn.name)
    ORDER BY c.id, d.key, u.ordinal
""")  # noqa: S608 - constants
_LATER = f"""
    CROSS JOIN LATERAL (
        SELECT max(l.source_ordinal) AS ordinal FROM links l
        WHERE l.collection_id = {{0}} AND l.document_key = {{1}} AND l.target_ordinal = {{2}}
            AND l.type = '{LinkType.CORRECTS.value}' AND l.source_ordinal > {{2}}
    ) later
"""  # noqa: S608 - constants
_CORRECTIONS = text(f"""
    WITH RECURSIVE chain (collection, document, corrected, correcting) AS (
        SELECT c.id, d.key, wanted.ordinal, later.ordinal
        {_UNITS}
        {_LATER.format("c.id", "d.key", "wanted.ordinal")}
        WHERE later.ordinal IS NOT NULL
        UNION
        SELECT chain.collection, chain.document, chain.correcting, later.ordinal
        FROM chain
        {_LATER.format("chain.collection", "chain.document", "chain.correcting")}
        WHERE later.ordinal IS NOT NULL
    )
    SELECT {HIT_COLUMNS}, c.name AS collection, chain.corrected, chain.correcting
    FROM chain
    JOIN collections c ON c.id = chain.collection
    JOIN documents d ON d.collection_id = chain.collection AND d.key = chain.document
    JOIN units u ON u.collection_id = chain.collection AND u.document_key = chain.document
        AND u.ordinal IN (chain.corrected, chain.correcting)
    ORDER BY c.id, d.key, chain.corrected, u.ordinal
""")  # noqa: S608 - constants


async def outcome_parts(engine: AsyncEngine, documents: Sequence[UnitHit]) -> list[UnitHit]:
    """Do what the port `DocumentStore.outcome_parts` says."""
    async with transaction(engine) as connection:
        rows = await connection.execute(_OUTCOMES, _documents(documents))
        return [to_hit(row, row["collection"]) for row in rows.mappings()]


async def speakers(engine: AsyncEngine, documents: Sequence[UnitHit]) -> list[Speaker]:
    """Do what the port `DocumentStore.speakers` says."""
    async with transaction(engine) as connection:
        rows = await connection.execute(_SPEAKERS, _documents(documents))
        return [Speaker(row.name, row.full_name or row.name) for row in rows]


async def said_by(engine: AsyncEngine, documents: Sequence[UnitHit], speaker: str) -> list[UnitHit]:
    """Do what the port `DocumentStore.said_by` says."""
    async with transaction(engine) as connection:
        rows = await connection.execute(_SAID_BY, {**_documents(documents), "speaker": speaker})
        return [to_hit(row, row["collection"]) for row in rows.mappings()]


async def turns(engine: AsyncEngine, units: Sequence[UnitHit], steps: int) -> list[UnitHit]:
    """Do what the port `DocumentStore.turns` says."""
    async with transaction(engine) as connection:
        rows = await connection.execute(_TURNS, {**_places(units), "steps": steps})
        return [to_hit(row, row["collection"]) for row in rows.mappings()]


async def corrections(engine: AsyncEngine, units: Sequence[UnitHit]) -> list[tuple[UnitHit, UnitHit]]:
    """Do what the port `DocumentStore.corrections` says."""
    async with transaction(engine) as connection:
        rows = (await connection.execute(_CORRECTIONS, _places(units))).mappings().all()
    ends = {(row["collection"], row["document_key"], row["ordinal"]): to_hit(row, row["collection"]) for row in rows}
    pairs = dict.fromkeys((row["collection"], row["document_key"], row["corrected"], row["correcting"]) for row in rows)
    return [
        (ends[collection, document, corrected], ends[collection, document, correcting])
        for collection, document, corrected, correcting in pairs
    ]


def _documents(hits: Sequence[UnitHit]) -> dict[str, list[Any]]:
    """The documents of units, each once."""
    distinct = dict.fromkeys((hit.collection, hit.document_key, hit.version) for hit in hits)
    return {
        "collections": [collection for collection, _, _ in distinct],
        "documents": [key for _, key, _ in distinct],
        "versions": [version for _, _, version in distinct],
    }


def _places(hits: Sequence[UnitHit]) -> dict[str, list[Any]]:
    return {
        "collections": [hit.collection for hit in hits],
        "documents": [hit.document_key for hit in hits],
        "versions": [hit.version for hit in hits],
        "ordinals": [hit.ordinal for hit in hits],
    }
