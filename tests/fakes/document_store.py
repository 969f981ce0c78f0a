"""Documents in memory; held to the same suite as the real store."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from app.documents.document import Document, DocumentSummary, LinkType, Page, StoredDocument, UnitHit, UnitKind
from app.documents.entry_property import Property
from app.documents.growth import Addition, ExportPart, Growing, KeptPart, Origin
from app.documents.job import Claim, Job, JobResult, JobStatus
from app.documents.unit_ids import with_stable_ids
from app.errors import DocumentNotFound, JobCancelled, LeaseLost, PreconditionFailed
from app.ports.document_store import MOST_LINKED, MOST_MATCHES, Linked
from tests.fakes.conversation_lookup import MemoryConversations
from tests.fakes.job_store import end, held
from tests.fakes.memory import Memory, MemoryDocument, MemoryJob, page_of


class MemoryDocumentStore(MemoryConversations):
    """See the port `DocumentStore`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def replace(self, claim: Claim, document: Document, result: JobResult) -> Job:
        entry = held(self._memory, claim)
        if entry is None:
            raise LeaseLost("Another worker has the job.")
        row = self._memory.documents[claim.upload.collection, claim.upload.document]
        if claim.version <= row.removed_version:
            return _ended(entry, JobStatus.CANCELLED, result)
        if entry.job.cancel_requested:
            raise JobCancelled("The job was cancelled.")
        if claim.version < max(row.live_version or 0, row.split_version):
            entry.job = replace(entry.job, superseded=True)
            return _ended(entry, JobStatus.SUCCEEDED, result)
        numbered = with_stable_ids(document, row.document.units if row.document else (), row.highest)
        row.document, row.highest = numbered.document, dict(numbered.highest)
        row.live_version, row.updated_at = claim.version, datetime.now(UTC)
        row.created_at = row.created_at or row.updated_at
        row.origin = Origin(
            config=claim.upload.config,
            profile=claim.upload.profile,
            ingestion_version=claim.upload.ingestion_version,
            pieces=result.pieces,
        )
        entry.job = replace(entry.job, units=len(document.units))
        return _ended(entry, JobStatus.SUCCEEDED, result)

    async def growing(self, collection: str, document: str) -> Growing:
        row = self._live(collection, document)
        return Growing(stored=_stored(row), highest=dict(row.highest), origin=row.origin)

    async def append(self, claim: Claim, addition: Addition, result: JobResult) -> Job | None:
        entry, row = self._held(claim)
        if claim.version <= row.removed_version:
            return _ended(entry, JobStatus.CANCELLED, result)
        if claim.version < max(row.live_version or 0, row.split_version):
            entry.job = replace(entry.job, superseded=True)
            return _ended(entry, JobStatus.SUCCEEDED, result)
        if row.document is None or row.live_version != addition.base:
            return None
        document = row.document
        row.document = replace(
            document,
            units=(*document.units, *addition.units),
            links=(*document.links, *addition.links),
            data=addition.data,
        )
        row.highest, row.origin = dict(addition.highest), replace(row.origin, pieces=addition.pieces)
        row.live_version, row.updated_at = claim.version, datetime.now(UTC)
        entry.job = replace(entry.job, units=len(row.document.units))
        return _ended(entry, JobStatus.SUCCEEDED, result)

    def _held(self, claim: Claim) -> tuple[MemoryJob, MemoryDocument]:
        entry = held(self._memory, claim)
        if entry is None:
            raise LeaseLost("Another worker has the job.")
        row = self._memory.documents[claim.upload.collection, claim.upload.document]
        if entry.job.cancel_requested and claim.version > row.removed_version:
            raise JobCancelled("The job was cancelled.")
        return entry, row

    async def keep_part(self, claim: Claim, document: str, fingerprint: bytes) -> KeptPart | None:
        row = self._memory.documents.get((claim.upload.collection, document))
        if row is None or row.document is None or row.parent != claim.upload.document or row.fingerprint != fingerprint:
            return None
        made_by, row.parent_version = row.parent_version, max(row.parent_version, claim.version)
        return KeptPart(made_by, len(row.document.units))

    async def put_part(self, claim: Claim, part: ExportPart) -> None:
        _, export = self._held(claim)
        if claim.version <= export.removed_version:
            raise JobCancelled("The export was removed.")
        place = (claim.upload.collection, part.document.id)
        if place not in self._memory.documents:
            self._memory.documents[place] = MemoryDocument(place[0], next(self._memory.numbers), place[1])
        row = self._memory.documents[place]
        if row.parent == export.id and row.parent_version > claim.version:
            return
        row.accepted_version += 1
        row.parent, row.parent_version, row.fingerprint = export.id, claim.version, part.fingerprint
        numbered = with_stable_ids(part.document, row.document.units if row.document else (), row.highest)
        row.document, row.highest, row.origin = numbered.document, dict(numbered.highest), part.origin
        row.live_version, row.updated_at = row.accepted_version, datetime.now(UTC)
        row.created_at = row.created_at or row.updated_at

    async def finish_export(self, claim: Claim, units: int, result: JobResult) -> Job:
        entry, export = self._held(claim)
        if claim.version <= export.removed_version:
            raise JobCancelled("The export was removed.")
        if (export.live_version or claim.version) < claim.version:
            export.live_version, export.document, export.created_at = None, None, None
        export.split_version = max(export.split_version, claim.version)
        entry.job = replace(
            entry.job, units=units, documents=result.documents, unchanged_documents=result.unchanged_documents
        )
        return _ended(entry, JobStatus.SUCCEEDED, result)

    async def document(self, collection: str, document: str) -> StoredDocument:
        return _stored(self._live(collection, document))

    def _live(self, collection: str, document: str) -> MemoryDocument:
        row = self._memory.documents.get((collection, document))
        if row is None or row.document is None:
            raise DocumentNotFound(f"There is no document {document!r}.")
        return row

    async def documents(self, collection: str, page: Page) -> tuple[Sequence[DocumentSummary], str | None]:
        rows = sorted(self._memory.live(collection), key=lambda row: row.id)
        shown, cursor = page_of(rows, page, lambda row: row.id)
        return [_summary(_stored(row)) for row in shown], cursor

    async def remove(self, collection: str, document: str, *, if_version: int | None = None) -> None:
        row = self._memory.documents.get((collection, document))
        jobs = [
            entry
            for entry in self._memory.jobs.values()
            if (entry.job.collection, entry.job.document) == (collection, document)
            and not entry.job.status.finished
            and not entry.job.cancel_requested
        ]
        parts = [each for each in self._memory.live(collection) if each.parent == document]
        if row is None or (row.document is None and not jobs and not parts):
            raise DocumentNotFound(f"There is no document {document!r}.")
        if if_version is not None and if_version != row.live_version:
            raise PreconditionFailed(f"Document {document!r} has another version.")
        for entry in jobs:
            entry.job = replace(entry.job, cancel_requested=True)
            if entry.job.status is JobStatus.QUEUED:
                end(entry, JobStatus.CANCELLED)
        for each in (row, *parts):
            each.removed_version, each.accepted_upload, each.fingerprint = each.accepted_version, None, None
            each.live_version, each.document, each.created_at = None, None, None
            each.parent, each.parent_version, each.split_version = None, 0, 0

    async def units(self, collection: str, document: str, page: Page) -> tuple[Sequence[UnitHit], str | None]:
        row = self._live(collection, document)
        assert row.document is not None
        hits = [row.hit(ordinal) for ordinal in range(len(row.document.units))]
        return page_of(hits, page, lambda hit: hit.ordinal, stamp=row.live_version or 0)

    async def units_by_id(self, collection: str, ids: Sequence[tuple[str, str]]) -> Sequence[UnitHit]:
        units = {
            (row.id, unit.id): row.hit(ordinal)
            for row in self._memory.live(collection)
            if row.document
            for ordinal, unit in enumerate(row.document.units)
        }
        return [units[place] for place in ids if place in units]

    async def linked(
        self, units: Sequence[UnitHit], types: Sequence[LinkType], *, arriving: Sequence[LinkType] = ()
    ) -> Sequence[Linked]:
        found = []
        for unit in units:
            row = self._memory.documents.get((unit.collection, unit.document))
            if row is None or row.document is None or row.live_version != unit.version:
                continue
            ordinals = {each.id: ordinal for ordinal, each in enumerate(row.document.units)}
            ends = {
                (False, link.type, ordinals[link.target])
                for link in row.document.links
                if link.source == unit.unit.id and link.type in types
            } | {
                (True, link.type, ordinals[link.source])
                for link in row.document.links
                if link.target == unit.unit.id and link.type in arriving
            }
            taken: Counter[tuple[bool, LinkType]] = Counter()
            for arrives, type_, other in sorted(ends):
                taken[arrives, type_] += 1
                if taken[arrives, type_] <= MOST_LINKED:
                    found.append(Linked(type_, unit, row.hit(other), arrives))
        return found

    async def entries_named(self, documents: Sequence[UnitHit], text: str) -> Sequence[UnitHit]:
        found = [hit for hit in self._entries(documents) if _own_name(hit) and _own_name(hit) in text.casefold()]
        return sorted(found, key=lambda hit: -len(str(hit.unit.meta["name"])))[:MOST_MATCHES]

    async def properties_held(self, documents: Sequence[UnitHit], text: str) -> Sequence[Property]:
        counts = Counter(
            (field, value) for hit in self._entries(documents) for field, value in _values(hit) if len(value) > 1
        )
        held = [
            Property(field, value, count)
            for (field, value), count in counts.items()
            if (value.split(" ")[-1] if field == "versions" else value).casefold() in text.casefold()
        ]
        return sorted(held, key=lambda one: (-len(one.value), one.field, one.value))[:MOST_MATCHES]

    async def entries_with(self, documents: Sequence[UnitHit], wanted: Property, limit: int) -> Sequence[UnitHit]:
        return [hit for hit in self._entries(documents) if (wanted.field, wanted.value) in _values(hit)][:limit]

    def _entries(self, documents: Sequence[UnitHit]) -> list[UnitHit]:
        named = sorted({(hit.collection, hit.document, hit.version) for hit in documents})
        rows = [self._memory.documents[collection, document] for collection, document, _ in named]
        rows = [row for row, (_, _, version) in zip(rows, named, strict=True) if row.live_version == version]
        hits = [row.hit(ordinal) for row in rows if row.document for ordinal in range(len(row.document.units))]
        return [hit for hit in hits if hit.unit.kind is UnitKind.ENTRY]

    async def around(self, units: Sequence[UnitHit], reach: int) -> Sequence[UnitHit]:
        found = {}
        for unit in units:
            row = self._memory.documents.get((unit.collection, unit.document))
            if row is None or row.document is None or row.live_version != unit.version:
                continue
            last = len(row.document.units) - 1
            for ordinal in range(max(unit.ordinal - reach, 0), min(unit.ordinal + reach, last) + 1):
                found[unit.collection, row.key, ordinal] = row.hit(ordinal)
        return [found[place] for place in sorted(found)]


