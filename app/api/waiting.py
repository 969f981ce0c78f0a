"""Waiting for a job: long polls and `Prefer: wait=N` (service design, "Jobs over HTTP"; RFC 7240)."""

import asyncio
import re
import time

from fastapi import Request

from app.api.schemas.common import MAX_WAIT
from app.documents.job import Job
from app.ports.job_store import JobStore

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 0.5

_WAIT = re.compile(r"wait\s*=\s*\"?(\d{1,9})\"?")


def preferred_wait(prefer: str | None) -> int | None:
    """Return the seconds that a `Prefer` header asks to wait, at most `MAX_WAIT`; None when it asks for nothing.

    Preferences that are not understood are ignored, as RFC 7240 says.
    """
    for preference in (prefer or "").lower().split(","):
        match = _WAIT.fullmatch(preference.partition(";")[0].strip())
        if match:
            return min(int(match[1]), MAX_WAIT)
    return None


async def wait_for(job: Job, jobs: JobStore, seconds: float, request: Request) -> Job:
    """Return the job once it has finished, or as it is after `seconds`, or once the caller has gone."""
    deadline = time.monotonic() + seconds
    pause = FIRST_PAUSE
    while not job.status.finished:
        left = deadline - time.monotonic()
        if left <= 0 or await request.is_disconnected():
            break
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_PAUSE)
        job = await jobs.job(job.id)
    return job
