"""What every `NoteStore` does."""

import pytest

from app.documents.chat import ChatUsage
from app.documents.contextualizing import Outcome
from app.documents.job import JobStatus, Lease
from app.errors import LeaseLost
from tests.contract.conftest import Stores

pytestmark = pytest.mark.anyio

USAGE = ChatUsage(requests=2, input_tokens=1000, output_tokens=40, cached_tokens=900, cost_usd=0.0024)
NOTE = Outcome(note="It pumps. ☃\x00\nP-100", usage=USAGE)
FAILURE = Outcome(reason="The chat model's answer was empty.", usage=ChatUsage(requests=1))


async def test_what_was_kept_is_there_for_the_next_attempt(stores: Stores) -> None:
    job = await stores.accept_work(b"{}")
    first = await stores.lease(job, "first", lease_seconds=-1)
    await stores.notes.keep(first, 3, NOTE)
    await stores.notes.keep(first, 0, FAILURE)

    second = await stores.lease(job, "second")
    assert await stores.notes.kept(second) == {0: FAILURE, 3: NOTE}
    await stores.notes.keep(second, 0, NOTE)
    assert await stores.notes.kept(second) == {0: NOTE, 3: NOTE}


async def test_a_worker_that_lost_its_job_keeps_nothing(stores: Stores) -> None:
    job = await stores.accept_work(b"{}")
    lost = await stores.lease(job, "first", lease_seconds=-1)
    held = await stores.lease(job, "second")

    with pytest.raises(LeaseLost):
        await stores.notes.keep(lost, 0, NOTE)
    assert await stores.notes.kept(held) == {}


@pytest.mark.parametrize("status", [JobStatus.SUCCEEDED, JobStatus.CANCELLED, JobStatus.FAILED])
async def test_only_a_failed_job_still_has_what_it_kept(stores: Stores, status: JobStatus) -> None:
    lease = await stores.lease(await stores.accept_work(b"{}"))
    await stores.notes.keep(lease, 0, NOTE)
    await _end(stores, lease, status)

    assert await stores.notes.kept(lease) == ({0: NOTE} if status is JobStatus.FAILED else {})
    with pytest.raises(LeaseLost):
        await stores.notes.keep(lease, 1, NOTE)


async def _end(stores: Stores, lease: Lease, status: JobStatus) -> None:
    if status is JobStatus.SUCCEEDED:
        await stores.jobs.succeed(lease, b"{}")
    else:
        await stores.jobs.finish(lease, status)
