"""Jobs on the real queue and the real database: nothing is lost, nothing is done twice (cases P17, P23, P26)."""

import asyncio
import signal
from collections.abc import Callable
from dataclasses import replace

import pytest
from arq.connections import ArqRedis

import workers.main
from app.adapters.arq_queue import ArqQueue, connect
from app.documents.job import IdempotencyKey, JobKind, JobStage, JobStatus
from app.documents.markup import Parsed
from app.errors import IdempotencyConflict
from app.operations.announce_stranded import AnnounceStranded
from app.operations.ingest_document import NO_TEXT
from app.ports.reader_runner import ReaderRunner, Source
from app.settings import Settings
from app.wiring import WorkerServices
from tests.fakes.systemone_server import Reply, systemone_server
from tests.workers.conftest import Door, WorkerProcess, running_worker

pytestmark = pytest.mark.anyio

MakeSettings = Callable[..., Settings]
StartWorker = Callable[[], WorkerProcess]

#: One passage.
MANUAL = "# Pump\n\nBolt the pump to the floor. Press start.\n\n"


class Reader:
    """Delegates to the real reader, but for documents whose text says otherwise."""

    def __init__(self, inner: ReaderRunner) -> None:
        self._inner = inner
        #: Documents that say `wait` are read once this is set.
        self.gate = asyncio.Event()
        self.reads = 0

    async def read(self, source: Source) -> Parsed:
        self.reads += 1
        if b"poison" in source.data:
            raise RuntimeError("The reader died.")
        if b"wait" in source.data:
            await self.gate.wait()
        return await self._inner.read(source)


class Readers:
    """Puts a `Reader` into a worker's services."""

    def __init__(self) -> None:
        self.reader: Reader | None = None

    def __call__(self, services: WorkerServices) -> WorkerServices:
        self.reader = Reader(services.ingest_document.reader)
        return replace(services, ingest_document=replace(services.ingest_document, reader=self.reader))

    def open(self) -> None:
        assert self.reader is not None
        self.reader.gate.set()


async def flush(redis_url: str) -> None:
    client: ArqRedis = connect(redis_url)
    await client.flushall()
    await client.aclose(close_connection_pool=True)


def test_there_is_a_function_for_every_kind_of_job() -> None:
    assert {function.name for function in workers.main.FUNCTIONS} == {kind.value for kind in JobKind}


async def test_an_accepted_document_is_ingested(settings: MakeSettings, door: Door) -> None:
    async with running_worker(settings()):
        accepted = await door.accept(MANUAL)
        job = await door.finished(accepted.job.id)

    assert job.status is JobStatus.SUCCEEDED
    assert (job.attempt, job.error, job.units) == (1, None, 1)
    (text,) = await door.unit_texts()
    assert text.endswith("Bolt the pump to the floor. Press start.")


async def test_a_document_without_text_succeeds_without_units(settings: MakeSettings, door: Door) -> None:
    async with running_worker(settings()):
        job = await door.finished((await door.accept(" \n\n")).job.id)

    assert (job.status, job.units) == (JobStatus.SUCCEEDED, 0)
    assert NO_TEXT in job.warnings


async def test_nul_characters_are_replaced_and_warned_of(settings: MakeSettings, door: Door) -> None:
    async with running_worker(settings()):
        job = await door.finished((await door.accept("pump\x00 on")).job.id)

    assert job.status is JobStatus.SUCCEEDED
    assert await door.unit_texts() == ["pump\ufffd on"]
    assert any("NUL" in warning for warning in job.warnings)


async def test_a_document_that_its_reader_refuses_fails_with_the_reason(settings: MakeSettings, door: Door) -> None:
    async with running_worker(settings()):
        job = await door.finished((await door.accept(b"%PDF-1.7\n\x93\x8c\x8b\x9e\n")).job.id)

    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert job.error["status"] in {415, 422}
    assert job.attempt == 1


async def test_redis_emptied_after_the_acceptance_loses_no_job(
    settings: MakeSettings, door: Door, redis_url: str
) -> None:
    accepted = await door.accept(MANUAL)
    await flush(redis_url)

    async with running_worker(settings()):
        job = await door.finished(accepted.job.id)

    assert job.status is JobStatus.SUCCEEDED


async def test_twenty_requests_with_one_idempotency_key_are_one_job(settings: MakeSettings, door: Door) -> None:
    key = IdempotencyKey(key="once", body_hash="a" * 64)

    accepted = await asyncio.gather(*(door.accept(MANUAL, key=key) for _ in range(20)))

    assert len({answer.job.id for answer in accepted}) == 1
    assert sorted(answer.replayed for answer in accepted) == [False] + [True] * 19
    with pytest.raises(IdempotencyConflict):
        await door.accept("# Other\n", key=replace(key, body_hash="b" * 64))
    async with running_worker(settings()):
        assert (await door.finished(accepted[0].job.id)).version == 1


