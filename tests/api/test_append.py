"""Appending over HTTP: what is accepted, what is refused and how (service design, "Endpoints")."""

import asyncio
import json

import pytest

from app.documents.profile import Profile
from tests.api.conftest import REFUNDS, Api, pointers, problem
from tests.builders import a_document

pytestmark = pytest.mark.anyio

#: The document that the API holds, at version 3.
ID = REFUNDS.id
BLOCKS = [{"type": "paragraph", "text": "It runs.", "meta": {"speaker": "Ana"}}]


async def test_text_becomes_a_job_that_makes_the_next_version(api: Api) -> None:
    response = await api.post(
        "/v1/append", {"id": ID, "text": "More.", "format": "markdown", "config": {"max_pairs": 9}}
    )
    assert response.status_code == 202
    job = response.json()
    assert response.headers["location"] == f"/v1/jobs/{job['id']}"
    assert response.headers["retry-after"] == "1"
    assert (job["kind"], job["status"], job["document"], job["version"]) == ("append", "queued", ID, 4)
    [(upload, payload)] = api.behind.uploads
    assert payload == b"More."
    assert (upload.document, upload.format, upload.declared) == (ID, "markdown", True)
    assert upload.config == {"max_pairs": 9}
    assert api.behind.queue.announced == [("append", job["id"], 0)]


async def test_blocks_and_files_are_taken_too(api: Api) -> None:
    assert (await api.post("/v1/append", {"id": ID, "blocks": BLOCKS})).status_code == 202
    sent = await api.client.post("/v1/append", files={"file": ("new.md", b"# More")}, data={"id": ID})
    assert sent.status_code == 202
    (blocks, payload), (file, content) = api.behind.uploads
    assert (blocks.format, json.loads(payload)) == ("blocks", BLOCKS)
    assert (file.format, file.declared, file.filename, content) == ("markdown", False, "new.md", b"# More")


async def test_an_unknown_document_is_not_found(api: Api) -> None:
    problem(await api.post("/v1/append", {"id": "nowhere", "text": "a"}), 404, "document-not-found")
    problem(await api.post("/v1/append", {"id": ID, "collection": "other", "text": "a"}), 404, "document-not-found")
    assert api.behind.uploads == []


async def test_a_document_that_is_being_replaced_is_a_conflict(api: Api) -> None:
    await api.post("/v1/ingest", {"id": ID, "text": "Anew."})
    problem(await api.post("/v1/append", {"id": ID, "text": "a"}), 409, "document-busy")
    await api.post("/v1/ingest", {"id": "first", "text": "New."})
    problem(await api.post("/v1/append", {"id": "first", "text": "a"}), 409, "document-busy")


async def test_data_files_are_ingested_again_instead(api: Api) -> None:
    api.behind.shelve(a_document(id="config", profile=Profile.MARKUP))
    problem(await api.post("/v1/append", {"id": "config", "text": "a"}), 422, "cannot-append")


@pytest.mark.parametrize("named", ["yaml", "json", "xml"])
async def test_data_is_not_appended(api: Api, named: str) -> None:
    problem(await api.post("/v1/append", {"id": ID, "text": "{}", "format": named}), 422, "cannot-append")


async def test_json_that_nobody_named_may_be_a_chat_log(api: Api) -> None:
    sent = await api.client.post("/v1/append", files={"file": ("log.jsonl", b'{"role": "user"}\n')}, data={"id": ID})
    assert sent.status_code == 202
    [(upload, _)] = api.behind.uploads
    assert (upload.format, upload.declared) == ("jsonl", False)
    refused = await api.client.post("/v1/append", files={"file": ("a.yaml", b"a: 1\n")}, data={"id": ID})
    problem(refused, 422, "cannot-append")


async def test_waiting_answers_200_once_the_job_has_finished(api: Api) -> None:
    api.behind.jobs.looks_until_finished = 2
    response = await api.post("/v1/append", {"id": ID, "text": "a"}, Prefer="wait=30")
    assert (response.status_code, response.json()["status"]) == (200, "succeeded")
    assert response.headers["preference-applied"] == "wait=30"


async def test_one_idempotency_key_makes_one_job_however_often_and_at_once(api: Api) -> None:
    body = {"id": ID, "text": "More."}
    answers = await asyncio.gather(*(api.post("/v1/append", body, Idempotency_Key="k") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert [answer.headers.get("idempotency-replayed") for answer in answers].count("true") == 7
    other = await api.post("/v1/append", {**body, "text": "Other."}, Idempotency_Key="k")
    problem(other, 409, "idempotency-conflict")
    # An ingestion of the same words is another request.
    problem(await api.post("/v1/ingest", body, Idempotency_Key="k"), 409, "idempotency-conflict")


async def test_a_refusal_leaves_its_idempotency_key_unused(api: Api) -> None:
    problem(await api.post("/v1/append", {"id": "late", "text": "a"}, Idempotency_Key="k"), 404, "document-not-found")
    api.behind.shelve(a_document(id="late"))
    assert (await api.post("/v1/append", {"id": "late", "text": "a"}, Idempotency_Key="k")).status_code == 202


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"text": "a"}, ["/id"]),
        ({"id": ID}, ["/text", "/blocks"]),
        ({"id": ID, "text": "a", "blocks": []}, ["/text", "/blocks"]),
        ({"id": ID, "blocks": BLOCKS, "format": "markdown"}, ["/format"]),
        ({"id": ID, "text": "a", "title": "T"}, ["/title"]),
        ({"id": ID, "text": "a", "profile": "guidance"}, ["/profile"]),
        ({"id": "", "text": "a"}, ["/id"]),
        ({"id": ID, "text": "a", "config": {"max_tokens": "x"}}, ["/config/max_tokens"]),
    ],
)
async def test_wrong_values_are_named(api: Api, body: object, named: list[str]) -> None:
    assert pointers(problem(await api.post("/v1/append", body), 422, "invalid-request")) == named


async def test_a_job_that_appended_has_no_result_of_its_own(api: Api) -> None:
    job = (await api.post("/v1/append", {"id": ID, "text": "a"})).json()
    problem(await api.client.get(f"/v1/jobs/{job['id']}/result"), 404, "no-result")


async def test_a_profile_may_be_named_for_json_that_may_be_a_chat_log(api: Api) -> None:
    file = {"file": ("log.json", b"[]")}
    assert (await api.client.post("/v1/ingest", files=file, data={"profile": "conversational"})).status_code == 202
    assert (await api.client.post("/v1/ingest", files=file, data={"profile": "markup"})).status_code == 202
    chat, data = (upload for upload, _ in api.behind.uploads)
    # Who says that it is data has decided what it is.
    assert (chat.declared, data.declared) == (False, True)
    named = await api.client.post("/v1/ingest", files=file, data={"profile": "conversational", "format": "json"})
    assert pointers(problem(named, 422, "invalid-request")) == ["/profile"]
