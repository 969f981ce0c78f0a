"""Accepts work: job, payload and, for an upload, its version, in one transaction ("Ingestion jobs", step 1).

Locks are taken in one order by all: idempotency key, document, job.
"""

import hashlib
import json
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.engine import transaction
from app.adapters.postgres.job_rows import fetch_job, from_upload, to_job
from app.adapters.postgres.segment import driver_of
from app.documents.job import Accepted, IdempotencyKey, JobKind, JobStatus, Upload
from app.documents.profile import Profile
from app.errors import CannotAppend, DocumentBusy, DocumentNotFound, IdempotencyConflict

#: Bytes in one row of a payload.
CHUNK_BYTES = 1 << 20

_COLLECTION = text("SELECT id FROM collections WHERE name = :name")
#: An update in place of nothing would return the id, but lock the collection against everybody's documents.
_ADD_COLLECTION = text("INSERT INTO collections (name) VALUES (:name) ON CONFLICT (name) DO NOTHING")
#: Waits for whoever holds the key; the update, which changes nothing, makes the statement return the row that won.
_TAKE_KEY = text("""
    INSERT INTO idempotency_keys (scope, key, body_hash, job_id) VALUES (:scope, :key, :body_hash, :job)
    ON CONFLICT (scope, key) DO UPDATE SET body_hash = idempotency_keys.body_hash
    RETURNING job_id, body_hash
""")
_ADD_DOCUMENT = text("""
    INSERT INTO documents (collection_id, id) VALUES (:collection, :document) ON CONFLICT (collection_id, id) DO NOTHING
""")
_LOCK_DOCUMENT = text("""
    SELECT d.*, j.status AS accepted_status, j.units AS accepted_units, j.documents AS accepted_documents
    FROM documents d LEFT JOIN jobs j ON j.id = d.accepted_job AND NOT j.cancel_requested
    WHERE d.collection_id = :collection AND d.id = :document FOR NO KEY UPDATE OF d
""")
#: What an append would be lost by: a new version of the document, or of the export that it is a part of.
_BEING_REPLACED = text("""
    SELECT EXISTS (
        SELECT 1 FROM jobs WHERE collection_id = :collection AND document_key = ANY(:documents) AND kind = 'ingest'
            AND status IN ('queued', 'running') AND NOT cancel_requested
    )
""")
_SET_ACCEPTED = text("""
    UPDATE documents SET accepted_version = :version, accepted_fingerprint = :fingerprint, accepted_job = :job
    WHERE collection_id = :collection AND key = :document
""")
_ADD_JOB = text("""
    INSERT INTO jobs (id, kind, status, collection_id, document_key, version, upload, warnings, unchanged, units,
                      documents, unchanged_documents, finished_at)
    VALUES (:job, :kind, :status, :collection, :document, :version, CAST(:upload AS json), CAST(:warnings AS json),
            :unchanged, :units, CAST(:documents AS json), :unchanged_documents, CASE WHEN :unchanged THEN now() END)
""")
_ADD_WORK = text("INSERT INTO jobs (id, kind, status) VALUES (:job, :kind, 'queued')")
_COPY_PAYLOAD = "COPY uploads (job_id, seq, data) FROM STDIN (FORMAT BINARY)"


async def accept(
    engine: AsyncEngine, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
) -> Accepted:
    """Do what the port `JobStore.accept` says."""

    async def record(connection: AsyncConnection, job_id: str) -> None:
        await _record(connection, job_id, upload, payload)

    return await _accepted(engine, idempotency_key, record)


async def accept_append(
    engine: AsyncEngine, upload: Upload, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
) -> Accepted:
    """Do what the port `JobStore.accept_append` says."""

    async def record(connection: AsyncConnection, job_id: str) -> None:
        document = await _growing(connection, upload)
        await _queue(connection, job_id, JobKind.APPEND, upload, document, fingerprint=None)
        await _store(connection, job_id, payload)

    return await _accepted(engine, idempotency_key, record)


async def accept_work(
    engine: AsyncEngine, kind: JobKind, payload: AsyncIterable[bytes], idempotency_key: IdempotencyKey | None
) -> Accepted:
    """Do what the port `JobStore.accept_work` says."""

    async def record(connection: AsyncConnection, job_id: str) -> None:
        await connection.execute(_ADD_WORK, {"job": job_id, "kind": kind.value})
        await _store(connection, job_id, payload)

    return await _accepted(engine, idempotency_key, record)


async def _accepted(
    engine: AsyncEngine,
    idempotency_key: IdempotencyKey | None,
    record: Callable[[AsyncConnection, str], Awaitable[None]],
) -> Accepted:
    """Record a job under its key, or return the job that the key has."""
    job_id = f"job_{uuid.uuid4().hex}"
    async with transaction(engine) as connection:
        holder = job_id if idempotency_key is None else await _holder(connection, idempotency_key, job_id)
        if holder == job_id:
            await record(connection, job_id)
        row = await fetch_job(connection, holder)
    assert row is not None  # noqa: S101 - an idempotency key goes with its job
    return Accepted(job=to_job(row), replayed=holder != job_id)


async def _holder(connection: AsyncConnection, key: IdempotencyKey, job_id: str) -> str:
    """Take the key for this job, and return the job that has it: this one, or an earlier one.

    Raises:
        IdempotencyConflict: the earlier one came with another body.
    """
    values = {"scope": key.scope, "key": key.key, "body_hash": key.body_hash, "job": job_id}
    holder = (await connection.execute(_TAKE_KEY, values)).one()
    if holder.body_hash != key.body_hash:
        raise IdempotencyConflict(f"Idempotency key {key.key!r} was used with another body.")
    return str(holder.job_id)


