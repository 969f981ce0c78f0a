"""What holds when many act at once, and when the database goes away in the middle."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import create_engine
from app.adapters.postgres.health import ping
from app.adapters.postgres.job_store import PostgresJobStore
from app.documents.document import LinkType, Page
from app.documents.job import IdempotencyKey, JobKind, JobStatus
from app.errors import DatabaseUnavailable, IdempotencyConflict, JobCancelled
from app.ports.term_index import TermSpace
from tests.builders import a_document
from tests.contract.conftest import MAX_TRIES, Stores, an_upload, in_parts
from tests.postgres.conftest import count, kill_whoever_waits, rows

pytestmark = pytest.mark.anyio

TABLES_OF_A_DOCUMENT = ("units", "links", "segments", "postings")


async def test_twenty_equal_requests_under_one_key_give_one_job(stores: Stores, engine: AsyncEngine) -> None:
    key = IdempotencyKey(key="k", body_hash="1")
    answers = await asyncio.gather(*(stores.accept(an_upload(), key=key) for _ in range(20)))

    assert {answer.job.id for answer in answers} == {answers[0].job.id}
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 19
    assert (await count(engine, "jobs"), await count(engine, "documents")) == (1, 1)
    with pytest.raises(IdempotencyConflict):
        await stores.accept(an_upload(), key=replace(key, body_hash="2"))


async def test_requests_at_once_get_versions_of_their_own(stores: Stores, engine: AsyncEngine) -> None:
    answers = await asyncio.gather(*(stores.accept(an_upload(force=True)) for _ in range(20)))
    assert {answer.job.version for answer in answers} == set(range(1, 21))
    assert await count(engine, "collections") == 1


async def test_one_of_many_workers_gets_a_job(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    claims = await asyncio.gather(
        *(stores.jobs.claim(job.id, f"worker {number}", lease_seconds=30) for number in range(20))
    )
    assert len([claim for claim in claims if claim is not None]) == 1


async def test_many_sweepers_at_once_fail_a_worn_out_job_once(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    for _ in range(MAX_TRIES):
        await stores.claim(job, lease_seconds=-1)
    waiting = (await stores.accept(an_upload("faq"))).job

    found = await asyncio.gather(*(stores.jobs.stranded() for _ in range(8)))

    assert (await stores.jobs.job(job.id)).status is JobStatus.FAILED
    assert all((JobKind.INGEST, waiting.id, 0) in each for each in found)


async def test_a_reader_sees_the_old_version_or_the_new_one(stores: Stores) -> None:
    even = a_document("even pump", "even valve", needs=[("p2", "p1")])
    odd = a_document("odd pump", "odd valve", "odd seal", needs=[("p2", "p1"), ("p3", "p1")])
    await stores.put(even)
    writing = asyncio.create_task(_alternate(stores, odd, even))
    while not writing.done():
        stored = (await stores.documents.document("default", "terms")).document
        answer = await stores.index.search("default", "pump seal", space=TermSpace.EXACT, limit=9, documents=None)
        kinds = {unit.text.split()[0] for unit in stored.units}
        found = {hit.unit.text for hit in answer.hits}
        assert (kinds, len(stored.links)) in [({"even"}, 1), ({"odd"}, 2)]
        assert found in [{"even pump"}, {"odd pump", "odd seal"}]
        links = await stores.documents.linked(answer.hits, [LinkType.NEEDS])
        assert all(link.unit.version == link.other.version for link in links)
    await writing


async def _alternate(stores: Stores, *documents: object) -> None:
    for number in range(20):
        await stores.put(documents[number % len(documents)])  # type: ignore[arg-type]  # documents, as passed above


async def test_writers_of_the_same_ids_neither_deadlock_nor_mix(stores: Stores, engine: AsyncEngine) -> None:
    async def write(number: int) -> None:
        name = f"document {number % 3}"
        await stores.put(a_document(f"text {number}", f"pump of {number}", id=name, needs=[("p2", "p1")]))

    await asyncio.gather(*(write(number) for number in range(24)))

    summaries, _ = await stores.documents.documents("default", Page(None, 10))
    # Every document was accepted eight times; the last version accepted is the one that stays.
    assert [summary.version for summary in summaries] == [8, 8, 8]
    assert (await count(engine, "units"), await count(engine, "segments")) == (6, 3)
    answer = await stores.index.search("default", "pump", space=TermSpace.EXACT, limit=99, documents=None)
    assert len(answer.hits) == 3


async def test_removals_and_writes_of_one_id_end_whole(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("pump on", "valve off"))

    async def write() -> None:
        claim = await stores.jobs.claim((await stores.accept(an_upload(force=True))).job.id, "worker", lease_seconds=30)
        # The removal may have called the job off before it was claimed.
        if claim is not None:
            await stores.commit(claim, a_document("pump on", "valve off"))

    ends = await asyncio.gather(
        *(write() for _ in range(6)), stores.documents.remove("default", "terms"), return_exceptions=True
    )
    assert [type(end) for end in ends if end is not None and not isinstance(end, JobCancelled)] == []
    live = (await stores.documents.documents("default", Page(None, 10)))[0]
    expected = 2 if live else 0
    assert await count(engine, "units") == expected
    assert await count(engine, "segments") == len(live)


async def test_nothing_of_a_removed_document_stays(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("pump on", "valve off", needs=[("p2", "p1")]))
    assert all([await count(engine, table) for table in TABLES_OF_A_DOCUMENT])
    await stores.documents.remove("default", "terms")
    assert [await count(engine, table) for table in TABLES_OF_A_DOCUMENT] == [0, 0, 0, 0]


async def test_a_replaced_version_leaves_nothing_behind(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("pump on", "valve off", needs=[("p2", "p1")], language="de"))
    await stores.put(a_document("seal"))
    # One unit of one term, in either space.
    assert [await count(engine, table) for table in TABLES_OF_A_DOCUMENT] == [1, 0, 1, 2]
    assert await count(engine, "uploads") == 0


async def test_a_connection_killed_before_the_commit_leaves_nothing_half(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("before"))
    claim = await stores.claimed(an_upload(force=True))
    async with engine.connect() as blocker:
        # The commit's last step is to note the document's language in the collection, which waits for this.
        await blocker.execute(text("SELECT 1 FROM collections FOR UPDATE"))
        committing = asyncio.create_task(stores.commit(claim, a_document("after", "after too", language="de")))
        await kill_whoever_waits(engine)
        with pytest.raises(DatabaseUnavailable):
            await committing
    stored = await stores.documents.document("default", "terms")
    assert (stored.version, [unit.text for unit in stored.document.units]) == (1, ["before"])
    assert [await count(engine, table) for table in TABLES_OF_A_DOCUMENT] == [1, 0, 1, 2]

    assert (await stores.jobs.job(claim.job.id)).status is JobStatus.RUNNING
    assert (await stores.commit(claim, a_document("after", language="de"))).status is JobStatus.SUCCEEDED
    assert (await stores.documents.document("default", "terms")).version == 2


async def test_an_upload_killed_before_the_commit_is_not_there(stores: Stores, engine: AsyncEngine) -> None:
    await stores.accept(an_upload("faq"))
    key = IdempotencyKey(key="k", body_hash="1")
    async with engine.connect() as blocker:
        await blocker.execute(text("SELECT 1 FROM documents FOR UPDATE"))
        accepting = asyncio.create_task(stores.accept(an_upload("faq", force=True), key=key))
        await kill_whoever_waits(engine)
        with pytest.raises(DatabaseUnavailable):
            await accepting
    assert (await count(engine, "jobs"), await count(engine, "idempotency_keys")) == (1, 0)


async def test_a_server_that_is_not_there_is_unavailable(database_url: str) -> None:
    engine = create_engine(f"{database_url}-not", connect_timeout=2)
    with pytest.raises(DatabaseUnavailable):
        await ping(engine)
    with pytest.raises(DatabaseUnavailable):
        await PostgresJobStore(engine, MAX_TRIES).accept(an_upload(), in_parts(b""), None)
    await engine.dispose()


async def test_a_pool_that_is_used_up_is_unavailable(database_url: str) -> None:
    engine = create_engine(database_url, pool_size=1, connect_timeout=0.1)
    async with engine.connect() as held:
        await held.execute(text("SELECT 1"))
        with pytest.raises(DatabaseUnavailable):
            await ping(engine)
    await ping(engine)
    await engine.dispose()


async def test_a_connection_that_died_while_idle_is_replaced(engine: AsyncEngine, database_url: str) -> None:
    await ping(engine)
    other = create_engine(database_url)
    await rows(
        other,
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """,
    )
    await other.dispose()
    await ping(engine)


async def test_prepared_statements_can_be_switched_on(database_url: str) -> None:
    engine = create_engine(database_url, prepared_statements=True)
    for _ in range(8):
        await ping(engine)
    await engine.dispose()
