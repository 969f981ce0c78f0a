import asyncio
import hashlib
import json

import pytest

from app.api.strict_json import SURROGATES_REPLACED
from app.api.uploads import NUL_REPLACED, base_name
from tests.api.conftest import Api, pointers, problem

pytestmark = pytest.mark.anyio

TEXT = "# Fees\n\nA late fee is 5 %.\n"


async def test_text_becomes_a_job(api: Api) -> None:
    response = await api.post(
        "/v1/ingest",
        {
            "id": "terms/2026",
            "text": TEXT,
            "format": "markdown",
            "title": "Terms",
            "profile": "normative",
            "metadata": {"owner": "legal", "pages": 2},
            "collection": "contracts",
            "config": {"max_tokens": 600},
            "callback_url": None,
        },
    )
    assert response.status_code == 202
    job = response.json()
    assert response.headers["location"] == f"/v1/jobs/{job['id']}"
    assert response.headers["retry-after"] == "1"
    assert (job["kind"], job["status"], job["document"], job["collection"]) == (
        "ingest",
        "queued",
        "terms/2026",
        "contracts",
    )
    [(upload, payload)] = api.behind.uploads
    assert payload == TEXT.encode()
    assert upload.format == "markdown"
    assert upload.title == "Terms"
    assert upload.profile == "normative"
    assert upload.metadata == {"owner": "legal", "pages": 2}
    assert upload.config == {"max_tokens": 600}
    assert upload.content_hash == hashlib.sha256(TEXT.encode()).hexdigest()
    assert upload.size == 27
    assert api.behind.queue.announced == [("ingest", job["id"], 0)]


async def test_a_made_id_is_new_each_time(api: Api) -> None:
    first = (await api.post("/v1/ingest", {"text": TEXT})).json()["document"]
    second = (await api.post("/v1/ingest", {"text": TEXT})).json()["document"]
    assert first.startswith("doc_")
    assert first != second


async def test_blocks_become_a_job_of_that_format(api: Api) -> None:
    blocks = [{"type": "heading", "text": "Fees", "level": 1}, {"type": "paragraph", "text": "5 %", "meta": {"p": 3}}]
    response = await api.post("/v1/ingest", {"id": "b", "blocks": blocks})
    assert response.status_code == 202
    [(upload, payload)] = api.behind.uploads
    assert upload.format == "blocks"
    assert json.loads(payload) == blocks


async def test_a_file_is_taken_with_its_fields(api: Api) -> None:
    response = await api.client.post(
        "/v1/ingest",
        files={"file": ("../../srv/plan.md", TEXT.encode(), "text/markdown")},
        data={"title": "Plan", "metadata": '{"n": 1}', "config": '{"min_tokens": 50}', "force": "true"},
    )
    assert response.status_code == 202
    [(upload, payload)] = api.behind.uploads
    assert payload == TEXT.encode()
    assert upload.filename == "plan.md"
    assert upload.document.startswith("doc_")
    assert (upload.title, upload.metadata, upload.config, upload.force) == ("Plan", {"n": 1}, {"min_tokens": 50}, True)


async def test_a_large_file_arrives_whole(api: Api) -> None:
    content = bytes(range(32, 127)) * 10_000
    response = await api.client.post("/v1/ingest", files={"file": ("a.txt", content)}, data={"id": "a"})
    assert response.status_code == 202
    [(upload, payload)] = api.behind.uploads
    assert payload == content
    assert upload.size == 950_000


@pytest.mark.parametrize(
    ("name", "kept"),
    [("..", None), ("C:\\docs\\a.md", "a.md"), ("a\x00b.md", "ab.md"), ("x" * 300 + ".md", "x" * 252 + ".md")],
)
def test_file_names_keep_their_last_part_only(name: str, kept: str | None) -> None:
    assert base_name(name) == kept


async def test_waiting_answers_200_once_the_job_has_finished(api: Api) -> None:
    api.behind.jobs.looks_until_finished = 2
    response = await api.post("/v1/ingest", {"text": TEXT}, Prefer="wait=30")
    assert response.status_code == 200
    assert response.json()["status"] == "succeeded"
    assert response.headers["preference-applied"] == "wait=30"
    assert "retry-after" not in response.headers


async def test_waiting_in_vain_answers_202(api: Api) -> None:
    response = await api.post("/v1/ingest", {"text": TEXT}, Prefer="respond-async, wait=0")
    assert response.status_code == 202
    assert response.json()["status"] == "queued"


async def test_one_idempotency_key_makes_one_job_however_often_and_at_once(api: Api) -> None:
    requests = [api.post("/v1/ingest", {"text": TEXT}, Idempotency_Key="k-1") for _ in range(20)]
    responses = await asyncio.gather(*requests)
    assert {response.status_code for response in responses} == {202}
    assert len({response.text for response in responses}) == 1
    assert sum(response.headers.get("idempotency-replayed") == "true" for response in responses) == 19
    other = await api.post("/v1/ingest", {"text": "other"}, Idempotency_Key="k-1")
    problem(other, 409, "idempotency-conflict")


async def test_a_form_sent_again_under_its_key_is_the_same_request(api: Api) -> None:
    for replayed in (None, "true"):
        response = await api.client.post(
            "/v1/ingest", files={"file": ("a.md", TEXT.encode())}, headers={"Idempotency-Key": "k"}
        )
        assert response.status_code == 202
        assert response.headers.get("idempotency-replayed") == replayed


