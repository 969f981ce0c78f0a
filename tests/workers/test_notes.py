"""Contextualizing jobs on the real queue and the real database: nothing is paid for twice."""

import asyncio
import json
import signal
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

import workers.main
from app.adapters.arq_queue import ArqQueue, connect
from app.documents.contextualizing import NoteOptions, NoteTask
from app.documents.job import IdempotencyKey, Job, JobStage, JobStatus
from app.operations.accept_notes import AcceptNotes
from app.settings import Settings
from tests.fakes.chat_server import NOTE, ChatServer, chat_server, completion, prompt_of, refusal
from tests.fakes.systemone_server import Received, Reply
from tests.workers.conftest import Door, WorkerProcess, running_worker

pytestmark = pytest.mark.anyio

MakeSettings = Callable[..., Settings]
StartWorker = Callable[[], WorkerProcess]

KEY = "sk-very-secret-0123456789"
SECRET = "The vault opens with 4711."
NO_USE = completion("I'm sorry, but I can't help with that.")


@pytest.fixture
async def accept(door: Door, redis_url: str) -> AsyncIterator[AcceptNotes]:
    client = connect(redis_url)
    yield AcceptNotes(door.jobs, ArqQueue(client))
    await client.aclose(close_connection_pool=True)


def a_task(count: int, **options: Any) -> NoteTask:  # noqa: ANN401 - those of NoteOptions
    chunks = [{"id": f"pump#{number}", "content": f"Step {number:02}.", "path": ["Pump"]} for number in range(count)]
    return NoteTask(document=f"# Pump\n\n{SECRET}", chunks=tuple(chunks), options=NoteOptions(**options))


def chat(server: ChatServer, **more: str) -> dict[str, str]:
    """The settings that point at a server."""
    return {"CHAT_BASE_URL": server.url, "CHAT_MODEL": "m-1", "CHAT_API_KEY": KEY, "CHAT_CONCURRENCY": "2", **more}


def step(received: Received) -> int:
    """Which chunk a request is about."""
    return int(prompt_of(received).partition("Step ")[2][:2])


def steps(server: ChatServer) -> list[int]:
    return sorted(step(received) for received in server.received)


async def result(door: Door, job: Job) -> dict[str, Any]:
    data = await door.jobs.result(job.id)
    assert data is not None
    found: dict[str, Any] = json.loads(data)
    return found


async def test_notes_are_written(settings: MakeSettings, door: Door, accept: AcceptNotes) -> None:
    with chat_server() as server:
        async with running_worker(settings(**chat(server, CHAT_INPUT_PRICE="1", CHAT_OUTPUT_PRICE="5"))):
            job = await door.finished((await accept.run(a_task(10), None)).job.id)

    assert (job.status, job.attempt, job.error) == (JobStatus.SUCCEEDED, 1, None)
    assert (job.stage, job.done, job.total) == (JobStage.COMMIT, 10, 10)
    found = await result(door, job)
    assert [chunk["id"] for chunk in found["chunks"]] == [f"pump#{number}" for number in range(10)]
    assert [chunk["text"] for chunk in found["chunks"]] == [f"[Pump]\n\n{NOTE}\n\nStep {n:02}." for n in range(10)]
    assert found["failures"] == []
    usage = {"requests": 10, "input_tokens": 10_000, "output_tokens": 400, "cached_tokens": 9_000}
    # 10,000 tokens at a dollar and 400 at five dollars a million.
    assert found["usage"] == {**usage, "cost_usd": pytest.approx(0.012)}
    assert server.most_busy <= 2


async def test_chunks_that_fail_are_listed(settings: MakeSettings, door: Door, accept: AcceptNotes) -> None:
    asked: dict[int, int] = {}

    def script(received: Received, _number: int) -> Reply:
        number = step(received)
        asked[number] = asked.get(number, 0) + 1
        if number == 2:
            return refusal(500, f"Broken; your key is {KEY}", retry_after="0")
        if number == 3 and asked[number] == 1:
            return refusal(429, "Slow down", retry_after="0")
        return NO_USE if number == 5 else completion()

    with chat_server(script) as server:
        async with running_worker(settings(**chat(server))):
            job = await door.finished((await accept.run(a_task(9), None)).job.id)

    assert job.status is JobStatus.SUCCEEDED
    found = await result(door, job)
    assert [(failure["index"], failure["id"]) for failure in found["failures"]] == [(2, "pump#2"), (5, "pump#5")]
    assert found["failures"][0]["reason"] == "The chat model m-1 answered 500: Broken; your key is ***."
    assert [chunk["context"] for chunk in found["chunks"]] == [NOTE if n not in {2, 5} else "" for n in range(9)]
    # Four attempts for the broken one, two for the one that came too soon.
    assert asked == {**dict.fromkeys(range(9), 1), 2: 4, 3: 2}
    assert found["usage"]["requests"] == 13


async def test_fail_fast_fails_the_job(settings: MakeSettings, door: Door, accept: AcceptNotes) -> None:
    with chat_server(lambda received, _number: NO_USE if step(received) == 1 else completion()) as server:
        async with running_worker(settings(**chat(server, CHAT_CONCURRENCY="1"))):
            job = await door.finished((await accept.run(a_task(9, fail_fast=True), None)).job.id)

    assert (job.status, job.attempt) == (JobStatus.FAILED, 1)
    assert job.error is not None
    assert (job.error["status"], job.error["type"]) == (503, "urn:context-atlas:problem:note-failed")
    assert steps(server) == [0, 1]
    assert await door.jobs.result(job.id) is None