def _ended(entry: MemoryJob, status: JobStatus, result: JobResult) -> Job:
    entry.job = replace(entry.job, decisions=result.decisions, degraded=result.degraded, warnings=result.warnings)
    end(entry, status)
    return entry.job


def _stored(row: MemoryDocument) -> StoredDocument:
    assert row.document is not None
    assert row.live_version is not None
    assert row.created_at is not None
    assert row.updated_at is not None
    return StoredDocument(
        document=row.document,
        collection=row.collection,
        version=row.live_version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _summary(stored: StoredDocument) -> DocumentSummary:
    document = stored.document
    return DocumentSummary(
        id=document.id,
        collection=stored.collection,
        version=stored.version,
        title=document.title,
        format=document.format,
        profile=document.profile,
        language=document.language,
        units=len(document.units),
        metadata=document.metadata,
        created_at=stored.created_at,
        updated_at=stored.updated_at,
    )


def _own_name(hit: UnitHit) -> str:
    return re.sub(r".*(?:\.|::|#|->)(?=.)", "", str(hit.unit.meta.get("name", ""))).casefold()


def _values(hit: UnitHit) -> list[tuple[str, str]]:
    fields = hit.unit.meta.get("fields")
    assert isinstance(fields, dict)
    return [
        (field, str(value))
        for field, content in fields.items()
        for value in (content if isinstance(content, list) else [content])
    ]
