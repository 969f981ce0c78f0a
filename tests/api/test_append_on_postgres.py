"""Appending and exports over HTTP on a real database."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest

from app import wiring
from app.documents.block import Block, BlockType, Conversation, ParsedDocument, ParsedExport
from app.documents.markup import Parsed
from app.main import create_app
from app.ports.reader_runner import ReaderRunner, Source
from app.settings import DatabaseSettings, DecisionSettings, QueueSettings, Settings
from app.wiring import WorkerServices
from tests.api.conftest import problem

pytestmark = pytest.mark.anyio

MINUTES = [
    {"type": "heading", "level": 1, "text": "Budget"},
    {"type": "paragraph", "text": "We propose 40k.", "meta": {"speaker": "Ana", "turn": "a"}},
    {"type": "paragraph", "text": "Too low, 45k.", "meta": {"speaker": "Ben", "turn": "b", "reply_to": "a"}},
]


class ExportReader:
    """Reads an object of conversations, each a list of what a user said, as their export; all else as ever."""

    def __init__(self, inner: ReaderRunner) -> None:
        self._inner = inner

    async def read(self, source: Source) -> Parsed:
        if source.format != "json":
            return await self._inner.read(source)
        told: dict[str, list[str]] = json.loads(source.data)
        return ParsedExport(
            conversations=tuple(
                Conversation(
                    id=name,
                    document=ParsedDocument(
                        blocks=tuple(
                            Block(type=BlockType.PARAGRAPH, text=text, meta={"speaker": "user"}) for text in texts
                        ),
                        title=name.title(),
                    ),
                )
                for name, texts in told.items()
            )
        )


@dataclass
class Stack:
    """A client, and a worker that runs a job when the test says so."""

    client: httpx.AsyncClient
    worker: WorkerServices

    async def ingest(self, **fields: object) -> dict[str, Any]:
        response = await self.client.post("/v1/ingest", json=fields)
        assert response.status_code == 202, response.text
        await self.worker.ingest_document.run(response.json()["id"], "worker-1")
        return await self.job(response)

    async def export(self, **conversations: list[str]) -> dict[str, Any]:
        file = {"file": ("conversations.json", json.dumps(conversations).encode())}
        response = await self.client.post("/v1/ingest", files=file, data={"id": "export"})
        assert response.status_code == 202, response.text
        if not response.json()["unchanged"]:
            await self.worker.ingest_document.run(response.json()["id"], "worker-1")
        return await self.job(response)

    async def append(self, **fields: object) -> dict[str, Any]:
        response = await self.client.post("/v1/append", json=fields)
        assert response.status_code == 202, response.text
        await self.worker.append_document.run(response.json()["id"], "worker-1")
        return await self.job(response)

    async def job(self, response: httpx.Response) -> dict[str, Any]:
        job: dict[str, Any] = (await self.client.get(response.headers["location"])).json()
        assert (job["status"], job["error"]) == ("succeeded", None)
        return job

    async def document(self, document: str) -> dict[str, Any]:
        whole: dict[str, Any] = (await self.client.get("/v1/documents", params={"id": document})).json()
        return whole

    async def listed(self) -> list[str]:
        return [entry["id"] for entry in (await self.client.get("/v1/documents")).json()["documents"]]


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
        reading = replace(worker.ingest_document, reader=ExportReader(worker.ingest_document.reader))
        yield Stack(client, replace(worker, ingest_document=reading))


async def test_a_conversation_goes_on(stack: Stack) -> None:
    await stack.ingest(id="minutes", blocks=MINUTES)
    before = await stack.document("minutes")
    said = {"speaker": "Ana", "turn": "c", "reply_to": "b"}

    job = await stack.append(
        id="minutes", blocks=[{"type": "paragraph", "text": "Agreed: 45k for the pump.", "meta": said}]
    )

    assert (job["kind"], job["version"], job["units"]) == ("append", 2, 3)
    whole = await stack.document("minutes")
    assert whole["units"][:2] == before["units"]
    new = whole["units"][2]
    assert (new["id"], new["path"], new["meta"]["blocks"], new["meta"]["source_turn"]) == ("m3", ["Budget"], [3], "c")
    assert {"type": "reply_to", "from": "m3", "to": "m2"} in whole["links"]
    assert whole["lexical"]["terms"]["45k"] == {"m2": 1, "m3": 1}
    assert (whole["profile"], whole["detected"]) == (before["profile"], before["detected"])
    [hit] = (await stack.client.post("/v1/search", json={"query": "pump"})).json()["hits"]
    assert (hit["document"], hit["unit"]) == ("minutes", "m3")
    response = await stack.client.get("/v1/documents/minutes", headers={"If-None-Match": '"1"'})
    assert (response.status_code, response.headers["etag"]) == (200, '"2"')


async def test_twenty_appends_at_once_are_all_there_in_order(stack: Stack) -> None:
    await stack.ingest(id="log", blocks=MINUTES)

    answers = await asyncio.gather(
        *(
            stack.client.post(
                "/v1/append",
                json={"id": "log", "blocks": [{"type": "paragraph", "text": f"Word {n}.", "meta": {"speaker": "Cy"}}]},
            )
            for n in range(20)
        )
    )
    jobs = [answer.json() for answer in answers]
    assert {job["version"] for job in jobs} == set(range(2, 22))

    async def run(job_id: str) -> None:
        while await stack.worker.append_document.run(job_id, f"worker of {job_id}") is None:
            await asyncio.sleep(0.01)

    await asyncio.gather(*(run(job["id"]) for job in jobs))

    whole = await stack.document("log")
    accepted = sorted(range(20), key=lambda n: jobs[n]["version"])
    assert [unit["text"].split("\n")[1] for unit in whole["units"][2:]] == [f"Word {n}." for n in accepted]
    assert [unit["id"] for unit in whole["units"]] == [f"m{n}" for n in range(1, 23)]
    assert [unit["meta"]["blocks"] for unit in whole["units"]] == [[n] for n in range(1, 23)]
    # One after the other it comes to the same.
    await stack.ingest(id="again", blocks=MINUTES)
    for n in accepted:
        block = {"type": "paragraph", "text": f"Word {n}.", "meta": {"speaker": "Cy"}}
        await stack.append(id="again", blocks=[block])
    again = await stack.document("again")
    assert {**again, "id": "log"} == whole


async def test_prose_grows_by_prose(stack: Stack) -> None:
    await stack.ingest(id="guide", text="# Pump\n\nPress start.\n", format="markdown", profile="guidance")
    await stack.append(id="guide", text="# Seal\n\nReplace the seal once a year.\n", format="markdown")
    whole = await stack.document("guide")
    assert [(unit["id"], unit["path"], unit["meta"]["blocks"]) for unit in whole["units"]] == [
        ("p1", ["Pump"], [1]),
        ("p2", ["Seal"], [3]),
    ]
    assert [entry["block"] for entry in whole["data"]["outline"]] == [0, 2]
    units = (await stack.client.get("/v1/units?document=guide")).json()["units"]
    # Places are those in the document's source, of which the new part is none.
    assert [unit["start"] is None for unit in units] == [False, True]


async def test_a_data_file_is_to_be_ingested_again(stack: Stack) -> None:
    await stack.ingest(id="config", text="port: 80\n", format="yaml")
    refused = problem(await stack.client.post("/v1/append", json={"id": "config", "text": "a"}), 422, "cannot-append")
    assert "ingest it again whole" in refused["detail"]


async def test_an_export_becomes_documents_that_go_with_it(stack: Stack) -> None:
    job = await stack.export(trip=["Where to?"], fix=["The pump leaks.", "Why?"])
    assert (job["document"], job["documents"], job["units"]) == ("export", ["export/trip", "export/fix"], 2)
    assert await stack.listed() == ["export/fix", "export/trip"]
    assert (await stack.document("export/trip"))["units"][0]["text"] == "[user]\nWhere to?"
    [hit] = (await stack.client.post("/v1/search", json={"query": "pump"})).json()["hits"]
    assert hit["document"] == "export/fix"
    problem(await stack.client.get("/v1/documents/export"), 404, "document-not-found")

    newer = await stack.export(trip=["Where to?"], fix=["The pump leaks.", "Why?", "The seal."])
    assert (newer["unchanged_documents"], newer["version"]) == (1, 2)
    same = await stack.export(trip=["Where to?"], fix=["The pump leaks.", "Why?", "The seal."])
    assert (same["unchanged"], same["documents"]) == (True, ["export/trip", "export/fix"])

    await stack.append(
        id="export/trip", blocks=[{"type": "paragraph", "text": "To Oslo.", "meta": {"speaker": "assistant"}}]
    )
    assert [unit["id"] for unit in (await stack.document("export/trip"))["units"]] == ["m1", "m2"]

    assert (await stack.client.delete("/v1/documents/export")).status_code == 204
    assert await stack.listed() == []
    assert (await stack.client.post("/v1/search", json={"query": "pump oslo"})).json()["hits"] == []
    problem(await stack.client.delete("/v1/documents/export"), 404, "document-not-found")
