"""The only module that picks adapters. It builds what the API, the worker and the command line work with."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from arq.connections import ArqRedis
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters import arq_queue
from app.adapters.chat.completions import ChatCompletions, ChatServer
from app.adapters.chat.wire import Prices
from app.adapters.decisions.fallback import FallbackDecisionModel
from app.adapters.decisions.hosted import PROVIDERS, HostedDecisionModel
from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.adapters.decisions.rate_limit import SharedRateLimit
from app.adapters.postgres import health
from app.adapters.postgres import migrate as migrations
from app.adapters.postgres.decision_cache import PostgresDecisionCache
from app.adapters.postgres.document_store import PostgresDocumentStore
from app.adapters.postgres.engine import create_engine
from app.adapters.postgres.job_store import PostgresJobStore
from app.adapters.postgres.note_store import PostgresNoteStore
from app.adapters.postgres.term_index import PostgresTermIndex
from app.adapters.reader_process import ReaderPool
from app.adapters.reader_routes import NearestReader
from app.adapters.system_clock import SystemClock
from app.errors import AppError
from app.operations.accept_append import AcceptAppend
from app.operations.accept_document import AcceptDocument
from app.operations.accept_notes import AcceptNotes
from app.operations.announce_stranded import AnnounceStranded
from app.operations.append_document import AppendDocument
from app.operations.chunk import ChunkDocument
from app.operations.contextualize import Contextualize
from app.operations.ingest_document import IngestDocument
from app.operations.rank import Rank
from app.operations.retrieve import Retrieve
from app.operations.run_notes import RunNotes
from app.operations.search import Search
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.document_store import DocumentStore
from app.ports.job_queue import JobQueue
from app.ports.job_store import JobStore
from app.settings import DatabaseSettings, DecisionSettings, Settings

#: Checks one dependency: None when it is fine, else what is wrong, in a sentence.
Probe: TypeAlias = Callable[[], Awaitable[str | None]]

#: Seconds that readiness waits for each dependency.
PROBE_SECONDS = 3.0
#: Seconds after which a silent worker counts as gone (service design, `/readyz`).
WORKER_SILENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the API calls."""

    settings: Settings
    documents: DocumentStore
    jobs: JobStore
    queue: JobQueue
    accept_document: AcceptDocument
    accept_append: AcceptAppend
    accept_notes: AcceptNotes
    chunk: ChunkDocument
    contextualize: Contextualize
    retrieve: Retrieve
    search: Search
    rank: Rank
    probes: Mapping[str, Probe]

    async def readiness(self) -> Mapping[str, str | None]:
        """Check every dependency at once: by name, None when it is fine, else what is wrong."""
        found = await asyncio.gather(*(_bounded(probe) for probe in self.probes.values()))
        return dict(zip(self.probes, found, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerServices:
    """What a worker process calls."""

    jobs: JobStore
    ingest_document: IngestDocument
    append_document: AppendDocument
    run_notes: RunNotes
    announce_stranded: AnnounceStranded
    #: The queue as arq's worker takes it; reconnects by itself.
    redis: ArqRedis
    worker_jobs: int
    retention_days: int


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """Build what the API needs, and close it when the block ends. Nothing is connected to before it is used."""
    async with AsyncExitStack() as stack:
        engine = _open_engine(stack, settings.database)
        queue = arq_queue.ArqQueue(_open_redis(stack, settings))
        model = _open_decision_model(stack, settings)
        cache = _decision_cache(engine, settings.decisions)
        jobs = PostgresJobStore(engine, max_tries=settings.queue.max_tries)
        documents = PostgresDocumentStore(engine)
        term_index = PostgresTermIndex(engine)
        clock = SystemClock()
        yield Services(
            settings=settings,
            documents=documents,
            jobs=jobs,
            queue=queue,
            accept_document=AcceptDocument(jobs, queue),
            accept_append=AcceptAppend(jobs, queue),
            accept_notes=AcceptNotes(jobs, queue),
            chunk=ChunkDocument(
                reader=NearestReader(_open_readers(stack, settings)),
                decisions=model,
                cache=cache,
                max_questions=settings.decisions.max_per_job,
            ),
            contextualize=_contextualize(stack, settings),
            retrieve=Retrieve(
                term_index=term_index,
                vector_search=None,
                documents=documents,
                decisions=model,
                cache=cache,
                clock=clock,
                max_questions=settings.decisions.max_per_query,
            ),
            search=Search(term_index=term_index, vector_search=None, documents=documents, clock=clock),
            rank=Rank(decisions=model, cache=cache),
            probes=_probes(engine, queue, jobs),
        )


@asynccontextmanager
async def open_worker(settings: Settings) -> AsyncIterator[WorkerServices]:
    """Build what a worker needs, and close it when the block ends. Nothing is connected to before it is used."""
    async with AsyncExitStack() as stack:
        engine = _open_engine(stack, settings.database)
        redis = _open_redis(stack, settings)
        model = _open_decision_model(stack, settings)
        reader = _open_readers(stack, settings)
        jobs = PostgresJobStore(engine, max_tries=settings.queue.max_tries)
        documents = PostgresDocumentStore(engine)
        cache = _decision_cache(engine, settings.decisions)
        clock = SystemClock()
        yield WorkerServices(
            jobs=jobs,
            ingest_document=IngestDocument(
                jobs=jobs,
                documents=documents,
                reader=reader,
                decisions=model,
                cache=cache,
                clock=clock,
                max_questions=settings.decisions.max_per_job,
                max_tries=settings.queue.max_tries,
                lease_seconds=settings.queue.lease_seconds,
            ),
            append_document=AppendDocument(
                jobs=jobs,
                documents=documents,
                reader=reader,
                decisions=model,
                cache=cache,
                clock=clock,
                max_questions=settings.decisions.max_per_job,
                max_tries=settings.queue.max_tries,
                lease_seconds=settings.queue.lease_seconds,
            ),
            run_notes=RunNotes(
                jobs=jobs,
                notes=PostgresNoteStore(engine),
                contextualize=_contextualize(stack, settings),
                clock=clock,
                max_tries=settings.queue.max_tries,
                lease_seconds=settings.queue.lease_seconds,
            ),
            announce_stranded=AnnounceStranded(jobs, arq_queue.ArqQueue(redis)),
            redis=redis,
            worker_jobs=settings.queue.worker_jobs,
            retention_days=settings.queue.retention_days,
        )


#: Failures to reach the queue, as a worker's run meets them: a context manager that raises `QueueUnavailable`.
queue_failures = arq_queue.translated


def migrate(settings: Settings) -> None:
    """Bring the database to this build's schema."""
    migrations.upgrade(settings.database.url.get_secret_value())


def _open_engine(stack: AsyncExitStack, settings: DatabaseSettings) -> AsyncEngine:
    engine = create_engine(
        settings.url.get_secret_value(), pool_size=settings.pool_size, connect_timeout=settings.connect_timeout
    )
    stack.push_async_callback(engine.dispose)
    return engine


def _open_readers(stack: AsyncExitStack, settings: Settings) -> ReaderPool:
    limits = settings.limits
    readers = ReaderPool(
        processes=limits.reader_processes, seconds=limits.reader_seconds, memory_mb=limits.reader_memory_mb
    )
    stack.push_async_callback(readers.close)
    return readers


def _open_redis(stack: AsyncExitStack, settings: Settings) -> ArqRedis:
    redis = arq_queue.connect(settings.queue.redis_url.get_secret_value())
    stack.push_async_callback(redis.aclose, close_connection_pool=True)
    return redis


def _open_decision_model(stack: AsyncExitStack, settings: Settings) -> DecisionModel | None:
    """Pick who answers questions: unset is hosted when there is a key, else offline; `none` is nobody (ruling 25)."""
    decisions = settings.decisions
    key = decisions.openrouter_api_key if decisions.provider == "openrouter" else decisions.api_key
    choice = decisions.model or ("hosted" if key is not None else "offline")
    if choice == "none":
        return None
    # Settings refuse `hosted` without its key.
    if choice == "offline" or key is None:
        return OfflineDecisionModel()
    hosted = _hosted(settings, key.get_secret_value())
    stack.push_async_callback(hosted.close)
    return FallbackDecisionModel(hosted, _open_offline(stack)) if decisions.fallback == "offline" else hosted


def _open_offline(stack: AsyncExitStack) -> OfflineDecisionModel:
    model = OfflineDecisionModel()
    stack.push_async_callback(asyncio.wait, {asyncio.create_task(model.load())})
    return model


def _hosted(settings: Settings, key: str) -> HostedDecisionModel:
    decisions = settings.decisions
    provider = PROVIDERS[decisions.provider]
    return HostedDecisionModel(
        replace(
            provider,
            base_url=decisions.base_url or provider.base_url,
            model=decisions.hosted_model or provider.model,
        ),
        api_key=key,
        timeout_seconds=decisions.timeout_seconds,
        concurrency=decisions.concurrency,
        rate_limit=SharedRateLimit(settings.queue.redis_url.get_secret_value(), decisions.max_rps),
    )


def _contextualize(stack: AsyncExitStack, settings: Settings) -> Contextualize:
    chat = settings.chat
    if chat.base_url is None or chat.model is None:
        return Contextualize(model=None, concurrency=chat.concurrency)
    priced = chat.input_price is not None and chat.output_price is not None
    server = ChatServer(
        base_url=chat.base_url,
        model=chat.model,
        api_key=None if chat.api_key is None else chat.api_key.get_secret_value(),
        prices=Prices(input=chat.input_price or 0.0, output=chat.output_price or 0.0) if priced else None,
    )
    model = ChatCompletions(server, timeout_seconds=chat.timeout_seconds, concurrency=chat.concurrency)
    stack.push_async_callback(model.close)
    return Contextualize(model=model, concurrency=chat.concurrency)


def _decision_cache(engine: AsyncEngine, settings: DecisionSettings) -> DecisionCache | None:
    if settings.cache_max_entries == 0:
        return None
    return PostgresDecisionCache(engine, max_entries=settings.cache_max_entries, max_age_days=settings.cache_days)


def _probes(engine: AsyncEngine, queue: JobQueue, jobs: JobStore) -> Mapping[str, Probe]:
    async def postgres() -> str | None:
        await health.ping(engine)
        return None

    async def schema() -> str | None:
        return None if await migrations.is_current(engine) else "The database needs `context-atlas migrate`."

    async def redis() -> str | None:
        await queue.ping()
        return None

    async def worker() -> str | None:
        if not await migrations.is_current(engine):
            return "Not known before the database is migrated."
        age = await jobs.newest_beat_age()
        if age is None:
            return "No worker has started yet."
        return None if age <= WORKER_SILENCE_SECONDS else f"No worker was heard of for {age:.0f} s."

    return {"postgres": postgres, "migrations": schema, "redis": redis, "worker": worker}


async def _bounded(probe: Probe) -> str | None:
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return await probe()
    except TimeoutError:
        return f"No answer within {PROBE_SECONDS:.0f} s."
    except AppError as error:
        return error.detail
