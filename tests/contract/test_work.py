"""What every `JobStore` does with jobs about no stored document."""

import pytest

from app.documents.document import Page
from app.documents.job import IdempotencyKey, JobKind, JobStatus
from app.errors import IdempotencyConflict, JobCancelled, LeaseLost
from tests.contract.conftest import MAX_TRIES, Stores, an_upload

pytestmark = pytest.mark.anyio

WORK = JobKind.CONTEXTUALIZE


async def test_accepted_work_is_a_queued_job_about_no_document(stores: Stores) -> None:
    job = await stores.accept_work(b"{}")

    assert (job.kind, job.status, job.attempt, job.queue_position) == (WORK, JobStatus.QUEUED, 0, 0)
    assert (job.collection, job.document, job.version) == (None, None, None)
    assert await stores.jobs.job(job.id) == job


async def test_a_lease_has_the_payload(stores: Stores) -> None:
    payload = bytes(range(256)) * 9000  # 2.3 MB: several rows
    lease = await stores.lease(await stores.accept_work(payload), "worker 1")

    assert (lease.worker, lease.job.status, lease.job.attempt) == ("worker 1", JobStatus.RUNNING, 1)
    assert b"".join([part async for part in stores.jobs.payload(lease)]) == payload


async def test_a_job_is_leased_as_what_it_is_only(stores: Stores) -> None:
    work, ingestion = await stores.accept_work(b"{}"), (await stores.accept(an_upload())).job

    assert await stores.jobs.claim(work.id, "worker", lease_seconds=30) is None
    assert await stores.jobs.lease(WORK, ingestion.id, "worker", lease_seconds=30) is None
    assert (await stores.claim(ingestion)).job.kind is JobKind.INGEST
    assert (await stores.lease(work)).job.kind is WORK


async def test_jobs_of_both_kinds_are_listed_and_only_ingestions_are_a_collections(stores: Stores) -> None:
    work, ingestion = await stores.accept_work(b"{}"), (await stores.accept(an_upload())).job

    every, _ = await stores.jobs.jobs(Page(None, 10), collection=None, document=None, status=None)
    of_collection, _ = await stores.jobs.jobs(Page(None, 10), collection="default", document=None, status=None)
    assert [job.id for job in every] == [ingestion.id, work.id]
    assert [job.id for job in of_collection] == [ingestion.id]


async def test_stranded_jobs_come_with_their_kind(stores: Stores) -> None:
    work, ingestion = await stores.accept_work(b"{}"), (await stores.accept(an_upload())).job
    assert await stores.jobs.stranded() == [(WORK, work.id, 0), (JobKind.INGEST, ingestion.id, 0)]


async def test_an_idempotency_key_returns_its_job(stores: Stores) -> None:
    key = IdempotencyKey(key="k", body_hash="1")
    first = await stores.accept_work(b"{}", key)
    assert await stores.accept_work(b"{}", key) == first
    with pytest.raises(IdempotencyConflict):
        await stores.accept_work(b"{}", IdempotencyKey(key="k", body_hash="2"))
    # A key means one request, whatever it was for.
    with pytest.raises(IdempotencyConflict):
        await stores.accept(an_upload(), key=IdempotencyKey(key="k", body_hash="3"))


async def test_a_result_ends_the_job_and_is_kept(stores: Stores) -> None:
    job = await stores.accept_work(b"{}")
    assert await stores.jobs.result(job.id) is None
    lease = await stores.lease(job)
    await stores.jobs.succeed(lease, b'{"chunks": []}')

    ended = await stores.jobs.job(job.id)
    assert (ended.status, ended.error, ended.finished_at is None) == (JobStatus.SUCCEEDED, None, False)
    assert await stores.jobs.result(job.id) == b'{"chunks": []}'
    assert [part async for part in stores.jobs.payload(lease)] == []
    assert await stores.jobs.expire(retention_days=-1) == 1
    assert await stores.jobs.result(job.id) is None


async def test_only_the_worker_that_has_the_job_can_end_it(stores: Stores) -> None:
    job = await stores.accept_work(b"{}")
    lost = await stores.lease(job, "first", lease_seconds=-1)
    held = await stores.lease(job, "second")

    with pytest.raises(LeaseLost):
        await stores.jobs.succeed(lost, b"{}")
    assert await stores.jobs.result(job.id) is None
    await stores.jobs.cancel(job.id)
    with pytest.raises(JobCancelled):
        await stores.jobs.succeed(held, b"{}")
    assert await stores.jobs.result(job.id) is None


async def test_work_out_of_attempts_fails(stores: Stores) -> None:
    job = await stores.accept_work(b"{}")
    for attempt in range(1, MAX_TRIES + 1):
        assert (await stores.lease(job, lease_seconds=-1)).job.attempt == attempt

    assert await stores.jobs.lease(WORK, job.id, "worker", lease_seconds=30) is None
    assert (await stores.jobs.job(job.id)).status is JobStatus.FAILED