@pytest.mark.slow
async def test_a_killed_workers_job_runs_again_and_leaves_one_set_of_units(
    settings: MakeSettings, door: Door, start_worker: StartWorker
) -> None:
    with systemone_server(Reply(delay=60), Reply()) as server:
        settings(
            DECISION_MODEL="hosted",
            TYPESAFE_API_KEY="key-of-a-test",
            TYPESAFE_BASE_URL=server.url,
            JEV_TIMEOUT_SECONDS="90",
        )
        accepted = await door.accept(MANUAL)
        first = start_worker()
        await door.until(accepted.job.id, lambda job: bool(server.received))
        await first.end(signal.SIGKILL)
        await asyncio.sleep(2)  # its lease

        start_worker()
        job = await door.finished(accepted.job.id)

    assert (job.status, job.attempt, job.version) == (JobStatus.SUCCEEDED, 2, 1)
    assert len(await door.unit_texts()) == job.units == 1


@pytest.mark.slow
async def test_a_worker_that_is_told_to_stop_finishes_its_job_and_exits_cleanly(
    settings: MakeSettings, door: Door, start_worker: StartWorker
) -> None:
    with systemone_server(Reply(delay=1.5)) as server:
        settings(DECISION_MODEL="hosted", TYPESAFE_API_KEY="key-of-a-test", TYPESAFE_BASE_URL=server.url)
        accepted = await door.accept(MANUAL)
        worker = start_worker()
        await door.until(accepted.job.id, lambda job: bool(server.received))

        assert await worker.end(signal.SIGTERM) == 0

    assert (await door.jobs.job(accepted.job.id)).status is JobStatus.SUCCEEDED
    assert "key-of-a-test" not in worker.log()
    assert "Press start" not in worker.log()


async def test_a_job_that_cannot_finish_in_time_is_handed_back_without_losing_an_attempt(
    settings: MakeSettings, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.main, "FINISH_SECONDS", 0.2)
    accepted = await door.accept(MANUAL + "wait")

    async with running_worker(settings(), Readers()) as stop:
        await door.running(accepted.job.id)
        await stop()
        handed_back = await door.jobs.job(accepted.job.id)

    assert handed_back.status is JobStatus.QUEUED

    readers = Readers()
    async with running_worker(settings(), readers):
        await door.running(accepted.job.id)
        readers.open()
        job = await door.finished(accepted.job.id)
    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 1)


async def test_a_running_job_can_be_cancelled_and_its_document_sent_again(settings: MakeSettings, door: Door) -> None:
    async with running_worker(settings(), Readers()):
        first = await door.accept(MANUAL + "wait")
        await door.running(first.job.id)

        await door.jobs.cancel(first.job.id)
        second = await door.accept(MANUAL)

        assert (await door.finished(first.job.id)).status is JobStatus.CANCELLED
        assert (await door.finished(second.job.id)).status is JobStatus.SUCCEEDED
    assert len(await door.unit_texts()) == 1


async def test_a_document_that_kills_its_reader_fails_after_its_attempts_while_others_go_on(
    settings: MakeSettings, door: Door, redis_url: str
) -> None:
    client = connect(redis_url)
    sweep = AnnounceStranded(door.jobs, ArqQueue(client))
    async with running_worker(settings(WORKER_JOBS="1"), Readers()):
        poison = await door.accept("poison", "poison")
        others = [await door.accept(f"# Pump {number}\n\nText.\n", f"pump-{number}") for number in range(3)]
        for other in others:
            assert (await door.finished(other.job.id)).status is JobStatus.SUCCEEDED
        while not (await door.jobs.job(poison.job.id)).status.finished:
            await sweep.run(patience_seconds=0)
            await asyncio.sleep(0.1)
        job = await door.jobs.job(poison.job.id)
    await client.aclose(close_connection_pool=True)

    assert (job.status, job.attempt) == (JobStatus.FAILED, 3)
    assert job.error is not None
    assert job.error["status"] == 500
    assert "The reader died" not in str(job.error)


async def test_progress_can_be_followed(settings: MakeSettings, door: Door) -> None:
    async with running_worker(settings(), Readers()):
        accepted = await door.accept(MANUAL + "wait")
        job = await door.until(accepted.job.id, lambda job: job.stage is not None)
        await door.jobs.cancel(accepted.job.id)

    assert (job.status, job.stage) == (JobStatus.RUNNING, JobStage.READ)


async def test_a_worker_shows_that_it_is_alive(settings: MakeSettings, door: Door) -> None:
    assert await door.jobs.newest_beat_age() is None
    async with running_worker(settings()):
        async with asyncio.timeout(10):
            while (age := await door.jobs.newest_beat_age()) is None:
                await asyncio.sleep(0.05)

    assert 0 <= age < 10
