"""Adds to the live version of a document and finishes the job, in one transaction (conversations design, section d)."""

import asyncio
import json
from dataclasses import replace

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.endings import Ending, finish, lock_document, lock_job, origin_column, overtaken, to_origin
from app.adapters.postgres.engine import transaction
from app.adapters.postgres.segment import Place, extend
from app.documents.growth import Addition
from app.documents.job import Claim, Job, JobResult, JobStatus
from app.terms.unit_terms import count_terms

_GROW = text("""
    UPDATE documents SET live_version = :version, data = CAST(:data AS json), highest = CAST(:highest AS json),
        origin = CAST(:origin AS json), unit_count = unit_count + :units, updated_at = now()
    WHERE collection_id = :collection AND key = :document
    RETURNING unit_count
""")


async def append(engine: AsyncEngine, claim: Claim, addition: Addition, result: JobResult) -> Job | None:
    """Do what the port `DocumentStore.append` says."""
    terms = await asyncio.to_thread(count_terms, addition.units, addition.language)
    async with transaction(engine) as connection:
        row = await lock_document(connection, claim)
        await lock_job(connection, claim, row)
        ending = overtaken(claim, row)
        if ending is None and row["live_version"] != addition.base:
            return None
        if ending is None:
            place = Place(row["collection_id"], row["key"])
            if addition.units:
                await extend(connection, place, row["segment_id"], row["unit_count"], addition, terms)
            ending = Ending(JobStatus.SUCCEEDED, units=await _grow(connection, row, claim, addition))
        return await finish(connection, claim, ending, result)


async def _grow(connection: AsyncConnection, row: RowMapping, claim: Claim, addition: Addition) -> int:
    """Note in the document's row what was added, and return how many units it has."""
    origin = to_origin(row["origin"])
    values = {
        "collection": row["collection_id"],
        "document": row["key"],
        "version": claim.version,
        "data": json.dumps(dict(addition.data)),
        "highest": json.dumps(dict(addition.highest)),
        "origin": origin_column(replace(origin, pieces=addition.pieces)),
        "units": len(addition.units),
    }
    units: int = (await connection.execute(_GROW, values)).scalar_one()
    return units
