"""What every `JobStore` does."""

import pytest

from app.documents.document import Page
from app.documents.job import IdempotencyKey, JobKind, JobStage, JobStatus
from app.documents.values import JsonObject
from app.errors import IdempotencyConflict, InvalidRequest, JobCancelled, JobFinished, JobNotFound, LeaseLost
from tests.builders import a_document
from tests.contract.conftest import MAX_TRIES, Stores, an_upload, in_parts

pytestmark = pytest.mark.anyio


async def test_an_accepted_upload_is_a_queued_job(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job

    assert (job.kind, job.status, job.collection, job.document) == (
        JobKind.INGEST,
        JobStatus.QUEUED,
        "default",
        "terms",
    )
    assert (job.version, job.attempt, job.queue_position, job.unchanged) == (1, 0, 0, False)
    assert job.warnings == ("One character was replaced.",)
    assert await stores.jobs.job(job.id) == job


async def test_a_claim_has_the_upload_and_its_payload(stores: Stores) -> None:
    payload = bytes(range(256)) * 9000  # 2.3 MB: several rows
    accepted = await stores.jobs.accept(an_upload(), in_parts(payload, 70_001), None)
    claim = await stores.claim(accepted.job, "worker 1")

    assert claim.upload == an_upload()
    assert (claim.worker, claim.job.status, claim.job.attempt) == ("worker 1", JobStatus.RUNNING, 1)
    assert claim.job.started_at is not None
    assert b"".join([part async for part in stores.jobs.payload(claim)]) == payload


async def test_an_empty_payload_is_empty(stores: Stores) -> None:
    claim = await stores.claim((await stores.accept(an_upload(), b"")).job)
    assert [part async for part in stores.jobs.payload(claim)] == []


async def test_unknown_jobs_are_not_found(stores: Stores) -> None:
    for job_id in ["job_1", "", "é"]:
        with pytest.raises(JobNotFound):
            await stores.jobs.job(job_id)
        with pytest.raises(JobNotFound):
            await stores.jobs.cancel(job_id)
        assert await stores.jobs.claim(job_id, "worker", lease_seconds=30) is None


async def test_versions_count_per_document(stores: Stores) -> None:
    versions = [
        (await stores.accept(an_upload(document, collection=collection, content_hash=content))).job.version
        for collection, document, content in [
            ("default", "terms", "a"),
            ("default", "terms", "b"),
            ("default", "faq", "a"),
            ("other", "terms", "a"),
            ("default", "terms", "c"),
        ]
    ]
    assert versions == [1, 2, 1, 1, 3]


async def test_the_same_content_again_is_unchanged(stores: Stores) -> None:
    await stores.commit(await stores.claimed(an_upload()), a_document("One.", "Two."))
    again = (await stores.accept(an_upload())).job

    assert (again.status, again.unchanged, again.version, again.units) == (JobStatus.SUCCEEDED, True, 1, 2)
    assert again.finished_at is not None
    assert await stores.jobs.claim(again.id, "worker", lease_seconds=30) is None


@pytest.mark.parametrize(
    "upload",
    [
        an_upload(content_hash="b" * 64),
        an_upload(profile="normative"),
        an_upload(ingestion_version="2"),
        an_upload(force=True),
    ],
    ids=["content", "profile", "ingestion version", "force"],
)
async def test_a_difference_that_counts_makes_a_new_version(stores: Stores, upload: object) -> None:
    await stores.commit(await stores.claimed(an_upload()), a_document())
    assert isinstance(upload, type(an_upload()))
    again = (await stores.accept(upload)).job
    assert (again.status, again.unchanged, again.version) == (JobStatus.QUEUED, False, 2)


async def test_content_is_compared_with_the_newest_version_only(stores: Stores) -> None:
    await stores.commit(await stores.claimed(an_upload(content_hash="a")), a_document())
    await stores.commit(await stores.claimed(an_upload(content_hash="b")), a_document())

    assert not (await stores.accept(an_upload(content_hash="a"))).job.unchanged


async def test_content_that_waits_for_its_turn_is_unchanged(stores: Stores) -> None:
    await stores.accept(an_upload())
    assert (await stores.accept(an_upload())).job.unchanged


async def test_content_whose_job_failed_or_was_cancelled_is_tried_again(stores: Stores) -> None:
    await stores.jobs.finish(await stores.claimed(an_upload()), JobStatus.FAILED, error={"status": 422})
    cancelled = (await stores.accept(an_upload())).job
    assert not cancelled.unchanged
    await stores.jobs.cancel(cancelled.id)
    assert not (await stores.accept(an_upload())).job.unchanged


async def test_an_idempotency_key_returns_its_job(stores: Stores) -> None:
    key = IdempotencyKey(key="k", body_hash="1")
    first = await stores.accept(an_upload(), key=key)
    again = await stores.accept(an_upload(), key=key)

    assert (first.replayed, again.replayed) == (False, True)
    assert again.job == first.job


async def test_an_idempotency_key_with_another_body_is_refused(stores: Stores) -> None:
    await stores.accept(an_upload(), key=IdempotencyKey(key="k", body_hash="1"))
    with pytest.raises(IdempotencyConflict):
        await stores.accept(an_upload("faq"), key=IdempotencyKey(key="k", body_hash="2"))
    other_caller = IdempotencyKey(key="k", body_hash="2", scope="somebody else")
    assert not (await stores.accept(an_upload("faq"), key=other_caller)).replayed


async def test_a_key_is_not_taken_by_an_upload_that_broke_off(stores: Stores) -> None:
    async def broken() -> object:
        yield b"Press"
        raise ConnectionError("The caller hung up.")

    key = IdempotencyKey(key="k", body_hash="1")
    with pytest.raises(ConnectionError):
        await stores.jobs.accept(an_upload(), broken(), key)  # type: ignore[arg-type]  # a generator of bytes
    assert await stores.jobs.jobs(Page(None, 10), collection=None, document=None, status=None) == ([], None)
    assert not (await stores.accept(an_upload(), key=key)).replayed


async def test_jobs_are_listed_newest_first_with_filters(stores: Stores) -> None:
    ids = [(await stores.accept(an_upload(name, content_hash=name))).job.id for name in ("a", "b", "c")]
    elsewhere = (await stores.accept(an_upload("a", collection="other"))).job.id
    await stores.jobs.cancel(ids[1])

    async def listed(**filters: object) -> list[str]:
        asked = {"collection": None, "document": None, "status": None, **filters}
        jobs, cursor = await stores.jobs.jobs(Page(None, 10), **asked)  # type: ignore[arg-type]  # built above
        assert cursor is None
        return [job.id for job in jobs]

    assert await listed() == [elsewhere, ids[2], ids[1], ids[0]]
    assert await listed(collection="default") == [ids[2], ids[1], ids[0]]
    assert await listed(document="a") == [elsewhere, ids[0]]
    assert await listed(status=JobStatus.CANCELLED) == [ids[1]]
    assert await listed(collection="nowhere") == []


async def test_jobs_come_in_pages(stores: Stores) -> None:
    ids = [(await stores.accept(an_upload(name))).job.id for name in ("a", "b", "c")]
    first, cursor = await stores.jobs.jobs(Page(None, 2), collection=None, document=None, status=None)
    await stores.accept(an_upload("d"))
    rest, end = await stores.jobs.jobs(Page(cursor, 2), collection=None, document=None, status=None)

    assert [job.id for job in (*first, *rest)] == ids[::-1]
    assert end is None
    with pytest.raises(InvalidRequest):
        await stores.jobs.jobs(Page("x", 2), collection=None, document=None, status=None)


async def test_the_queue_position_counts_earlier_unfinished_jobs(stores: Stores) -> None:
    jobs = [(await stores.accept(an_upload(name))).job for name in ("a", "b", "c")]
    await stores.claim(jobs[0])
    assert (await stores.jobs.job(jobs[0].id)).queue_position is None
    assert (await stores.jobs.job(jobs[2].id)).queue_position == 2
    await stores.jobs.cancel(jobs[1].id)
    assert (await stores.jobs.job(jobs[2].id)).queue_position == 1


async def test_a_queued_job_is_cancelled_at_once(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    cancelled = await stores.jobs.cancel(job.id)

    assert (cancelled.status, cancelled.finished_at is None) == (JobStatus.CANCELLED, False)
    assert await stores.jobs.claim(job.id, "worker", lease_seconds=30) is None
    with pytest.raises(JobFinished):
        await stores.jobs.cancel(job.id)


async def test_a_running_job_is_told_to_stop(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())
    flagged = await stores.jobs.cancel(claim.job.id)
    assert (flagged.status, flagged.cancel_requested) == (JobStatus.RUNNING, True)

    with pytest.raises(JobCancelled):
        await stores.jobs.heartbeat(claim, lease_seconds=30)
    await stores.jobs.finish(claim, JobStatus.CANCELLED)
    assert (await stores.jobs.job(claim.job.id)).status is JobStatus.CANCELLED


async def test_a_job_is_leased_to_one_worker_at_a_time(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    await stores.claim(job, "first")
    assert await stores.jobs.claim(job.id, "second", lease_seconds=30) is None


async def test_a_lease_that_is_over_goes_to_the_next_worker(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    lost = await stores.claim(job, "first", lease_seconds=-1)
    second = await stores.claim(job, "second")

    assert second.job.attempt == 2
    with pytest.raises(LeaseLost):
        await stores.jobs.heartbeat(lost, lease_seconds=30)
    await stores.jobs.finish(lost, JobStatus.FAILED)
    await stores.jobs.release(lost)
    assert (await stores.jobs.job(job.id)).status is JobStatus.RUNNING


async def test_the_same_worker_does_not_keep_an_earlier_lease(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    lost = await stores.claim(job, lease_seconds=-1)
    await stores.claim(job)
    with pytest.raises(LeaseLost):
        await stores.jobs.heartbeat(lost, lease_seconds=30)


async def test_a_heartbeat_renews_the_lease(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    claim = await stores.claim(job, lease_seconds=-1)
    await stores.jobs.heartbeat(claim, lease_seconds=30)
    assert await stores.jobs.claim(job.id, "second", lease_seconds=30) is None


async def test_heartbeats_record_progress(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())

    async def progress() -> tuple[JobStage | None, int, int]:
        job = await stores.jobs.job(claim.job.id)
        return job.stage, job.done, job.total

    await stores.jobs.heartbeat(claim, lease_seconds=30, stage=JobStage.READ)
    assert await progress() == (JobStage.READ, 0, 0)
    await stores.jobs.heartbeat(claim, lease_seconds=30, stage=JobStage.DECIDE, done=3, total=10)
    await stores.jobs.heartbeat(claim, lease_seconds=30)
    assert await progress() == (JobStage.DECIDE, 3, 10)
    await stores.jobs.heartbeat(claim, lease_seconds=30, done=4)
    assert await progress() == (JobStage.DECIDE, 4, 10)
    await stores.jobs.heartbeat(claim, lease_seconds=30, stage=JobStage.COMMIT)
    assert await progress() == (JobStage.COMMIT, 0, 0)


async def test_a_released_job_waits_again(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())
    await stores.jobs.release(claim)
    job = await stores.jobs.job(claim.job.id)
    assert (job.status, job.attempt) == (JobStatus.QUEUED, 1)

    again = await stores.claim(job)
    await stores.jobs.release(again, count_attempt=False)
    assert (await stores.jobs.job(job.id)).attempt == 1
    assert b"".join([part async for part in stores.jobs.payload(again)]) == b"Press start."


async def test_a_released_job_that_was_told_to_stop_is_cancelled(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())
    await stores.jobs.cancel(claim.job.id)
    await stores.jobs.release(claim)
    assert (await stores.jobs.job(claim.job.id)).status is JobStatus.CANCELLED


async def test_a_failed_job_says_why_and_keeps_its_payload(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())
    error: JsonObject = {"type": "about:blank", "title": "Malformed", "status": 422, "detail": "Line 3."}
    await stores.jobs.finish(claim, JobStatus.FAILED, error=error)

    job = await stores.jobs.job(claim.job.id)
    assert (job.status, job.error) == (JobStatus.FAILED, error)
    assert b"".join([part async for part in stores.jobs.payload(claim)]) == b"Press start."


async def test_a_finished_job_drops_its_payload(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())
    await stores.commit(claim, a_document())
    assert [part async for part in stores.jobs.payload(claim)] == []


async def test_a_job_out_of_attempts_fails(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    for attempt in range(1, MAX_TRIES + 1):
        assert (await stores.claim(job, lease_seconds=-1)).job.attempt == attempt

    assert await stores.jobs.claim(job.id, "worker", lease_seconds=30) is None
    failed = await stores.jobs.job(job.id)
    assert failed.status is JobStatus.FAILED
    assert failed.error is not None
    assert failed.error["status"] == 500


async def test_stranded_jobs_are_queued_or_past_their_lease(stores: Stores) -> None:
    names = ("queued", "running", "abandoned", "finished")
    queued, running, abandoned, finished = [(await stores.accept(an_upload(name))).job for name in names]
    await stores.claim(running)
    await stores.claim(abandoned, lease_seconds=-1)
    await stores.jobs.cancel(finished.id)

    assert await stores.jobs.stranded() == [(JobKind.INGEST, queued.id, 0), (JobKind.INGEST, abandoned.id, 1)]
    assert await stores.jobs.stranded(limit=1) == [(JobKind.INGEST, queued.id, 0)]


async def test_what_was_announced_lately_is_not_stranded(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    await stores.jobs.mark_announced(job.id)
    await stores.jobs.mark_announced("job_unknown")

    assert await stores.jobs.stranded() == []
    assert await stores.jobs.stranded(announced_before_seconds=-1) == [(JobKind.INGEST, job.id, 0)]
    await stores.jobs.release(await stores.claim(job))
    assert await stores.jobs.stranded() == [(JobKind.INGEST, job.id, 1)]


async def test_stranded_jobs_out_of_attempts_fail(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    for _ in range(MAX_TRIES):
        await stores.claim(job, lease_seconds=-1)
    told_to_stop = await stores.claim((await stores.accept(an_upload("faq"))).job, lease_seconds=-1)
    await stores.jobs.cancel(told_to_stop.job.id)

    assert await stores.jobs.stranded() == []
    assert (await stores.jobs.job(job.id)).status is JobStatus.FAILED
    assert (await stores.jobs.job(told_to_stop.job.id)).status is JobStatus.CANCELLED


async def test_workers_are_heard_of(stores: Stores) -> None:
    assert await stores.jobs.newest_beat_age() is None
    await stores.jobs.beat("one")
    await stores.jobs.beat("two")
    await stores.jobs.beat("one")
    age = await stores.jobs.newest_beat_age()
    assert age is not None
    assert 0 <= age < 30


async def test_finished_jobs_expire_with_their_keys(stores: Stores) -> None:
    key = IdempotencyKey(key="k", body_hash="1")
    finished = (await stores.accept(an_upload(), key=key)).job
    waiting = (await stores.accept(an_upload("faq"))).job
    await stores.jobs.cancel(finished.id)

    assert await stores.jobs.expire(retention_days=1) == 0
    assert await stores.jobs.expire(retention_days=-1) == 1
    with pytest.raises(JobNotFound):
        await stores.jobs.job(finished.id)
    assert (await stores.jobs.job(waiting.id)).status is JobStatus.QUEUED
    assert not (await stores.accept(an_upload(), key=key)).replayed


async def test_a_document_stays_unchanged_when_its_job_has_expired(stores: Stores) -> None:
    await stores.commit(await stores.claimed(an_upload()), a_document())
    await stores.jobs.expire(retention_days=-1)
    assert (await stores.accept(an_upload())).job.unchanged
