"""Stores the conversations of an export as documents, one transaction for each (conversations design, f.21).

The export's own row is locked first, then the part's, then the job's.
"""

import asyncio

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.endings import Ending, finish, lock_document, lock_job
from app.adapters.postgres.engine import transaction
from app.adapters.postgres.replacement import make_live
from app.adapters.postgres.segment import Place, drop
from app.documents.growth import ExportPart, KeptPart
from app.documents.job import Claim, Job, JobResult, JobStatus
from app.errors import JobCancelled
from app.terms.unit_terms import count_terms

_KEEP = text("""
    UPDATE documents d SET parent_version = greatest(d.parent_version, :version)
    FROM (
        SELECT p.collection_id, p.key, p.parent_version FROM documents p
        JOIN jobs j ON j.collection_id = p.collection_id AND j.document_key = p.parent_key
        WHERE j.id = :job AND p.id = :document AND p.live_version IS NOT NULL AND p.accepted_fingerprint = :fingerprint
        FOR NO KEY UPDATE OF p
    ) before
    WHERE d.collection_id = before.collection_id AND d.key = before.key
    RETURNING before.parent_version AS made_by, d.unit_count
""")
_ADD_PART = text("""
    INSERT INTO documents (collection_id, id) VALUES (:collection, :part) ON CONFLICT (collection_id, id) DO NOTHING
""")
_LOCK_PART = text("SELECT d.* FROM documents d WHERE d.collection_id = :collection AND d.id = :part FOR NO KEY UPDATE")
_SET_PART = text("""
    UPDATE documents SET accepted_version = :version, accepted_fingerprint = :fingerprint, accepted_job = :job,
        parent_key = :parent, parent_version = :parent_version
    WHERE collection_id = :collection AND key = :document
""")
_CLEAR_WHOLE = text("""
    UPDATE documents SET live_version = NULL, segment_id = NULL, title = NULL, format = NULL, profile = NULL,
        detected = NULL, language = NULL, encoding = NULL, metadata = '{}', data = '{}', origin = NULL, unit_count = 0,
        created_at = NULL, updated_at = NULL
    WHERE collection_id = :collection AND key = :document
""")
_SET_SPLIT = text("""
    UPDATE documents SET split_version = greatest(split_version, :version)
    WHERE collection_id = :collection AND key = :document
""")


async def keep_part(engine: AsyncEngine, claim: Claim, document: str, fingerprint: bytes) -> KeptPart | None:
    """Do what the port `DocumentStore.keep_part` says."""
    values = {"job": claim.job.id, "document": document, "fingerprint": fingerprint, "version": claim.version}
    async with transaction(engine) as connection:
        row = (await connection.execute(_KEEP, values)).one_or_none()
    return None if row is None else KeptPart(made_by=row.made_by, units=row.unit_count)


async def put_part(engine: AsyncEngine, claim: Claim, part: ExportPart) -> None:
    """Do what the port `DocumentStore.put_part` says."""
    terms = await asyncio.to_thread(count_terms, part.document.units, part.document.language)
    async with transaction(engine) as connection:
        export = await _locked(connection, claim)
        named = {"collection": export["collection_id"], "part": part.document.id}
        await connection.execute(_ADD_PART, named)
        row = (await connection.execute(_LOCK_PART, named)).mappings().one()
        await lock_job(connection, claim, export)
        if row["parent_key"] == export["key"] and (row["parent_version"] or 0) > claim.version:
            return
        version = row["accepted_version"] + 1
        accepted = {
            "collection": row["collection_id"],
            "document": row["key"],
            "version": version,
            "fingerprint": part.fingerprint,
            "job": claim.job.id,
            "parent": export["key"],
            "parent_version": claim.version,
        }
        await connection.execute(_SET_PART, accepted)
        await make_live(connection, row, part.document, terms, version, part.origin)


async def finish_export(engine: AsyncEngine, claim: Claim, units: int, result: JobResult) -> Job:
    """Do what the port `DocumentStore.finish_export` says."""
    async with transaction(engine) as connection:
        export = await _locked(connection, claim)
        await lock_job(connection, claim, export)
        place = Place(export["collection_id"], export["key"])
        of_document = {"collection": place.collection, "document": place.document}
        if (export["live_version"] or claim.version) < claim.version:
            await drop(connection, place, export["segment_id"])
            await connection.execute(_CLEAR_WHOLE, of_document)
        await connection.execute(_SET_SPLIT, {**of_document, "version": claim.version})
        return await finish(connection, claim, Ending(JobStatus.SUCCEEDED, units=units), result)


async def _locked(connection: AsyncConnection, claim: Claim) -> RowMapping:
    """Lock the row of an export, and return it.

    Raises:
        LeaseLost: the job is gone.
        JobCancelled: the export was removed.
    """
    export = await lock_document(connection, claim)
    if claim.version <= export["removed_version"]:
        raise JobCancelled(f"Document {claim.upload.document!r} was removed.")
    return export
