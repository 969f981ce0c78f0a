"""The issue's list "Bad input", and everything else that no route should be reached by."""

from collections.abc import AsyncIterator

import httpx
import pytest
from structlog.testing import capture_logs

from tests.api.conftest import Api, pointers, problem, with_probes

pytestmark = pytest.mark.anyio

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
JSON_ROUTES = [
    *("/v1/ingest", "/v1/chunk", "/v1/retrieve", "/v1/search"),
    *("/v1/rank", "/v1/rerank", "/v2/rerank", "/v1/tokens"),
]


@pytest.mark.parametrize("path", JSON_ROUTES)
async def test_an_empty_body(api: Api, path: str) -> None:
    assert "no body" in problem(await api.raw(path, b""), 400, "malformed-request")["detail"]
    assert "no body" in problem(await api.client.post(path), 400, "malformed-request")["detail"]


@pytest.mark.parametrize("path", JSON_ROUTES)
async def test_broken_json(api: Api, path: str) -> None:
    assert "line 1, column 2" in problem(await api.raw(path, b"{"), 400, "malformed-request")["detail"]


@pytest.mark.parametrize("path", JSON_ROUTES)
async def test_duplicate_keys(api: Api, path: str) -> None:
    response = await api.raw(path, b'{"query": "a", "query": "b"}')
    assert '"query" stands twice' in problem(response, 400, "malformed-request")["detail"]


@pytest.mark.parametrize("path", JSON_ROUTES)
async def test_json_that_is_not_utf_8(api: Api, path: str) -> None:
    problem(await api.raw(path, '{"query": "café"}'.encode("latin-1")), 400, "malformed-request")


@pytest.mark.parametrize("path", JSON_ROUTES)
async def test_json_a_hundred_thousand_levels_deep(api: Api, path: str) -> None:
    problem(await api.raw(path, b'{"a":' * 100_000), 400, "malformed-request")


@pytest.mark.parametrize("path", JSON_ROUTES)
@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_another_content_type(api: Api, path: str, content_type: str) -> None:
    response = await api.raw(path, b"query=a", content_type)
    assert "application/json" in problem(response, 415, "unsupported-media-type")["detail"]


@pytest.mark.parametrize("path", ["/v1/ingest", "/v1/chunk"])
async def test_an_unknown_format(api: Api, path: str) -> None:
    body = problem(await api.post(path, {"text": "a", "format": "wordstar"}), 415, "unknown-format")
    assert "markdown" in body["detail"]


@pytest.mark.parametrize("path", ["/v1/ingest", "/v1/chunk"])
@pytest.mark.parametrize("content", [PDF, PNG])
async def test_a_pdf_or_png_as_markdown(api: Api, path: str, content: bytes) -> None:
    response = await api.client.post(path, files={"file": ("a.md", content)}, data={"format": "markdown"})
    problem(response, 415, "unknown-format")
    assert api.behind.uploads == []


async def test_a_body_over_the_limit_by_its_declared_length(api: Api) -> None:
    async def nothing() -> AsyncIterator[bytes]:
        raise AssertionError("The body was asked for.")
        yield b""

    headers = {"content-length": str(100 * 1024 * 1024), "content-type": "application/json"}
    response = await api.client.post("/v1/ingest", content=nothing(), headers=headers)
    body = problem(response, 413, "too-large")
    assert "1,048,576 bytes" in body["detail"]
    assert "MAX_UPLOAD_MB" in body["detail"]


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        *((path, "application/json") for path in JSON_ROUTES),
        *((path, "multipart/form-data; boundary=x") for path in ("/v1/ingest", "/v1/chunk")),
    ],
)
async def test_a_body_over_the_limit_without_a_length(api: Api, path: str, content_type: str) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        while True:
            sent += 65536
            yield b"a" * 65536

    response = await api.client.post(path, content=endless(), headers={"content-type": content_type})
    problem(response, 413, "too-large")
    assert sent <= 1024 * 1024 + 65536


async def test_a_length_that_is_no_number(api: Api) -> None:
    response = await api.client.post("/v1/ingest", content=b"{}", headers={"content-length": "-5"})
    problem(response, 400, "malformed-request")


async def test_an_unknown_job(api: Api) -> None:
    for job_id in ("job_unknown", "a%00b", "%F0%9F%99%82", "x" * 500):
        problem(await api.client.get(f"/v1/jobs/{job_id}"), 404, "job-not-found")
        problem(await api.client.post(f"/v1/jobs/{job_id}/cancel"), 404, "job-not-found")