async def test_an_idempotency_key_has_printable_characters(api: Api) -> None:
    body = problem(await api.post("/v1/ingest", {"text": TEXT}, Idempotency_Key="a\tb"), 422, "invalid-request")
    assert pointers(body) == ["Idempotency-Key"]


async def test_unpaired_surrogates_are_replaced_and_told_of(api: Api) -> None:
    response = await api.raw("/v1/ingest", b'{"text": "pump\\ud800 on"}')
    assert response.status_code == 202
    assert response.json()["warnings"] == [SURROGATES_REPLACED]
    assert api.behind.uploads[0][1].decode() == "pump\ufffd on"


async def test_nul_reaches_the_reader_but_no_title_or_metadata(api: Api) -> None:
    response = await api.post("/v1/ingest", {"text": "pump\x00 on", "title": "a\x00", "metadata": {"k\x00": ["\x00"]}})
    assert response.json()["warnings"] == [NUL_REPLACED]
    [(upload, payload)] = api.behind.uploads
    assert payload == b"pump\x00 on"
    assert upload.title == "a\ufffd"
    assert upload.metadata == {"k\ufffd": ["\ufffd"]}


async def test_an_empty_document_is_accepted(api: Api) -> None:
    assert (await api.post("/v1/ingest", {"text": ""})).status_code == 202


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, ["/text", "/blocks"]),
        ({"text": "a", "blocks": []}, ["/text", "/blocks"]),
        ({"blocks": [], "format": "markdown"}, ["/format"]),
        ({"text": "a", "id": ""}, ["/id"]),
        ({"text": "a", "id": "a\nb"}, ["/id"]),
        ({"text": "a", "id": "a\x85b"}, ["/id"]),
        ({"text": "a", "id": "x" * 513}, ["/id"]),
        ({"text": "a", "id": 7}, ["/id"]),
        ({"text": "a", "collection": "a\x00"}, ["/collection"]),
        ({"text": "a", "profile": "poetry"}, ["/profile"]),
        ({"text": "a", "metadata": [1]}, ["/metadata"]),
        ({"text": "a", "force": "yes"}, ["/force"]),
        ({"text": "a", "callback_url": "https://example.com"}, ["/callback_url"]),
        ({"text": "a", "colour": "red"}, ["/colour"]),
        ({"text": "a", "config": {"maxtokens": 1}}, ["/config/maxtokens"]),
        ({"text": "a", "config": {"max_tokens": 0}}, ["/config/max_tokens"]),
        ({"text": "a", "config": {"max_tokens": "600"}}, ["/config/max_tokens"]),
        ({"text": "a", "config": {"max_tokens": True}}, ["/config/max_tokens"]),
        ({"text": "a", "config": {"max_tokens": 1.5}}, ["/config/max_tokens"]),
        ({"text": "a", "config": {"seam_threshold": 1.01}}, ["/config/seam_threshold"]),
        (
            {"text": "a", "config": {"max_tokens": 100, "min_tokens": 200}},
            ["/config/min_tokens", "/config/max_tokens"],
        ),
        ({"blocks": [{"type": "poem", "text": "a"}]}, ["/blocks/0/type"]),
        ({"blocks": [{"type": "heading", "text": "a"}]}, ["/blocks/0/level"]),
        ({"blocks": [{"type": "heading", "text": "a", "level": True}]}, ["/blocks/0/level"]),
        ({"blocks": [{"type": "paragraph", "text": "a", "a/b~c": 1}]}, ["/blocks/0/a~1b~0c"]),
        ("text", [""]),
    ],
)
async def test_wrong_values_are_named(api: Api, body: object, named: list[str]) -> None:
    response = await api.post("/v1/ingest", body)
    assert pointers(problem(response, 422, "invalid-request")) == named
    assert api.behind.uploads == []


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"metadata": "{"}, ["/metadata"]),
        ({"force": "yes"}, ["/force"]),
        ({"config": '{"max_tokens": 0}'}, ["/config/max_tokens"]),
        ({"colour": "1"}, ["/colour"]),
        ({"text": "both"}, ["/file", "/text"]),
        ({"id": "a\tb"}, ["/id"]),
    ],
)
async def test_wrong_form_fields_are_named(api: Api, fields: dict[str, str], named: list[str]) -> None:
    response = await api.client.post("/v1/ingest", files={"file": ("a.md", b"a")}, data=fields)
    assert pointers(problem(response, 422, "invalid-request")) == named


async def test_a_form_without_a_document_or_with_two_is_refused(api: Api) -> None:
    empty = await api.client.post("/v1/ingest", files={"id": (None, "a")})
    assert pointers(problem(empty, 422, "invalid-request")) == ["/file", "/text"]
    two = await api.client.post("/v1/ingest", files=[("file", ("a.md", b"a")), ("file", ("b.md", b"b"))])
    problem(two, 400, "bad-request")
    misnamed = await api.client.post("/v1/ingest", files={"doc": ("a.md", b"a")})
    assert pointers(problem(misnamed, 422, "invalid-request")) == ["/doc"]
    not_a_file = await api.client.post("/v1/ingest", files={"file": (None, "a")})
    assert pointers(problem(not_a_file, 422, "invalid-request")) == ["/file"]
