"""Writes, extends and drops a document's units, links and postings, inside the transaction that changes the document.

A segment holds the postings of one document. Its rows are shared with nobody, so that writers of different
documents never wait for each other here.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.adapters.postgres.rows import UNIT_COLUMNS, to_unit
from app.documents.document import Document, Link, Unit
from app.documents.growth import Addition
from app.terms.languages import folding_language
from app.terms.postings import PostingRow, pack
from app.terms.unit_terms import UnitTerms

_UNITS_OF = text(
    f"SELECT {UNIT_COLUMNS} FROM units u WHERE u.collection_id = :collection AND u.document_key = :document "  # noqa: S608 - a constant
    "ORDER BY u.ordinal"
)
_ADD_SEGMENT = text(
    "INSERT INTO segments (collection_id, units, exact_length, folded_length, terms) "
    "VALUES (:collection, :units, :exact_length, :folded_length, :terms) RETURNING id"
)
_ORDINALS = text("""
    SELECT u.id, u.ordinal FROM units u
    WHERE u.collection_id = :collection AND u.document_key = :document AND u.id = ANY(:units)
""")
#: Postings of a term that the segment has are put behind those that are there.
_ADD_POSTINGS = text("""
    INSERT INTO postings (collection_id, segment_id, term, code, df, data)
    SELECT :collection, :segment, added.term, added.code, added.df, added.data
    FROM unnest(CAST(:terms AS text[]), CAST(:codes AS smallint[]), CAST(:dfs AS integer[]), CAST(:records AS bytea[]))
        AS added (term, code, df, data)
    ON CONFLICT (collection_id, term, segment_id, code) DO UPDATE
        SET df = postings.df + excluded.df, data = postings.data || excluded.data
""")
_GROW_SEGMENT = text("""
    UPDATE segments SET
        units = units + :units, exact_length = exact_length + :exact_length,
        folded_length = folded_length + :folded_length,
        terms = terms || ARRAY(SELECT unnest(CAST(:terms AS text[])) EXCEPT SELECT unnest(terms))
    WHERE collection_id = :collection AND id = :segment
""")
_DROP_POSTINGS = text("""
    DELETE FROM postings WHERE collection_id = :collection AND segment_id = :segment
        AND term = ANY((SELECT terms FROM segments WHERE collection_id = :collection AND id = :segment)::text[])
""")
_DROP_SEGMENT = text("DELETE FROM segments WHERE collection_id = :collection AND id = :segment")
_DROP_LINKS = text("DELETE FROM links WHERE collection_id = :collection AND document_key = :document")
_DROP_UNITS = text("DELETE FROM units WHERE collection_id = :collection AND document_key = :document")

_COPY_UNITS = (
    "COPY units (collection_id, document_key, ordinal, id, kind, text, path, meta, start_offset, end_offset, length) "
    "FROM STDIN (FORMAT BINARY)"
)
_UNIT_TYPES = ("int4", "int8", "int4", "text", "text", "text", "json", "json", "int4", "int4", "int4")
_COPY_LINKS = (
    "COPY links (collection_id, document_key, source_ordinal, type, target_ordinal) FROM STDIN (FORMAT BINARY)"
)
_LINK_TYPES = ("int4", "int8", "int4", "text", "int4")
_COPY_POSTINGS = "COPY postings (collection_id, term, segment_id, code, df, data) FROM STDIN (FORMAT BINARY)"
_POSTING_TYPES = ("int4", "text", "int8", "int2", "int4", "bytea")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document's rows are: its collection and its key."""

    collection: int
    document: int


async def units_of(connection: AsyncConnection, place: Place) -> tuple[Unit, ...]:
    """Return the live units of a document, in order."""
    rows = await connection.execute(_UNITS_OF, {"collection": place.collection, "document": place.document})
    return tuple(to_unit(row) for row in rows.mappings())


async def write(connection: AsyncConnection, place: Place, document: Document, terms: Sequence[UnitTerms]) -> int:
    """Write a document's units, links and postings; returns the new segment.

    Args:
        connection: in a transaction that holds the document's row.
        place: the document.
        document: with final unit ids.
        terms: of each unit, as `count_terms` counts them.
    """
    rows = await asyncio.to_thread(pack, terms, folding_language(document.language), place.document)
    segment: int = (await connection.execute(_ADD_SEGMENT, _sums(place, terms, rows))).scalar_one()
    await copy(connection, _COPY_UNITS, _UNIT_TYPES, _unit_rows(place, document.units, terms))
    ordinals = {unit.id: ordinal for ordinal, unit in enumerate(document.units)}
    await copy(connection, _COPY_LINKS, _LINK_TYPES, _link_rows(place, document.links, ordinals))
    await copy(connection, _COPY_POSTINGS, _POSTING_TYPES, _posting_rows(place, segment, rows))
    return segment


