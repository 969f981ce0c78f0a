"""Removes a document, with the parts of an export, and calls off what would bring it back, in one transaction.

The row stays, empty: its versions go on counting, and no unit id is used again for another text.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.engine import transaction
from app.adapters.postgres.segment import Place, drop
from app.errors import DocumentNotFound, PreconditionFailed

_LOCK = text("""
    SELECT d.* FROM documents d JOIN collections c ON c.id = d.collection_id
    WHERE c.name = :collection AND d.id = :document FOR NO KEY UPDATE OF d
""")
#: A part may be an export itself.
_LOCK_PARTS = text("""
    SELECT d.* FROM documents d
    WHERE d.collection_id = :collection AND d.key IN (
        WITH RECURSIVE part AS (
            SELECT p.key FROM documents p WHERE p.collection_id = :collection AND p.parent_key = :document
            UNION
            SELECT p.key FROM documents p JOIN part ON p.collection_id = :collection AND p.parent_key = part.key
        )
        SELECT key FROM part
    )
    ORDER BY d.key FOR NO KEY UPDATE OF d
""")
_CLEAR = text("""
    UPDATE documents SET
        removed_version = accepted_version, accepted_fingerprint = NULL, accepted_job = NULL, live_version = NULL,
        segment_id = NULL, title = NULL, format = NULL, profile = NULL, detected = NULL, language = NULL,
        encoding = NULL, metadata = '{}', data = '{}', origin = NULL, unit_count = 0, created_at = NULL,
        updated_at = NULL, parent_key = NULL, parent_version = NULL, split_version = NULL
    WHERE collection_id = :collection AND key = ANY(:documents)
""")
#: A running job stops at its worker's next look.
_CALL_OFF = text("""
    UPDATE jobs SET
        cancel_requested = true,
        status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END,
        finished_at = CASE WHEN status = 'queued' THEN now() END
    WHERE collection_id = :collection AND document_key = ANY(:documents) AND status IN ('queued', 'running')
        AND NOT cancel_requested
    RETURNING id, status
""")
_DROP_PAYLOADS = text("DELETE FROM uploads WHERE job_id = ANY(:jobs)")


async def remove(engine: AsyncEngine, collection: str, document: str, if_version: int | None) -> None:
    """Do what the port `DocumentStore.remove` says."""
    unknown = DocumentNotFound(f"Collection {collection!r} holds no document {document!r}.")
    async with transaction(engine) as connection:
        row = (
            (await connection.execute(_LOCK, {"collection": collection, "document": document})).mappings().one_or_none()
        )
        if row is None:
            raise unknown
        parts = await _lock_parts(connection, row)
        called_off = await _call_off_jobs(connection, [row, *parts])
        if not called_off and all(each["live_version"] is None for each in (row, *parts)):
            raise unknown
        if if_version is not None and if_version != row["live_version"]:
            raise PreconditionFailed(f"Document {document!r} has version {row['live_version']}, not {if_version}.")
        await _clear(connection, [row, *parts])


async def _lock_parts(connection: AsyncConnection, row: RowMapping) -> Sequence[RowMapping]:
    of_document = {"collection": row["collection_id"], "document": row["key"]}
    return (await connection.execute(_LOCK_PARTS, of_document)).mappings().all()


async def _call_off_jobs(connection: AsyncConnection, rows: Sequence[RowMapping]) -> int:
    """Call off the documents' jobs and return how many there were. A later error undoes it with the transaction."""
    jobs = (await connection.execute(_CALL_OFF, _of(rows))).all()
    ended = [job.id for job in jobs if job.status == "cancelled"]
    await connection.execute(_DROP_PAYLOADS, {"jobs": ended})
    return len(jobs)


async def _clear(connection: AsyncConnection, rows: Sequence[RowMapping]) -> None:
    for row in rows:
        if row["segment_id"] is not None:
            await drop(connection, Place(row["collection_id"], row["key"]), row["segment_id"])
    await connection.execute(_CLEAR, _of(rows))


def _of(rows: Sequence[RowMapping]) -> dict[str, Any]:
    return {"collection": rows[0]["collection_id"], "documents": [row["key"] for row in rows]}
