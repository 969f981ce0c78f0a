"""The stores under test: in memory, and PostgreSQL."""

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass

import pytest

from app.adapters.postgres.document_store import PostgresDocumentStore
from app.adapters.postgres.engine import create_engine
from app.adapters.postgres.job_store import PostgresJobStore
from app.adapters.postgres.note_store import PostgresNoteStore
from app.adapters.postgres.term_index import PostgresTermIndex
from app.documents.document import Document
from app.documents.job import Accepted, Claim, DecisionUse, IdempotencyKey, Job, JobKind, JobResult, Lease, Upload
from app.ports.document_store import DocumentStore
from app.ports.job_store import JobStore
from app.ports.note_store import NoteStore
from app.ports.term_index import TermIndex
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.job_store import MemoryJobStore
from tests.fakes.memory import Memory
from tests.fakes.note_store import MemoryNoteStore
from tests.fakes.term_index import MemoryTermIndex

MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class Stores:
    """The ports that one database serves, and the steps that tests take with them."""

    documents: DocumentStore
    jobs: JobStore
    index: TermIndex
    notes: NoteStore

    async def accept(
        self, upload: Upload, payload: bytes = b"Press start.", key: IdempotencyKey | None = None
    ) -> Accepted:
        return await self.jobs.accept(upload, in_parts(payload), key)

    async def claim(self, job: Job, worker: str = "worker", *, lease_seconds: float = 30.0) -> Claim:
        claim = await self.jobs.claim(job.id, worker, lease_seconds=lease_seconds)
        assert claim is not None
        return claim

    async def accept_work(self, payload: bytes, key: IdempotencyKey | None = None) -> Job:
        """Accept work on no stored document, and return its job."""
        return (await self.jobs.accept_work(JobKind.CONTEXTUALIZE, in_parts(payload), key)).job

    async def lease(self, job: Job, worker: str = "worker", *, lease_seconds: float = 30.0) -> Lease:
        lease = await self.jobs.lease(job.kind, job.id, worker, lease_seconds=lease_seconds)
        assert lease is not None
        return lease

    async def claimed(self, upload: Upload) -> Claim:
        """Accept an upload and claim its job."""
        return await self.claim((await self.accept(upload)).job)

    async def put(self, document: Document, *, collection: str = "default") -> Job:
        """Make a document live, as a worker does."""
        upload = an_upload(document.id, collection=collection, force=True)
        return await self.commit(await self.claimed(upload), document)

    async def commit(self, claim: Claim, document: Document) -> Job:
        return await self.documents.replace(claim, document, JobResult(decisions=DecisionUse()))


def an_upload(
    document: str = "terms",
    *,
    collection: str = "default",
    content_hash: str = "a" * 64,
    force: bool = False,
    profile: str | None = None,
    ingestion_version: str = "1",
) -> Upload:
    return Upload(
        collection=collection,
        document=document,
        format="markdown",
        title="Terms",
        profile=profile,
        metadata={"owner": "Ada"},
        config={"max_tokens": 400},
        content_hash=content_hash,
        size=12,
        force=force,
        warnings=("One character was replaced.",),
        ingestion_version=ingestion_version,
    )


async def in_parts(payload: bytes, size: int = 5) -> AsyncIterable[bytes]:
    for start in range(0, len(payload), size):
        yield payload[start : start + size]


@pytest.fixture(params=["memory", "postgres"])
async def stores(request: pytest.FixtureRequest) -> AsyncIterator[Stores]:
    if request.param == "memory":
        memory = Memory()
        yield Stores(
            MemoryDocumentStore(memory),
            MemoryJobStore(memory, MAX_TRIES),
            MemoryTermIndex(memory),
            MemoryNoteStore(memory),
        )
        return
    engine = create_engine(request.getfixturevalue("database_url"))
    yield Stores(
        PostgresDocumentStore(engine),
        PostgresJobStore(engine, MAX_TRIES),
        PostgresTermIndex(engine),
        PostgresNoteStore(engine),
    )
    await engine.dispose()
