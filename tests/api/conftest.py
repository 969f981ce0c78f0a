"""An API over stores in memory, with the real operations behind it, and a client that speaks to it in the process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.documents.decision import Answer, ChoiceQuestion, Question
from app.documents.document import Document
from app.documents.job import Job, JobStatus, Upload
from app.main import create_app
from app.operations.accept_append import AcceptAppend
from app.operations.accept_document import AcceptDocument
from app.operations.accept_notes import AcceptNotes
from app.operations.chunk import ChunkDocument
from app.operations.contextualize import Contextualize
from app.operations.rank import Rank
from app.operations.retrieve import Retrieve
from app.operations.search import Search
from app.settings import LimitSettings, Settings
from app.wiring import Probe, Services
from tests.builders import A_MOMENT, a_document, a_unit
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.clock import ManualClock
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.job_queue import MemoryJobQueue
from tests.fakes.job_store import MemoryJobStore, end
from tests.fakes.memory import Memory, MemoryDocument
from tests.fakes.readers import InProcessReader
from tests.fakes.scripted_model import Script, ScriptedModel, chosen, unavailable, yes
from tests.fakes.term_index import MemoryTermIndex

#: A document to ask about.
REFUNDS = a_document(
    id="returns/policy",
    title="Returns policy",
    units=[
        a_unit(
            "A refund is paid within 14 days of the return.", id="p1", path=("Returns", "Refunds"), start=23, end=70
        ),
        a_unit("Parcels are collected on weekdays.", id="p2", path=("Returns", "Parcels"), start=85, end=119),
    ],
)


class LookedAtJobs(MemoryJobStore):
    """Jobs that finish once they have been looked at often enough; None is never."""

    looks_until_finished: int | None = None

    async def job(self, job_id: str) -> Job:
        if self.looks_until_finished is not None:
            self.looks_until_finished -= 1
            if self.looks_until_finished <= 0 and job_id in self._memory.jobs:
                end(self._memory.jobs[job_id], JobStatus.SUCCEEDED)
        return await super().job(job_id)


class Backstage:
    """What is behind the API: stores in memory, a queue that wakes nobody, and the real operations."""

    def __init__(self, settings: Settings, script: Script) -> None:
        self.memory = Memory()
        self.jobs = LookedAtJobs(self.memory)
        self.documents = MemoryDocumentStore(self.memory)
        self.queue = MemoryJobQueue()
        self.chat = ScriptedChatModel()
        index, model, clock = MemoryTermIndex(self.memory), ScriptedModel(script), ManualClock()
        self.services = Services(
            settings=settings,
            documents=self.documents,
            jobs=self.jobs,
            queue=self.queue,
            accept_document=AcceptDocument(self.jobs, self.queue),
            accept_append=AcceptAppend(self.jobs, self.queue),
            accept_notes=AcceptNotes(self.jobs, self.queue),
            chunk=ChunkDocument(reader=InProcessReader(), decisions=None, cache=None, max_questions=0),
            contextualize=Contextualize(model=self.chat, concurrency=2),
            retrieve=Retrieve(
                term_index=index,
                vector_search=None,
                documents=self.documents,
                decisions=model,
                cache=None,
                clock=clock,
                max_questions=200,
            ),
            search=Search(term_index=index, vector_search=None, documents=self.documents, clock=clock),
            rank=Rank(decisions=model, cache=None),
            probes={},
        )

    @property
    def uploads(self) -> list[tuple[Upload, bytes]]:
        """What was accepted, in order."""
        return [(entry.upload, b"".join(entry.payload)) for entry in self.memory.jobs.values() if entry.upload]

    def shelve(self, document: Document, *, version: int = 1) -> None:
        """Make a document live."""
        self.memory.documents["default", document.id] = MemoryDocument(
            collection="default",
            key=next(self.memory.numbers),
            id=document.id,
            accepted_version=version,
            live_version=version,
            document=document,
            created_at=A_MOMENT,
            updated_at=A_MOMENT,
        )

    def is_live(self, document: str) -> bool:
        """Whether a document can be read."""
        return self.memory.documents["default", document].document is not None


def agree(question: Question) -> Answer:
    """A script that says yes to everything, and chooses the first label."""
    return chosen(question.labels()[0]) if isinstance(question, ChoiceQuestion) else yes()


@dataclass
class Api:
    """What a test holds: the application, what is behind it, and a client."""

    app: FastAPI
    behind: Backstage
    client: httpx.AsyncClient

    async def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        """Send JSON; the headers' names have `_` for `-`."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.post(path, json=body, headers=names)

    async def raw(self, path: str, body: bytes, content_type: str = "application/json") -> httpx.Response:
        """Send bytes."""
        return await self.client.post(path, content=body, headers={"content-type": content_type})


def small_settings() -> Settings:
    """Settings under which a body of over 1 MB is too large."""
    return Settings(limits=LimitSettings(max_upload_mb=1))


@asynccontextmanager
async def an_api(script: Script) -> AsyncIterator[Api]:
    """An API that holds one document, at version 3."""
    settings = small_settings()
    behind = Backstage(settings, script)
    behind.shelve(REFUNDS, version=3)
    app = create_app(settings, behind.services)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://atlas.test") as client:
        yield Api(app, behind, client)


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    """The API with a decision model that agrees with everything."""
    async with an_api(agree) as made:
        yield made


@pytest.fixture
async def api_without_model() -> AsyncIterator[Api]:
    """The API with a decision model that does not answer."""
    async with an_api(unavailable) as made:
        yield made


def with_probes(api: Api, **found: str | None) -> None:
    """Make readiness find what the test says."""

    def probe(result: str | None) -> Probe:
        async def answer() -> str | None:
            return result

        return answer

    state = api.app.state
    state.services = replace(state.services, probes={name: probe(result) for name, result in found.items()})


def problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check that an answer is a problem of this status and kind, complete and without insights; return it."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["type"] == f"urn:context-atlas:problem:{code}"
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["instance"] == response.request.url.path
    assert "Traceback" not in response.text
    assert "site-packages" not in response.text
    return body


def pointers(body: dict[str, Any]) -> list[str]:
    """The fields that a problem names."""
    return [error["pointer"] for error in body["errors"]]