async def _record(connection: AsyncConnection, job_id: str, upload: Upload, payload: AsyncIterable[bytes]) -> None:
    collection = await _collection(connection, upload.collection)
    named = {"collection": collection, "document": upload.document}
    await connection.execute(_ADD_DOCUMENT, named)
    document = (await connection.execute(_LOCK_DOCUMENT, named)).mappings().one()
    fingerprint = _fingerprint(upload)
    if not upload.force and _is_unchanged(document, fingerprint):
        await connection.execute(_ADD_JOB, _unchanged_job(job_id, upload, document))
        return
    await _queue(connection, job_id, JobKind.INGEST, upload, document, fingerprint)
    await _store(connection, job_id, payload)


async def _growing(connection: AsyncConnection, upload: Upload) -> RowMapping:
    """Lock a document that is to be appended to, and return its row.

    Raises:
        DocumentNotFound: there is none.
        DocumentBusy: it is being replaced.
        CannotAppend: it is a data file.
    """
    unknown = DocumentNotFound(f"Collection {upload.collection!r} holds no document {upload.document!r}.")
    collection = (await connection.execute(_COLLECTION, {"name": upload.collection})).scalar_one_or_none()
    named = {"collection": collection, "document": upload.document}
    document = (await connection.execute(_LOCK_DOCUMENT, named)).mappings().one_or_none()
    if document is None:
        raise unknown
    replaced = {"collection": collection, "documents": [document["key"], document["parent_key"]]}
    if (await connection.execute(_BEING_REPLACED, replaced)).scalar_one():
        raise DocumentBusy(f"Document {upload.document!r} is being replaced. Append once its ingestion has finished.")
    if document["live_version"] is None:
        raise unknown
    if document["profile"] == Profile.MARKUP.value:
        raise CannotAppend(f"Document {upload.document!r} is a data file, which has no end: ingest it again whole.")
    return document


async def _queue(
    connection: AsyncConnection,
    job_id: str,
    kind: JobKind,
    upload: Upload,
    document: RowMapping,
    fingerprint: bytes | None,
) -> None:
    """Record a job that makes the next version of a locked document."""
    row = {
        "collection": document["collection_id"],
        "document": document["key"],
        "version": document["accepted_version"] + 1,
        "job": job_id,
    }
    await connection.execute(_SET_ACCEPTED, {**row, "fingerprint": fingerprint})
    await connection.execute(
        _ADD_JOB,
        {
            **row,
            **_described(kind, upload),
            "status": JobStatus.QUEUED.value,
            "unchanged": False,
            "units": None,
            "documents": "[]",
            "unchanged_documents": 0,
        },
    )


async def _collection(connection: AsyncConnection, name: str) -> int:
    known: int | None = (await connection.execute(_COLLECTION, {"name": name})).scalar_one_or_none()
    if known is None:
        await connection.execute(_ADD_COLLECTION, {"name": name})
        known = (await connection.execute(_COLLECTION, {"name": name})).scalar_one()
    return known


def _is_unchanged(document: RowMapping, fingerprint: bytes) -> bool:
    """True when the newest accepted version has the same content and is live, or will be as far as anybody knows."""
    if document["accepted_fingerprint"] != fingerprint:
        return False
    ended_badly = {None, JobStatus.FAILED.value, JobStatus.CANCELLED.value}
    return document["live_version"] == document["accepted_version"] or document["accepted_status"] not in ended_badly


def _fingerprint(upload: Upload) -> bytes:
    """What has to be equal for content to be unchanged (ruling 14)."""
    parts = [upload.content_hash, upload.read_as, upload.profile, upload.config, upload.ingestion_version]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


def _unchanged_job(job_id: str, upload: Upload, document: RowMapping) -> dict[str, Any]:
    live = document["live_version"] == document["accepted_version"]
    parts = document["accepted_documents"] or []
    return {
        **_described(JobKind.INGEST, upload),
        "job": job_id,
        "status": JobStatus.SUCCEEDED.value,
        "collection": document["collection_id"],
        "document": document["key"],
        "version": document["accepted_version"],
        "unchanged": True,
        "units": document["unit_count"] if live else document["accepted_units"],
        "documents": json.dumps(parts),
        "unchanged_documents": len(parts),
    }


def _described(kind: JobKind, upload: Upload) -> dict[str, Any]:
    return {
        "kind": kind.value,
        "upload": json.dumps(from_upload(upload)),
        "warnings": json.dumps(upload.warnings),
    }


async def _store(connection: AsyncConnection, job_id: str, payload: AsyncIterable[bytes]) -> None:
    driver = await driver_of(connection)
    async with driver.cursor() as cursor, cursor.copy(_COPY_PAYLOAD) as loading:
        loading.set_types(("text", "int4", "bytea"))
        number = 0
        async for chunk in _evenly(payload):
            await loading.write_row((job_id, number, chunk))
            number += 1


async def _evenly(payload: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Cut a stream into chunks of `CHUNK_BYTES`, the last one shorter."""
    waiting = bytearray()
    async for part in payload:
        waiting += part
        while len(waiting) >= CHUNK_BYTES:
            yield bytes(waiting[:CHUNK_BYTES])
            del waiting[:CHUNK_BYTES]
    if waiting:
        yield bytes(waiting)