async def test_a_worker_without_a_model_says_what_to_set(
    settings: MakeSettings, door: Door, accept: AcceptNotes
) -> None:
    async with running_worker(settings()):
        job = await door.finished((await accept.run(a_task(9), None)).job.id)

    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert "CHAT_BASE_URL" in str(job.error["detail"])


async def test_a_job_is_cancelled_between_calls(
    settings: MakeSettings, door: Door, accept: AcceptNotes, engine: AsyncEngine
) -> None:
    gate = threading.Event()

    def script(received: Received, _number: int) -> Reply:
        if step(received) >= 2:
            gate.wait(20)
        return completion()

    with chat_server(script) as server:
        async with running_worker(settings(**chat(server, CHAT_CONCURRENCY="1"))):
            job_id = (await accept.run(a_task(9), None)).job.id
            running = await door.until(job_id, lambda job: job.done == 2)
            assert (running.status, running.stage, running.total) == (JobStatus.RUNNING, JobStage.NOTES, 9)
            await door.jobs.cancel(job_id)
            gate.set()
            job = await door.finished(job_id)

    assert job.status is JobStatus.CANCELLED
    assert steps(server) == [0, 1, 2]
    assert await door.jobs.result(job_id) is None
    assert await _left(engine) == (0, 0)


async def test_a_job_that_is_handed_back_goes_on_where_it_stopped(
    settings: MakeSettings, door: Door, accept: AcceptNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.main, "FINISH_SECONDS", 0.2)
    gate = threading.Event()

    def script(received: Received, _number: int) -> Reply:
        if step(received) == 3 and not gate.is_set():
            gate.wait(20)
        return completion()

    with chat_server(script) as server:
        with_model = settings(**chat(server, CHAT_CONCURRENCY="1"))
        async with running_worker(with_model) as stop:
            job_id = (await accept.run(a_task(9), None)).job.id
            await door.until(job_id, lambda job: job.done == 3 and len(server.received) == 4)
            await stop()
        assert (await door.jobs.job(job_id)).status is JobStatus.QUEUED
        gate.set()
        async with running_worker(with_model):
            job = await door.finished(job_id)

    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 1)
    # The call that was under way is the only one made twice.
    assert steps(server) == [0, 1, 2, 3, 3, 4, 5, 6, 7, 8]
    assert (await result(door, job))["usage"]["requests"] == 9


@pytest.mark.slow
async def test_a_killed_workers_notes_are_not_paid_for_again(
    settings: MakeSettings, door: Door, accept: AcceptNotes, start_worker: StartWorker, engine: AsyncEngine
) -> None:
    gate = threading.Event()

    def script(received: Received, _number: int) -> Reply:
        if step(received) >= 6 and not gate.is_set():
            gate.wait(20)
        return completion()

    with chat_server(script) as server:
        settings(**chat(server))
        job_id = (await accept.run(a_task(12), None)).job.id
        first = start_worker()
        await door.until(job_id, lambda job: job.done == 6 and len(server.received) == 8)
        await first.end(signal.SIGKILL)
        gate.set()
        await asyncio.sleep(2)  # its lease

        second = start_worker()
        job = await door.finished(job_id)
        assert await second.end(signal.SIGTERM) == 0

    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 2)
    # Two calls were under way when the worker was killed.
    assert steps(server) == sorted([*range(12), 6, 7])
    found = await result(door, job)
    assert [chunk["context"] for chunk in found["chunks"]] == [NOTE] * 12
    assert found["usage"]["requests"] == 12
    assert await _left(engine) == (0, 0)
    for worker in (first, second):
        assert KEY not in worker.log()
        assert SECRET not in worker.log()


async def test_one_key_is_one_job(settings: MakeSettings, door: Door, accept: AcceptNotes) -> None:
    key = IdempotencyKey(key="once", body_hash="a" * 64)
    accepted = await asyncio.gather(*(accept.run(a_task(9), key) for _ in range(10)))

    assert len({answer.job.id for answer in accepted}) == 1
    with chat_server() as server:
        async with running_worker(settings(**chat(server))):
            await door.finished(accepted[0].job.id)
    assert steps(server) == list(range(9))


async def test_progress_counts_the_notes_that_are_wanted(
    settings: MakeSettings, door: Door, accept: AcceptNotes
) -> None:
    task = a_task(9, skip_if_present=True)
    noted = [{**chunk, "context": "Old."} if number < 4 else chunk for number, chunk in enumerate(task.chunks)]
    with chat_server() as server:
        async with running_worker(settings(**chat(server))):
            accepted = await accept.run(replace(task, chunks=tuple(noted)), None)
            job = await door.finished(accepted.job.id)

    assert (job.done, job.total) == (5, 5)
    assert steps(server) == [4, 5, 6, 7, 8]


async def test_both_kinds_run_on_one_worker(settings: MakeSettings, door: Door, accept: AcceptNotes) -> None:
    with chat_server() as server:
        async with running_worker(settings(**chat(server))):
            ingestion = await door.accept("# Pump\n\nPress start.\n")
            notes = await accept.run(a_task(9), None)
            finished = [await door.finished(job_id) for job_id in (ingestion.job.id, notes.job.id)]

    assert [job.status for job in finished] == [JobStatus.SUCCEEDED] * 2
    assert len(await door.unit_texts()) == 1


async def _left(engine: AsyncEngine) -> tuple[int, int]:
    """Rows of payloads and notes in the database."""
    async with engine.begin() as connection:
        row = (
            await connection.execute(text("SELECT (SELECT count(*) FROM uploads), (SELECT count(*) FROM notes)"))
        ).one()
    return row[0], row[1]
