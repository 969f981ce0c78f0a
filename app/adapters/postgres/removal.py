"""Removes a document and calls off what would bring it back, in one transaction.

The row stays, empty: its versions go on counting, and no unit id is used again for another text.
"""

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.engine import transaction
from app.adapters.postgres.segment import Place, drop
from app.errors import DocumentNotFound, PreconditionFailed

_LOCK = text("""
    SELECT d.* FROM documents d JOIN collections c ON c.id = d.collection_id
    WHERE c.name = :collection AND d.id = :document FOR NO KEY UPDATE OF d
""")
_CLEAR = text("""
    UPDATE documents SET
        removed_version = accepted_version, accepted_fingerprint = NULL, accepted_job = NULL, live_version = NULL,
        segment_id = NULL, title = NULL, format = NULL, profile = NULL, detected = NULL, language = NULL,
        encoding = NULL, metadata = '{}', data = '{}', unit_count = 0, created_at = NULL,
        updated_at = NULL
    WHERE collection_id = :collection AND key = :document
""")
#: A running job stops at its worker's next look.
_CALL_OFF = text("""
    UPDATE jobs SET
        cancel_requested = true,
        status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END,
        finished_at = CASE WHEN status = 'queued' THEN now() END
    WHERE collection_id = :collection AND document_key = :document AND status IN ('queued', 'running')
        AND NOT cancel_requested
    RETURNING id, status
""")
_DROP_PAYLOADS = text("DELETE FROM uploads WHERE job_id = ANY(:jobs)")


async def remove(engine: AsyncEngine, collection: str, document: str, if_version: int | None) -> None:
    """Do what the port `DocumentStore.remove` says."""
    async with transaction(engine) as connection:
        row = (
            (await connection.execute(_LOCK, {"collection": collection, "document": document})).mappings().one_or_none()
        )
        called_off = 0 if row is None else await _call_off_jobs(connection, row)
        if row is None or (row["live_version"] is None and not called_off):
            raise DocumentNotFound(f"Collection {collection!r} holds no document {document!r}.")
        if if_version is not None and if_version != row["live_version"]:
            raise PreconditionFailed(f"Document {document!r} has version {row['live_version']}, not {if_version}.")
        await _clear(connection, row)


async def _call_off_jobs(connection: AsyncConnection, row: RowMapping) -> int:
    """Call off the document's jobs and return how many there were. A later error undoes it with the transaction."""
    of_document = {"collection": row["collection_id"], "document": row["key"]}
    jobs = (await connection.execute(_CALL_OFF, of_document)).all()
    ended = [job.id for job in jobs if job.status == "cancelled"]
    await connection.execute(_DROP_PAYLOADS, {"jobs": ended})
    return len(jobs)


async def _clear(connection: AsyncConnection, row: RowMapping) -> None:
    place = Place(row["collection_id"], row["key"])
    if row["segment_id"] is not None:
        await drop(connection, place, row["segment_id"])
    await connection.execute(_CLEAR, {"collection": place.collection, "document": place.document})