async def extend(
    connection: AsyncConnection, place: Place, segment: int, first: int, addition: Addition, terms: Sequence[UnitTerms]
) -> None:
    """Write units behind those that a document has, with their links and postings; these go into its segment.

    Args:
        connection: in a transaction that holds the document's row.
        place: the document.
        segment: of the document.
        first: position of the first new unit.
        addition: the units, with final ids, and links from them.
        terms: of each unit.
    """
    ordinals = {unit.id: first + number for number, unit in enumerate(addition.units)}
    stored = [link.target for link in addition.links if link.target not in ordinals]
    of_document = {"collection": place.collection, "document": place.document}
    found = await connection.execute(_ORDINALS, {**of_document, "units": stored})
    ordinals |= {row.id: row.ordinal for row in found}
    await copy(connection, _COPY_UNITS, _UNIT_TYPES, _unit_rows(place, addition.units, terms, first))
    await copy(connection, _COPY_LINKS, _LINK_TYPES, _link_rows(place, addition.links, ordinals))
    folding = folding_language(addition.language)
    rows = await asyncio.to_thread(pack, terms, folding, place.document, first=first)
    columns = {"codes": [row.code for row in rows], "dfs": [row.df for row in rows]}
    added = {**_sums(place, terms, rows), "segment": segment}
    await connection.execute(_ADD_POSTINGS, {**added, **columns, "records": [row.data for row in rows]})
    await connection.execute(_GROW_SEGMENT, added)


async def drop(connection: AsyncConnection, place: Place, segment: int) -> None:
    """Delete a document's links, units and postings.

    The segment knows its terms, so that its postings are found by their key. Counting the terms of the units again
    would miss some as soon as a build counts otherwise than the one that wrote them.
    """
    of_segment = {"collection": place.collection, "segment": segment}
    await connection.execute(_DROP_POSTINGS, of_segment)
    await connection.execute(_DROP_SEGMENT, of_segment)
    of_document = {"collection": place.collection, "document": place.document}
    await connection.execute(_DROP_LINKS, of_document)
    await connection.execute(_DROP_UNITS, of_document)


async def driver_of(connection: AsyncConnection) -> psycopg.AsyncConnection[Any]:
    """Return the driver's own connection, for COPY; it is in the same transaction."""
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)  # noqa: S101 - narrows the type of the only driver in use
    return driver


async def copy(
    connection: AsyncConnection, statement: str, types: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Load rows by COPY, in the connection's transaction."""
    driver = await driver_of(connection)
    async with driver.cursor() as cursor, cursor.copy(statement) as loading:
        loading.set_types(types)
        for row in rows:
            await loading.write_row(row)


def _sums(place: Place, terms: Sequence[UnitTerms], rows: Sequence[PostingRow]) -> dict[str, Any]:
    """Return what a segment says of its units."""
    return {
        "collection": place.collection,
        "units": len(terms),
        "exact_length": sum(unit.exact_length for unit in terms),
        "folded_length": sum(unit.folded_length for unit in terms),
        "terms": [row.term for row in rows],
    }


def _unit_rows(
    place: Place, units: Sequence[Unit], terms: Sequence[UnitTerms], first: int = 0
) -> Iterable[tuple[Any, ...]]:
    for ordinal, (unit, counted) in enumerate(zip(units, terms, strict=True), start=first):
        yield (
            *(place.collection, place.document, ordinal, unit.id, unit.kind.value, unit.text),
            *(list(unit.path), dict(unit.meta), unit.start, unit.end, counted.exact_length),
        )


def _link_rows(place: Place, links: Iterable[Link], ordinals: Mapping[str, int]) -> Iterable[tuple[Any, ...]]:
    for link in dict.fromkeys(links):
        yield place.collection, place.document, ordinals[link.source], link.type.value, ordinals[link.target]


def _posting_rows(place: Place, segment: int, rows: Sequence[PostingRow]) -> Iterable[tuple[Any, ...]]:
    for row in rows:
        yield place.collection, row.term, segment, row.code, row.df, row.data
