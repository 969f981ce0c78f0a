from datetime import datetime

import pytest

from app.api.waiting import preferred_wait
from app.documents.job import JobStatus
from tests.api.conftest import Api, problem
from tests.fakes.job_store import end

pytestmark = pytest.mark.anyio


async def _ingested(api: Api, **fields: str) -> str:
    return str((await api.post("/v1/ingest", {"text": "a", **fields})).json()["id"])


async def test_a_job_has_every_field_that_clients_rely_on(api: Api) -> None:
    job_id = await _ingested(api, id="a")
    response = await api.client.get(f"/v1/jobs/{job_id}")
    assert response.headers["retry-after"] == "1"
    job = response.json()
    assert datetime.fromisoformat(job["created_at"]).tzinfo is not None
    assert job == {
        "id": job_id,
        "kind": "ingest",
        "status": "queued",
        "stage": None,
        "done": 0,
        "total": 0,
        "attempt": 0,
        "queue_position": 0,
        "created_at": job["created_at"],
        "started_at": None,
        "finished_at": None,
        "error": None,
        "document": "a",
        "documents": [],
        "unchanged_documents": 0,
        "collection": "default",
        "version": 1,
        "unchanged": False,
        "superseded": False,
        "cancel_requested": False,
        "units": None,
        "decisions": {
            "model": None,
            "requests": 0,
            "questions": 0,
            "cached": 0,
            "unanswered": 0,
            "input_tokens": 0,
            "cost_usd": 0.0,
        },
        "degraded": [],
        "warnings": [],
    }


async def test_a_long_poll_returns_as_soon_as_the_job_has_finished(api: Api) -> None:
    job_id = await _ingested(api)
    api.behind.jobs.looks_until_finished = 3
    response = await api.client.get(f"/v1/jobs/{job_id}?wait=60")
    assert response.json()["status"] == "succeeded"
    assert "retry-after" not in response.headers


async def test_jobs_are_listed_newest_first_with_filters(api: Api) -> None:
    first = await _ingested(api, id="a")
    second = await _ingested(api, id="b", collection="other")
    third = await _ingested(api, id="c")
    end(api.behind.memory.jobs[third], JobStatus.SUCCEEDED)

    async def ids(query: str) -> list[str]:
        return [job["id"] for job in (await api.client.get(f"/v1/jobs{query}")).json()["jobs"]]

    assert await ids("") == [third, second, first]
    assert await ids("?collection=default") == [third, first]
    assert await ids("?document=b") == [second]
    assert await ids("?status=queued") == [second, first]
    page = (await api.client.get("/v1/jobs?limit=2")).json()
    assert await ids(f"?cursor={page['next_cursor']}") == [first]


async def test_a_job_is_cancelled_once(api: Api) -> None:
    job_id = await _ingested(api)
    assert (await api.client.post(f"/v1/jobs/{job_id}/cancel")).json()["status"] == "cancelled"
    problem(await api.client.post(f"/v1/jobs/{job_id}/cancel"), 409, "job-finished")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("wait=5", 5),
        ("respond-async, WAIT = 7; x=y", 7),
        ('wait="8"', 8),
        ("wait=600", 60),
        ("wait=-1", None),
        ("wait=soon", None),
        ("waiting=5", None),
    ],
)
def test_preferences_for_waiting(header: str | None, seconds: int | None) -> None:
    assert preferred_wait(header) == seconds
