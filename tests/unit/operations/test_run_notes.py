"""Attempts of contextualizing jobs that don't end well; those that do are tested on the real queue and database."""

import asyncio
from collections.abc import AsyncIterator

import pytest

import app.operations.run_notes
from app.documents.chat import ChatPrompt, ChatReply
from app.documents.contextualizing import NoteOptions, NoteTask
from app.documents.job import Job, JobKind, JobStatus
from app.errors import ChatModelUnavailable, DatabaseUnavailable, LeaseLost, Unavailable
from app.operations.contextualize import Contextualize
from app.operations.run_notes import RunNotes
from tests.fakes.chat_model import ScriptedChatModel, a_note
from tests.fakes.clock import ManualClock
from tests.fakes.job_store import MemoryJobStore, end
from tests.fakes.memory import Memory
from tests.fakes.note_store import MemoryNoteStore

pytestmark = pytest.mark.anyio

TASK = NoteTask(document="# Pump", chunks=({"content": "Press start."}, {"content": "Wait."}), options=NoteOptions())


class Stage:
    """One accepted job, its stores, and the operation."""

    def __init__(self, model: ScriptedChatModel) -> None:
        self.memory = Memory()
        self.jobs = MemoryJobStore(self.memory)
        self.model = model
        self.operation = RunNotes(
            jobs=self.jobs,
            notes=MemoryNoteStore(self.memory),
            contextualize=Contextualize(model=model, concurrency=1),
            clock=ManualClock(),
            max_tries=3,
            lease_seconds=30.0,
        )

    async def accept(self) -> Job:
        async def payload() -> AsyncIterator[bytes]:
            yield TASK.as_payload()

        return (await self.jobs.accept_work(JobKind.CONTEXTUALIZE, payload(), None)).job


async def test_an_unforeseen_failure_counts_an_attempt_and_the_last_one_fails_the_job() -> None:
    def script(_prompt: ChatPrompt) -> ChatReply:
        raise ZeroDivisionError("secret")

    stage = Stage(ScriptedChatModel(script))
    job = await stage.accept()
    for attempt in (1, 2):
        with pytest.raises(ZeroDivisionError):
            await stage.operation.run(job.id, "worker")
        waiting = await stage.jobs.job(job.id)
        assert (waiting.status, waiting.attempt) == (JobStatus.QUEUED, attempt)
    with pytest.raises(ZeroDivisionError):
        await stage.operation.run(job.id, "worker")

    failed = await stage.jobs.job(job.id)
    assert failed.status is JobStatus.FAILED
    assert failed.error is not None
    assert failed.error["status"] == 500
    assert "secret" not in str(failed.error)


async def test_a_database_that_is_away_costs_no_attempt_and_no_note() -> None:
    calls = 0

    def script(prompt: ChatPrompt) -> ChatReply:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise DatabaseUnavailable("Away.")
        return a_note(prompt)

    stage = Stage(ScriptedChatModel(script))
    job = await stage.accept()
    with pytest.raises(DatabaseUnavailable):
        await stage.operation.run(job.id, "worker")
    waiting = await stage.jobs.job(job.id)
    assert (waiting.status, waiting.attempt) == (JobStatus.QUEUED, 0)

    assert await stage.operation.run(job.id, "worker") is JobStatus.SUCCEEDED
    assert ["Press start." in prompt.user for prompt in stage.model.asked] == [True, False, False]


async def test_a_refused_key_fails_the_job_at_once() -> None:
    def script(_prompt: ChatPrompt) -> ChatReply:
        raise ChatModelUnavailable("The chat model m answered 401.", lasting=True)

    stage = Stage(ScriptedChatModel(script))
    job = await stage.accept()
    assert await stage.operation.run(job.id, "worker") is JobStatus.FAILED
    failed = await stage.jobs.job(job.id)
    assert failed.error is not None
    assert (failed.attempt, failed.error["detail"]) == (1, "The chat model m answered 401.")


async def test_an_attempt_that_takes_too_long_is_handed_back_with_what_it_brought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow(ScriptedChatModel):
        async def complete(self, prompt: ChatPrompt) -> ChatReply:
            if len(self.asked) == 1:
                self.asked.append(prompt)
                await asyncio.sleep(60)
            return await super().complete(prompt)

    monkeypatch.setattr(app.operations.run_notes, "ATTEMPT_SECONDS", 0.3)
    stage = Stage(Slow())
    job = await stage.accept()
    with pytest.raises(Unavailable, match="time is over"):
        await stage.operation.run(job.id, "worker")
    waiting = await stage.jobs.job(job.id)
    assert (waiting.status, waiting.attempt) == (JobStatus.QUEUED, 0)

    assert await stage.operation.run(job.id, "worker") is JobStatus.SUCCEEDED
    assert len(stage.model.asked) == 3


async def test_a_job_that_somebody_else_ended_is_left_alone() -> None:
    def script(prompt: ChatPrompt) -> ChatReply:
        end(stage.memory.jobs[job.id], JobStatus.FAILED)
        return a_note(prompt)

    stage = Stage(ScriptedChatModel(script))
    job = await stage.accept()
    with pytest.raises(LeaseLost):
        await stage.operation.run(job.id, "worker")
    assert (await stage.jobs.job(job.id)).status is JobStatus.FAILED
    assert await stage.operation.run(job.id, "worker") is None
