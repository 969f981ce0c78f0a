import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.documents.chat import ChatReply, ChatUsage
from app.documents.contextualizing import MAX_WHILE_WAITING, NoteTask
from app.documents.job import JobStatus
from app.documents.problem import problem_object
from app.errors import ChatModelUnavailable
from app.operations.contextualize import Contextualize
from tests.api.conftest import Api, pointers, problem
from tests.fakes.chat_model import said
from tests.fakes.job_store import end

pytestmark = pytest.mark.anyio

README = Path(__file__).parents[2] / "README.md"
README_EXAMPLE = re.compile(
    r"curl \S* ?localhost:8000/v1/contextualize --json '(.*?)'\n```\n+```json\n(.*?)\n```", re.DOTALL
)
DOCUMENT = "# Pump\n\nPress start."
NOTE = "It is about the pump.\npump, P-100"
CHUNK = {"content": "Press start.", "header": "[Pump]", "path": ["Pump"], "embed": "full", "overlap_text": ""}
MANY = [{**CHUNK, "index": number} for number in range(MAX_WHILE_WAITING + 1)]


def a_request(**fields: object) -> dict[str, object]:
    return {"document": DOCUMENT, "chunks": [CHUNK], **fields}


async def test_a_few_chunks_are_answered_at_once(api: Api) -> None:
    chunk = {**CHUNK, "id": "pump#0", "section": 3, "metadata": {"a": [1, None, 2.5]}, "text": "old", "tokens": 1}
    response = await api.post("/v1/contextualize", a_request(chunks=[chunk] * MAX_WHILE_WAITING))

    assert response.status_code == 200
    body = response.json()
    text = f"[Pump]\n\n{NOTE}\n\nPress start."
    first = body["chunks"][0]
    assert first.pop("tokens") > 1
    assert first == {
        **{k: v for k, v in chunk.items() if k != "tokens"},
        "context": NOTE,
        "text": text,
        "length": len(text),
    }
    assert len(body["chunks"]) == MAX_WHILE_WAITING
    assert body["failures"] == []
    assert body["usage"] == {
        "requests": 8,
        "input_tokens": 800,
        "output_tokens": 160,
        "cached_tokens": 0,
        "cost_usd": None,
    }
    assert api.behind.memory.jobs == {}


async def test_what_chunking_answers_can_be_sent_as_it_is(api: Api) -> None:
    chunked = await api.post("/v1/chunk", {"text": DOCUMENT, "format": "markdown"})
    chunks = chunked.json()["chunks"]
    response = await api.post("/v1/contextualize", a_request(chunks=chunks))

    assert response.status_code == 200
    (chunk,) = response.json()["chunks"]
    changed = {"context", "text", "length", "tokens"}
    assert {k: v for k, v in chunk.items() if k not in changed} == {
        k: v for k, v in chunks[0].items() if k not in changed
    }
    assert chunk["text"] == f"[Pump]\n\n{NOTE}\n\nPress start."


async def test_the_readmes_example(api: Api) -> None:
    found = README_EXAMPLE.search(README.read_text("utf-8"))
    assert found is not None
    request, answer = json.loads(found[1]), json.loads(found[2])
    usage = ChatUsage(**answer["usage"])
    reply = ChatReply(text=answer["chunks"][0]["context"], finish_reason="stop", usage=usage)
    api.behind.chat.script = lambda _prompt: reply

    assert (await api.post("/v1/contextualize", request)).json() == answer


async def test_options_reach_the_model(api: Api) -> None:
    options = {
        "model": "m-2",
        "temperature": 0.5,
        "template": "{heading}: {chunk} of {document}",
        "system": "Be brief.",
    }
    await api.post("/v1/contextualize", a_request(**options))

    (asked,) = api.behind.chat.asked
    assert (asked.model, asked.temperature, asked.system) == ("m-2", 0.5, "Be brief.")
    assert asked.user == f"Pump: Press start. of {DOCUMENT}"


async def test_failures_are_listed(api: Api) -> None:
    api.behind.chat.script = lambda _prompt: said("Half a", finish_reason="length")
    body = (await api.post("/v1/contextualize", a_request(chunks=[{**CHUNK, "id": "a"}, CHUNK]))).json()

    reason = "The chat model's answer was cut off."
    assert body["failures"] == [{"index": 0, "id": "a", "reason": reason}, {"index": 1, "id": None, "reason": reason}]
    assert [chunk["context"] for chunk in body["chunks"]] == ["", ""]


async def test_fail_fast_fails(api: Api) -> None:
    api.behind.chat.script = lambda _prompt: said("")
    body = problem(await api.post("/v1/contextualize", a_request(fail_fast=True)), 503, "note-failed")
    assert "Chunk 0 got no note" in body["detail"]


async def test_a_refused_key_is_a_problem(api: Api) -> None:
    def refuse(_prompt: object) -> Any:  # noqa: ANN401 - it never returns
        raise ChatModelUnavailable("The chat model m answered 401.", lasting=True)

    api.behind.chat.script = refuse
    problem(await api.post("/v1/contextualize", a_request()), 503, "chat-model-unavailable")