async def test_an_id_with_control_characters(api: Api) -> None:
    assert pointers(problem(await api.post("/v1/ingest", {"id": "a\x00", "text": ""}), 422, "invalid-request")) == [
        "/id"
    ]
    for path in ("/v1/documents/a%00b", "/v1/documents?id=a%0Ab"):
        assert pointers(problem(await api.client.get(path), 422, "invalid-request")) == ["id"]
        assert pointers(problem(await api.client.delete(path), 422, "invalid-request")) == ["id"]
    body = problem(await api.client.get("/v1/units?document=%1b"), 422, "invalid-request")
    assert pointers(body) == ["document"]
    body = problem(await api.post("/v1/retrieve", {"query": "a", "documents": ["ok", "\x00"]}), 422, "invalid-request")
    assert pointers(body) == ["/documents/1"]


@pytest.mark.parametrize("path", ["/v1/jobs", "/v1/documents", "/v1/limits", "/livez", "/v1/documents/a"])
async def test_unknown_query_parameters(api: Api, path: str) -> None:
    body = problem(await api.client.get(path, params={"colour": "red"}), 422, "invalid-request")
    assert pointers(body) == ["colour"]


async def test_a_query_parameter_given_twice(api: Api) -> None:
    body = problem(await api.client.get("/v1/jobs?limit=1&limit=2"), 422, "invalid-request")
    assert pointers(body) == ["limit"]


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/v1/jobs?limit=0", "limit"),
        ("/v1/jobs?limit=201", "limit"),
        ("/v1/jobs?status=lost", "status"),
        ("/v1/jobs/job_1?wait=61", "wait"),
        ("/v1/jobs/job_1?wait=-1", "wait"),
        ("/v1/jobs/job_1?wait=soon", "wait"),
        ("/v1/documents?collection=", "collection"),
        ("/v1/units", "document"),
    ],
)
async def test_wrong_query_parameters(api: Api, path: str, named: str) -> None:
    assert pointers(problem(await api.client.get(path), 422, "invalid-request")) == [named]


async def test_a_page_of_one_document(api: Api) -> None:
    response = await api.client.get("/v1/documents?id=a&limit=5&cursor=x")
    assert pointers(problem(response, 422, "invalid-request")) == ["cursor", "limit"]


async def test_a_foreign_cursor(api: Api) -> None:
    problem(await api.client.get("/v1/jobs?cursor=x"), 422, "invalid-request")


@pytest.mark.parametrize("path", ["/", "/v1", "/v2/ingest", "/v1/documents/", "/docs/files/../../../etc/passwd"])
async def test_paths_that_are_not_there(api: Api, path: str) -> None:
    response = await api.client.get(path)
    assert response.status_code in {404, 422}
    assert response.headers["content-type"] == "application/problem+json"


async def test_methods_that_are_not_there(api: Api) -> None:
    for path, allowed in {
        "/v1/documents/a": "GET, DELETE",
        "/v1/ingest": "POST",
        "/v1/jobs": "GET",
        "/livez": "GET",
    }.items():
        response = await api.client.put(path)
        problem(response, 405, "method-not-allowed")
        assert response.headers["allow"] == allowed


async def test_what_nobody_foresaw_tells_nothing(api: Api) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    api.behind.jobs.job = broken  # type: ignore[method-assign, assignment]  # the store fails in a way that is a defect
    with capture_logs() as logged:
        response = await api.client.get("/v1/jobs/job_1")
    assert [(line["event"], line["log_level"], line.get("exc_info")) for line in logged] == [
        ("request failed", "error", True),
        ("request", "info", None),
    ]
    assert "secret" not in response.text
    problem(response, 500, "internal")
    assert response.headers["x-request-id"]


async def test_what_does_not_answer_is_named_with_a_time_to_retry(api_without_model: Api) -> None:
    for path, body in {
        "/v1/retrieve": {"query": "How long does a refund take?"},
        "/v1/rank": {"query": "refund", "passages": [{"text": "A refund takes a week."}]},
    }.items():
        response = await api_without_model.post(path, body)
        problem(response, 503, "decision-model-unavailable")
        assert response.headers["retry-after"] == "5"


async def test_not_ready_names_what_is_wrong(api: Api) -> None:
    with_probes(api, postgres=None, redis="Redis does not answer.", worker="No worker has started yet.")
    response = await api.client.get("/readyz")
    body = problem(response, 503, "unavailable")
    assert pointers(body) == ["redis", "worker"]
    assert "Redis does not answer" in body["detail"]
    with_probes(api, postgres=None, redis=None)
    ready = await api.client.get("/readyz")
    assert ready.json() == {"status": "ready", "checks": {"postgres": "ok", "redis": "ok"}}


async def test_request_ids_are_returned_or_made(api: Api) -> None:
    given = await api.client.get("/livez", headers={"X-Request-Id": "abc-1.2_3"})
    assert given.headers["x-request-id"] == "abc-1.2_3"
    made = [await api.client.get("/livez", headers={"X-Request-Id": bad}) for bad in ("a b", "x" * 65, "<script>", "")]
    assert all(httpx.codes.is_success(one.status_code) for one in made)
    assert len({one.headers["x-request-id"] for one in made}) == 4
    assert all(len(one.headers["x-request-id"]) == 32 for one in made)
