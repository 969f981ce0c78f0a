"""The worker process: arq's worker on our terms, upkeep beside it, and an orderly end (service design, "Running it").

arq ends its worker when Redis goes away, and its signal handling can't hand jobs back and tell how. So this module
starts arq's worker again for as long as the process is wanted, and handles signals itself.
"""

import asyncio
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any

import structlog
from arq.worker import Function, Worker, func
from pydantic import ValidationError

from app import telemetry, wiring
from app.documents.job import JobKind
from app.errors import QueueUnavailable
from app.operations.claimed_job import ATTEMPT_SECONDS
from app.settings import Settings
from app.wiring import WorkerServices
from workers.job_functions import DESK, Desk, append, contextualize, ingest
from workers.upkeep import keep_up

#: One function for each kind of job.
FUNCTIONS: tuple[Function, ...] = (
    func(ingest, name=JobKind.INGEST.value),
    func(append, name=JobKind.APPEND.value),
    func(contextualize, name=JobKind.CONTEXTUALIZE.value),
)

#: Seconds between looks into the queue.
POLL_SECONDS = 0.2
HEALTH_SECONDS = 10
#: Attempts are counted in Postgres; arq's own count, which includes every handing back, must never end a job.
ARQ_TRIES = 1_000_000
#: Seconds before arq's worker is started again after Redis went away: the first pause, doubled up to the longest.
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0
#: At shutdown: seconds after which arq's worker is told again to stop.
CANCEL_AGAIN_SECONDS = 0.5
#: At shutdown: seconds that running jobs get to finish, and then to be handed back. Together well under 30.
FINISH_SECONDS, HAND_BACK_SECONDS = 15.0, 8.0
#: Seconds that a computation in a thread, which nobody can stop, may hold up the end of the process.
THREAD_SECONDS = 3.0

log = structlog.stdlib.get_logger(__name__)


def run() -> None:
    """Run a worker until SIGTERM or SIGINT; settings come from the environment."""
    try:
        settings = Settings()
    except ValidationError as error:
        sys.exit(f"context-atlas worker: {error}")
    telemetry.configure(settings.server.log_level, settings.server.log_format)
    asyncio.run(_serve_and_end(settings))


async def serve(settings: Settings) -> None:
    """Run jobs until this process is told to stop, then finish or hand back what runs."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with wiring.open_worker(settings) as services:
        name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        upkeep = asyncio.create_task(keep_up(services, name))
        log.info("worker_started", worker=name, jobs_at_once=services.worker_jobs)
        try:
            await JobRunner(services, name).run_until(stop)
        finally:
            upkeep.cancel()
            await asyncio.gather(upkeep, return_exceptions=True)
    log.info("worker_stopped", worker=name)


class JobRunner:
    """Runs arq's worker, again after every loss of the queue, and keeps hold of the jobs that run."""

    def __init__(self, services: WorkerServices, name: str) -> None:
        self._services = services
        self._name = name
        self._desk = Desk(
            worker=name,
            ingest_document=services.ingest_document,
            append_document=services.append_document,
            run_notes=services.run_notes,
            slots=asyncio.Semaphore(services.worker_jobs),
        )
        #: Jobs whose arq worker is gone; they go on, as Postgres, not Redis, says what a job is.
        self._outlived: set[asyncio.Task[Any]] = set()

    async def run_until(self, stop: asyncio.Event) -> None:
        """Run jobs until `stop` is set; return when the last one is finished or handed back."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            worker = self._new_worker()
            started = time.monotonic()
            try:
                with wiring.queue_failures():
                    await _run_worker(worker, stop)
            except QueueUnavailable:
                self._keep(worker.tasks.values())
                pause = FIRST_PAUSE if time.monotonic() - started > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
                await _wait(stop, pause)
            else:
                self._keep(worker.tasks.values())
        await self._finish()

    def _new_worker(self) -> Worker:
        return Worker(
            functions=FUNCTIONS,
            redis_pool=self._services.redis,
            job_deserializer=self._services.redis.job_deserializer,
            job_serializer=self._services.redis.job_serializer,
            max_jobs=self._services.worker_jobs,
            # The operations end an attempt that takes too long; arq is only a second line.
            job_timeout=ATTEMPT_SECONDS + 60,
            max_tries=ARQ_TRIES,
            keep_result=0,
            poll_delay=POLL_SECONDS,
            health_check_interval=HEALTH_SECONDS,
            health_check_key=f"arq:health-check:{self._name}",
            handle_signals=False,
            log_results=False,
            ctx={DESK: self._desk},
        )

    def _keep(self, tasks: Iterable[asyncio.Task[Any]]) -> None:
        for task in tasks:
            if task.done():
                self._let_go(task)
            else:
                self._outlived.add(task)
                task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[Any]) -> None:
        self._outlived.discard(task)
        if not task.cancelled() and task.exception() is not None:
            # The job itself is settled in Postgres; only arq could not be told. Its entry will be found done.
            log.warning("queue_not_told", reason=f"{type(task.exception()).__name__}: {task.exception()}")

    async def _finish(self) -> None:
        if not self._outlived:
            return
        log.info("finishing_jobs", running=len(self._outlived))
        _, running = await asyncio.wait(self._outlived, timeout=FINISH_SECONDS)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=HAND_BACK_SECONDS)


async def _run_worker(worker: Worker, stop: asyncio.Event) -> None:
    """Let arq start jobs until `stop` is set, or its connection fails; the jobs it started go on."""
    running = asyncio.create_task(worker.async_run())
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    finally:
        stopped.cancel()
        # A cancellation that meets the queue's client in the middle of an answer may be lost there, and arq polls on.
        while not running.done():
            running.cancel()
            await asyncio.wait({running}, timeout=CANCEL_AGAIN_SECONDS)
        await asyncio.gather(running, stopped, return_exceptions=True)


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


async def _serve_and_end(settings: Settings) -> None:
    """Serve, and see that the process ends although a thread still computes for a job that was handed back."""
    await serve(settings)
    timer = threading.Timer(THREAD_SECONDS, os._exit, args=(0,))
    timer.daemon = True
    timer.start()
