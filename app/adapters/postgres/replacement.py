"""Makes a document the live version and finishes its job, in one transaction ("Ingestion jobs", step 4)."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.endings import Ending, finish, lock_document, lock_job, origin_column, overtaken
from app.adapters.postgres.engine import transaction
from app.adapters.postgres.rows import from_detected
from app.adapters.postgres.segment import Place, drop, units_of, write
from app.documents.document import Document
from app.documents.growth import Origin
from app.documents.job import Claim, Job, JobResult, JobStatus
from app.documents.unit_ids import Numbered, with_stable_ids
from app.terms.languages import folding_language
from app.terms.unit_terms import UnitTerms, count_terms

_SET_LIVE = text("""
    UPDATE documents SET
        live_version = :version, segment_id = :segment, title = :title, format = :format, profile = :profile,
        detected = CAST(:detected AS json), language = :language, encoding = :encoding,
        metadata = CAST(:metadata AS json), data = CAST(:data AS json), unit_count = :units,
        highest = CAST(:highest AS json), origin = CAST(:origin AS json),
        created_at = coalesce(created_at, now()), updated_at = now()
    WHERE collection_id = :collection AND key = :document
""")
_ADD_LANGUAGE = text("""
    UPDATE collections SET languages = array_append(languages, CAST(:folding AS text))
    WHERE id = :collection AND NOT CAST(:folding AS text) = ANY(languages)
""")


async def replace(engine: AsyncEngine, claim: Claim, document: Document, result: JobResult) -> Job:
    """Do what the port `DocumentStore.replace` says."""
    # Counting terms takes most of the time. It needs no lock, and must not hold up the event loop.
    terms = await asyncio.to_thread(count_terms, document.units, document.language)
    async with transaction(engine) as connection:
        row = await lock_document(connection, claim)
        await lock_job(connection, claim, row)
        ending = overtaken(claim, row)
        if ending is None:
            await make_live(connection, row, document, terms, claim.version, _origin(claim, result))
            ending = Ending(JobStatus.SUCCEEDED, units=len(document.units))
        return await finish(connection, claim, ending, result)


async def make_live(
    connection: AsyncConnection,
    row: RowMapping,
    document: Document,
    terms: Sequence[UnitTerms],
    version: int,
    origin: Origin,
) -> None:
    """Put a document in the place of whatever is live in its locked row."""
    place = Place(row["collection_id"], row["key"])
    previous = await units_of(connection, place)
    numbered = with_stable_ids(document, previous, row["highest"])
    if row["segment_id"] is not None:
        await drop(connection, place, row["segment_id"])
    segment = await write(connection, place, numbered.document, terms)
    values = {**_columns(version, place, segment, numbered), "origin": origin_column(origin)}
    await connection.execute(_SET_LIVE, values)
    folding = folding_language(document.language)
    await connection.execute(_ADD_LANGUAGE, {"collection": place.collection, "folding": folding})


def _origin(claim: Claim, result: JobResult) -> Origin:
    upload = claim.upload
    return Origin(
        config=upload.config,
        profile=upload.profile,
        ingestion_version=upload.ingestion_version,
        pieces=result.pieces,
    )


def _columns(version: int, place: Place, segment: int, numbered: Numbered) -> dict[str, Any]:
    document = numbered.document
    detected = from_detected(document.detected)
    return {
        "collection": place.collection,
        "document": place.document,
        "version": version,
        "segment": segment,
        "title": document.title,
        "format": document.format,
        "profile": document.profile.value,
        "detected": None if detected is None else json.dumps(detected),
        "language": document.language,
        "encoding": document.encoding,
        "metadata": json.dumps(dict(document.metadata)),
        "data": json.dumps(dict(document.data)),
        "units": len(document.units),
        "highest": json.dumps(dict(numbered.highest)),
    }