async def test_without_a_model_the_setting_is_named(api: Api) -> None:
    state = api.app.state
    state.services = replace(state.services, contextualize=Contextualize(model=None, concurrency=1))
    for chunks in ([CHUNK], MANY):
        response = await api.post("/v1/contextualize", a_request(chunks=chunks))
        body = problem(response, 503, "chat-model-not-configured")
        assert "CHAT_BASE_URL" in body["detail"]
    assert api.behind.memory.jobs == {}


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"chunks": []}, "/chunks"),
        ({"chunks": [{"header": "[Pump]"}]}, "/chunks/0/content"),
        ({"chunks": [{**CHUNK, "embed": "half"}]}, "/chunks/0/embed"),
        ({"chunks": [{**CHUNK, "path": "Pump"}]}, "/chunks/0/path"),
        ({"document": None}, "/document"),
        ({"temperature": 3}, "/temperature"),
        ({"document_max_chars": 10}, "/document_max_chars"),
        ({"template": "{title}"}, "/template"),
        ({"encoding": "klingon"}, "/encoding"),
        ({"documentMaxChars": 1000}, "/documentMaxChars"),
    ],
)
async def test_what_is_wrong_is_named(api: Api, fields: dict[str, object], pointer: str) -> None:
    body = problem(await api.post("/v1/contextualize", a_request(**fields)), 422, "invalid-request")
    assert pointers(body) == [pointer]
    assert api.behind.chat.asked == []


async def test_more_chunks_become_a_job_with_an_estimate(api: Api) -> None:
    response = await api.post("/v1/contextualize", a_request(chunks=MANY, chunk_size=500, unit="tokens"))

    assert response.status_code == 202
    job = response.json()
    assert response.headers["location"] == f"/v1/jobs/{job['id']}"
    assert (job["kind"], job["status"], job["document"], job["version"]) == ("contextualize", "queued", None, None)
    assert job["estimate"]["calls"] == len(MANY)
    # Each call carries a system message of some 300 tokens.
    assert 200 < job["estimate"]["input_tokens"] / len(MANY) < 600
    assert api.behind.queue.announced == [("contextualize", job["id"], 0)]
    assert api.behind.chat.asked == []

    (entry,) = api.behind.memory.jobs.values()
    task = NoteTask.from_payload(b"".join(entry.payload))
    assert (task.document, list(task.chunks), task.options.chunk_size) == (DOCUMENT, MANY, 500)


async def test_an_idempotency_key_makes_one_job(api: Api) -> None:
    first = await api.post("/v1/contextualize", a_request(chunks=MANY), idempotency_key="k")
    again = await api.post("/v1/contextualize", a_request(chunks=MANY), idempotency_key="k")
    assert (first.json()["id"], "idempotency-replayed" in first.headers) == (again.json()["id"], False)
    assert again.headers["idempotency-replayed"] == "true"

    other = await api.post("/v1/contextualize", a_request(chunks=MANY, temperature=1), idempotency_key="k")
    problem(other, 409, "idempotency-conflict")
    wrong = await api.post("/v1/contextualize", a_request(chunks=MANY), idempotency_key="")
    assert pointers(problem(wrong, 422, "invalid-request")) == ["Idempotency-Key"]


async def test_a_result_can_be_fetched_once_the_job_has_succeeded(api: Api) -> None:
    job_id = (await api.post("/v1/contextualize", a_request(chunks=MANY))).json()["id"]
    path = f"/v1/jobs/{job_id}/result"
    waiting = problem(await api.client.get(path), 409, "job-not-ready")
    assert "queued, 0 of 0 done" in waiting["detail"]

    entry = api.behind.memory.jobs[job_id]
    entry.result = json.dumps({"chunks": [], "failures": [], "usage": {}}).encode()
    end(entry, JobStatus.SUCCEEDED)
    for _ in range(2):
        response = await api.client.get(path)
        assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
        assert response.json() == {"chunks": [], "failures": [], "usage": {}}


@pytest.mark.parametrize(("status", "word"), [(JobStatus.FAILED, "failed"), (JobStatus.CANCELLED, "cancelled")])
async def test_a_job_that_ended_otherwise_has_no_result(api: Api, status: JobStatus, word: str) -> None:
    job_id = (await api.post("/v1/contextualize", a_request(chunks=MANY))).json()["id"]
    error = problem_object("x", "X", 503, "Away.") if status is JobStatus.FAILED else None
    end(api.behind.memory.jobs[job_id], status, error)
    assert word in problem(await api.client.get(f"/v1/jobs/{job_id}/result"), 409, "job-not-ready")["detail"]


async def test_an_ingestion_has_no_result_of_its_own(api: Api) -> None:
    job_id = (await api.post("/v1/ingest", {"id": "terms", "text": "a"})).json()["id"]
    body = problem(await api.client.get(f"/v1/jobs/{job_id}/result"), 404, "no-result")
    assert "'terms'" in body["detail"]
    problem(await api.client.get("/v1/jobs/job_unknown/result"), 404, "job-not-found")
