"""Appends and exports on the real queue and the real database: nothing is lost, nothing is done twice."""

import asyncio
import hashlib
import json
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

import pytest
from arq.connections import ArqRedis
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.arq_queue import ArqQueue, connect
from app.documents.block import Block, BlockType, Conversation, ParsedDocument, ParsedExport
from app.documents.job import Job, JobStatus, Upload
from app.documents.markup import Parsed
from app.operations.accept_append import AcceptAppend
from app.operations.accept_document import INGESTION_VERSION
from app.operations.ingest_document import IngestDocument
from app.ports.document_store import DocumentStore
from app.ports.reader_runner import Source
from app.settings import Settings
from app.wiring import WorkerServices
from tests.fakes.systemone_server import Reply, systemone_server
from tests.workers.conftest import Door, WorkerProcess, running_worker

pytestmark = pytest.mark.anyio

MakeSettings = Callable[..., Settings]
StartWorker = Callable[[], WorkerProcess]


def said(content: str, speaker: str) -> dict[str, object]:
    return {"type": "paragraph", "text": content, "meta": {"speaker": speaker}}


@dataclass
class Appends:
    """Accepts what is to be appended as the API does."""

    operation: AcceptAppend

    async def accept(self, *blocks: dict[str, object], document: str = "manual") -> Job:
        data = json.dumps(blocks).encode()
        upload = Upload(
            collection="default",
            document=document,
            format="blocks",
            declared=True,
            content_hash=hashlib.sha256(data).hexdigest(),
            size=len(data),
            ingestion_version=INGESTION_VERSION,
        )
        return (await self.operation.run(upload, _stream(data), None)).job


async def _stream(data: bytes) -> AsyncIterator[bytes]:
    yield data


@pytest.fixture
async def appends(door: Door, redis_url: str) -> AsyncIterator[Appends]:
    client: ArqRedis = connect(redis_url)
    yield Appends(AcceptAppend(door.jobs, ArqQueue(client)))
    await client.aclose(close_connection_pool=True)


async def opened(door: Door) -> None:
    """Ingest a conversation of one message."""
    await door.finished((await door.accept("Ana: Hi there.\n", profile="conversational")).job.id)


async def test_appends_at_once_run_one_after_the_other_without_waiting_for_the_sweeper(
    settings: MakeSettings, door: Door, appends: Appends
) -> None:
    async with running_worker(settings(WORKER_JOBS="4")):
        await opened(door)
        jobs = await asyncio.gather(*(appends.accept(said(f"Word {number}.", "Cy")) for number in range(20)))
        # A sweeper that had to announce each of them would take 15 s a job.
        async with asyncio.timeout(20):
            ended = [await door.finished(job.id) for job in jobs]

    assert {(job.status, job.attempt) for job in ended} == {(JobStatus.SUCCEEDED, 1)}
    accepted = sorted(range(20), key=lambda number: jobs[number].version or 0)
    texts = await door.unit_texts()
    assert [each.split("\n")[1] for each in texts[1:]] == [f"Word {number}." for number in accepted]


async def test_an_append_behind_one_that_fails_is_done(settings: MakeSettings, door: Door, appends: Appends) -> None:
    async with running_worker(settings()):
        await opened(door)
        bad = await appends.accept({"type": "no such type"})
        good = await appends.accept(said("Word.", "Cy"))
        assert (await door.finished(bad.id)).status is JobStatus.FAILED
        assert (await door.finished(good.id)).status is JobStatus.SUCCEEDED
    assert (await door.unit_texts())[1:] == ["[Cy]\nWord."]


@pytest.mark.slow
async def test_an_append_whose_worker_was_killed_is_done_once_and_the_next_one_behind_it(
    settings: MakeSettings, door: Door, appends: Appends, start_worker: StartWorker, engine: AsyncEngine
) -> None:
    async with running_worker(settings()):
        await opened(door)
    with systemone_server(Reply(delay=60), Reply()) as server:
        settings(
            DECISION_MODEL="hosted",
            TYPESAFE_API_KEY="key-of-a-test",
            TYPESAFE_BASE_URL=server.url,
            JEV_TIMEOUT_SECONDS="90",
        )
        first, second = await appends.accept(said("One.", "Cy")), await appends.accept(said("Two.", "Ana"))
        worker = start_worker()
        await door.until(first.id, lambda job: bool(server.received))
        await worker.end(signal.SIGKILL)
        await asyncio.sleep(2)  # its lease

        start_worker()
        done, behind = await door.finished(first.id), await door.finished(second.id)

    assert (done.status, done.attempt, done.version) == (JobStatus.SUCCEEDED, 2, 2)
    assert (behind.status, behind.attempt, behind.version) == (JobStatus.SUCCEEDED, 1, 3)
    assert (await door.unit_texts())[1:] == ["[Cy]\nOne.", "[Ana]\nTwo."]
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT units FROM segments"))).scalars().all()
    assert found == [3]


async def test_redis_emptied_after_the_acceptance_loses_no_append(
    settings: MakeSettings, door: Door, appends: Appends, redis_url: str
) -> None:
    async with running_worker(settings()):
        await opened(door)
    jobs = [await appends.accept(said(f"Word {number}.", "Cy")) for number in range(3)]
    client: ArqRedis = connect(redis_url)
    await client.flushall()
    await client.aclose(close_connection_pool=True)

    async with running_worker(settings()):
        assert {(await door.finished(job.id)).status for job in jobs} == {JobStatus.SUCCEEDED}
    assert len(await door.unit_texts()) == 4


class ExportReader:
    """Reads lines as the conversations of an export."""

    async def read(self, source: Source) -> Parsed:
        return ParsedExport(
            conversations=tuple(
                Conversation(
                    id=line,
                    document=ParsedDocument(
                        blocks=(Block(type=BlockType.PARAGRAPH, text=f"Of {line}.", meta={"speaker": "user"}),)
                    ),
                )
                for line in source.data.decode().split()
            )
        )


class Dying:
    """Gives out a store whose process goes away at its third part: the lease is kept by nobody then."""

    def __init__(self, operation: IngestDocument) -> None:
        self.stores: list[str] = []
        self._inner = operation.documents

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def put_part(self, *args: object) -> None:
        self.stores.append("part")
        if len(self.stores) == 3:
            raise ConnectionResetError("The process is gone.")
        await self._inner.put_part(*args)  # type: ignore[arg-type]  # what the port takes


async def test_an_export_that_was_interrupted_goes_on_where_it_was(
    settings: MakeSettings, door: Door, redis_url: str
) -> None:
    dying: list[Dying] = []

    def change(services: WorkerServices) -> WorkerServices:
        operation = replace(services.ingest_document, reader=ExportReader())
        dying.append(Dying(operation))
        documents: DocumentStore = dying[0]  # type: ignore[assignment]  # passes on what it doesn't have
        return replace(services, ingest_document=replace(operation, documents=documents))

    async with running_worker(settings(), change):
        accepted = await door.accept("a b c d e", "export")
        job = await door.finished(accepted.job.id)

    assert (job.status, job.attempt, job.units) == (JobStatus.SUCCEEDED, 2, 5)
    assert job.documents == tuple(f"export/{name}" for name in "abcde")
    assert (job.done, job.total) == (5, 5)
    # Two before, and the three that were left.
    assert len(dying[0].stores) == 6
    for name in "abcde":
        assert await door.unit_texts(f"export/{name}") == [f"[user]\nOf {name}."]
