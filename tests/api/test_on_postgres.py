"""The whole way over HTTP on a real database: a document in, its context out."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from app import wiring
from app.main import create_app
from app.settings import DatabaseSettings, DecisionSettings, QueueSettings, Settings
from app.wiring import WorkerServices
from tests.api.conftest import pointers, problem

pytestmark = pytest.mark.anyio

POLICY = """# Returns policy

## Refunds

A refund is paid within 14 days after the parcel has reached us. It goes to the account that paid.

## Shipping

Parcels are collected on weekdays between nine and five.
"""


@dataclass
class Stack:
    """A client, and a worker that runs a job when the test says so."""

    client: httpx.AsyncClient
    worker: WorkerServices

    async def ingest(self, **fields: object) -> dict[str, object]:
        response = await self.client.post("/v1/ingest", json=fields)
        assert response.status_code == 202, response.text
        await self.worker.ingest_document.run(response.json()["id"], "worker-1")
        job: dict[str, object] = (await self.client.get(response.headers["location"])).json()
        return job


@pytest.fixture
async def stack(database_url: str, redis_url: str) -> AsyncIterator[Stack]:
    settings = Settings(
        database=DatabaseSettings(url=database_url),
        queue=QueueSettings(redis_url=redis_url),
        decisions=DecisionSettings(model="offline"),
    )
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        wiring.open_worker(settings) as worker,
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://atlas.test") as client,
    ):
        yield Stack(client, worker)


async def test_a_document_is_ingested_asked_listed_and_removed(stack: Stack) -> None:
    job = await stack.ingest(id="shop/returns", text=POLICY, format="markdown", metadata={"owner": "desk"})
    assert (job["status"], job["error"], job["version"]) == ("succeeded", None, 1)
    client = stack.client

    [entry] = (await client.get("/v1/documents")).json()["documents"]
    assert (entry["id"], entry["metadata"], entry["units"]) == ("shop/returns", {"owner": "desk"}, job["units"])
    document = await client.get("/v1/documents/shop/returns")
    assert document.headers["etag"] == '"1"'
    units = (await client.get("/v1/units?document=shop/returns")).json()["units"]
    assert [unit["id"] for unit in units] == [unit["id"] for unit in document.json()["units"]]
    for unit in units:
        assert POLICY[unit["start"] : unit["end"]].strip() in unit["text"]

    [hit, *_] = (await client.post("/v1/search", json={"query": "refund account"})).json()["hits"]
    assert "A refund is paid within 14 days" in hit["text"]
    asked = {"query": "How long does a refund take?", "documents": ["shop/returns", "unknown"]}
    context = (await client.post("/v1/retrieve", json=asked)).json()
    assert context["abstained"] is False
    assert "14 days" in context["text"]
    assert "unknown" in " ".join(context["warnings"])

    problem(await client.delete("/v1/documents/shop/returns", headers={"If-Match": '"2"'}), 412, "precondition-failed")
    assert (await client.delete("/v1/documents/shop/returns", headers={"If-Match": '"1"'})).status_code == 204
    assert (await client.post("/v1/search", json={"query": "refund"})).json()["hits"] == []


async def test_the_same_content_again_changes_nothing(stack: Stack) -> None:
    await stack.ingest(id="a", text=POLICY)
    again = await stack.client.post("/v1/ingest", json={"id": "a", "text": POLICY}, headers={"Prefer": "wait=1"})
    assert (again.status_code, again.json()["status"], again.json()["unchanged"]) == (200, "succeeded", True)


async def test_what_a_database_can_not_hold_is_replaced_and_told_of(stack: Stack) -> None:
    raw = b'{"id": "n", "text": "pump\\u0000 on\\ud800", "title": "t\\u0000", "metadata": {"k\\u0000": "\\ud800"}}'
    accepted = await stack.client.post("/v1/ingest", content=raw, headers={"content-type": "application/json"})
    await stack.worker.ingest_document.run(accepted.json()["id"], "worker-1")
    job = (await stack.client.get(accepted.headers["location"])).json()
    assert (job["status"], job["error"]) == ("succeeded", None)
    assert len(job["warnings"]) == 3
    [unit] = (await stack.client.get("/v1/units?document=n")).json()["units"]
    assert unit["text"].endswith("pump\ufffd on\ufffd")


async def test_nul_in_a_block_is_no_failure(stack: Stack) -> None:
    blocks = [{"type": "paragraph", "text": "pump\x00 on", "meta": {"page": "\x00", "k\x00": 1}}]
    job = await stack.ingest(id="b", blocks=blocks)
    assert (job["status"], job["error"]) == ("succeeded", None)


async def test_ids_and_cursors_of_every_kind_are_answered(stack: Stack) -> None:
    client = stack.client
    for document in ("'; DROP TABLE documents; --", "a b/c?d#e", "🙂", "..", "%", "\\", "x" * 512):
        job = await stack.ingest(id=document, text="One two three.")
        assert job["status"] == "succeeded", document
        found = await client.get("/v1/documents", params={"id": document})
        assert found.json()["id"] == document
    for cursor in ("x", "-1", "🙂", "a\x00", "e30=", "bnVsbA==", "AAAA", "[" * 1000):
        for path in ("/v1/documents", "/v1/jobs", "/v1/units?document=🙂"):
            response = await client.get(path, params=httpx.URL(path).params.set("cursor", cursor))
            problem(response, 422, "invalid-request")
    first = (await client.get("/v1/documents?limit=4")).json()
    rest = (await client.get("/v1/documents", params={"cursor": first["next_cursor"]})).json()
    assert len(first["documents"]) + len(rest["documents"]) == 7


async def test_a_failed_job_carries_the_problem_that_an_answer_would_have_been(stack: Stack) -> None:
    response = await stack.client.post("/v1/ingest", files={"file": ("a.md", b"[{]")}, data={"format": "blocks"})
    assert response.status_code == 202
    await stack.worker.ingest_document.run(response.json()["id"], "worker-1")
    job = (await stack.client.get(response.headers["location"])).json()
    assert job["status"] == "failed"
    assert (job["error"]["type"], job["error"]["status"]) == ("urn:context-atlas:problem:malformed", 422)


async def test_a_database_that_is_away_is_named(redis_url: str) -> None:
    settings = Settings(
        database=DatabaseSettings(url="postgresql://nobody:nothing@127.0.0.1:1/none"),
        queue=QueueSettings(redis_url=redis_url),
        decisions=DecisionSettings(model="offline"),
    )
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://atlas.test") as client,
    ):
        problem(await client.get("/v1/documents"), 503, "database-unavailable")
        body = problem(await client.get("/readyz"), 503, "unavailable")
        assert "postgres" in pointers(body)
        assert "nothing" not in str(body)
