"""A whole service, and a golden document in it, whose decision model a test scripts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from pydantic import SecretStr

from app import wiring
from app.main import create_app
from app.settings import DatabaseSettings, DecisionSettings, QueueSettings, Settings
from tests.api.test_on_postgres import Stack
from tests.fakes.systemone_server import Reply, systemone_server
from tests.golden.question_documents import DOCUMENTS, JsonDict, text_of
from tests.golden.truth import Truth


@asynccontextmanager
async def asked_stack(database_url: str, redis_url: str, truth: Truth) -> AsyncIterator[Stack]:
    """A service whose hosted model is the truth about one document."""
    with systemone_server(Reply(answering=truth.answer)) as server:
        settings = Settings(
            database=DatabaseSettings(url=database_url),
            queue=QueueSettings(redis_url=redis_url),
            decisions=DecisionSettings(model="hosted", api_key=SecretStr("key"), base_url=server.url, max_rps=10_000),
        )
        app = create_app(settings)
        async with (
            app.router.lifespan_context(app),
            wiring.open_worker(settings) as worker,
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://atlas.test") as client,
        ):
            yield Stack(client, worker)


async def ingest(stack: Stack, name: str) -> JsonDict:
    """Ingest a document; return the job and, as the service gives it, the document."""
    job = await stack.ingest(id=name, collection=name, text=text_of(name), format=DOCUMENTS[name][1])
    assert (job["status"], job["error"]) == ("succeeded", None)
    document: JsonDict = (await stack.client.get(f"/v1/documents/{name}?collection={name}")).json()
    return document | {"job": job}


async def retrieve(stack: Stack, name: str, question: str, **options: object) -> JsonDict:
    """Ask one question of the collection that holds the document."""
    body = {"query": question, "collection": name, "explain": True, **options}
    response = await stack.client.post("/v1/retrieve", json=body)
    assert response.status_code == 200, response.text
    context: JsonDict = response.json()
    return context


def found(context: JsonDict) -> list[str]:
    """Ids of the units in a context, in its order."""
    return [source["unit"] for source in context["sources"]]
