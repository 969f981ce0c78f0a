"""The job function of ingestion: unpack, call the operation, log how it went. The operation decides what comes back."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import structlog

from app.errors import LeaseLost, Unavailable
from app.operations.ingest_document import IngestDocument
from app.telemetry import bind

log = structlog.stdlib.get_logger(__name__)

#: Under this key of arq's context a job function finds its `Desk`.
DESK = "desk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a job function works with."""

    worker: str
    ingest_document: IngestDocument
    #: Bounds the jobs of this process; jobs that outlive a lost connection to the queue still count.
    slots: asyncio.Semaphore


async def ingest(ctx: dict[str, Any], job_id: str) -> None:
    """Run one attempt of an ingestion job.

    It never fails in the eyes of arq: Postgres knows what is to be run again, and the sweeper announces it.
    """
    desk: Desk = ctx[DESK]
    async with desk.slots:
        with bind(job_id=job_id):
            await _attempt(desk, job_id)


async def _attempt(desk: Desk, job_id: str) -> None:
    started = time.monotonic()
    try:
        status = await desk.ingest_document.run(job_id, desk.worker)
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
