"""The job functions: unpack, call the operation, log how it went. The operation decides what comes back."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import structlog

from app.documents.job import JobStatus
from app.errors import LeaseLost, Unavailable
from app.operations.append_document import AppendDocument
from app.operations.ingest_document import IngestDocument
from app.operations.run_notes import RunNotes
from app.telemetry import bind

log = structlog.stdlib.get_logger(__name__)

#: Under this key of arq's context a job function finds its `Desk`.
DESK = "desk"

#: Runs one attempt of the job of this id, for the worker of this name.
_Run: TypeAlias = Callable[[str, str], Awaitable[JobStatus | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a job function works with."""

    worker: str
    ingest_document: IngestDocument
    append_document: AppendDocument
    run_notes: RunNotes
    #: Bounds the jobs of this process; jobs that outlive a lost connection to the queue still count.
    slots: asyncio.Semaphore


async def ingest(ctx: dict[str, Any], job_id: str) -> None:
    """Run one attempt of an ingestion job."""
    desk: Desk = ctx[DESK]
    await _run(desk, desk.ingest_document.run, job_id)


async def append(ctx: dict[str, Any], job_id: str) -> None:
    """Run one attempt of an append, then those that waited for it: nobody else tells that it is their turn."""
    desk: Desk = ctx[DESK]
    waiting: str | None = job_id
    while waiting is not None and await _run(desk, desk.append_document.run, waiting):
        waiting = await _waiting_behind(desk, waiting)


async def contextualize(ctx: dict[str, Any], job_id: str) -> None:
    """Run one attempt of a job that writes notes."""
    desk: Desk = ctx[DESK]
    await _run(desk, desk.run_notes.run, job_id)


async def _waiting_behind(desk: Desk, job_id: str) -> str | None:
    """Return the append whose turn it is now; without an answer the sweeper will announce it."""
    try:
        return await desk.append_document.waiting_behind(job_id)
    except Unavailable as error:
        log.warning("appends_left_to_sweeper", reason=error.detail)
        return None


async def _run(desk: Desk, run: _Run, job_id: str) -> bool:
    """Run one attempt when there is a slot; return whether it ended the job.

    It never fails in the eyes of arq: Postgres knows what is to be run again, and the sweeper announces it.
    """
    async with desk.slots:
        with bind(job_id=job_id):
            return await _attempt(desk, run, job_id)


async def _attempt(desk: Desk, run: _Run, job_id: str) -> bool:
    started = time.monotonic()
    try:
        status = await run(job_id, desk.worker)
    except asyncio.CancelledError:
        log.info("job_handed_back", reason="This worker shuts down.")
        raise
    except LeaseLost as error:
        log.warning("job_lost", reason=error.detail)
    except Unavailable as error:
        log.warning("job_handed_back", reason=error.detail)
    except Exception:
        log.exception("job_attempt_failed")
    else:
        if status is not None:
            log.info("job_done", status=status.value, seconds=round(time.monotonic() - started, 3))
        return status is not None
    return False
