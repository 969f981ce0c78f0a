"""Data files over HTTP: into the store and out of it as format 2, found at once, and never chunked."""

import json

import pytest

from tests.api.conftest import Api, pointers, problem
from tests.api.test_on_postgres import Stack, stack

__all__ = ["stack"]  # the fixture

pytestmark = pytest.mark.anyio

SPEC = """\
# Ticket API
openapi: 3.1.0
paths:
  /tickets:
    post:
      summary: Open a ticket for a customer who wrote by letter.
      requestBody: {$ref: '#/components/schemas/Ticket'}
components:
  schemas:
    Ticket:
      type: object
      properties:
        subject: {type: string, maxLength: 120}
        common: {$ref: './common.yaml#/Common'}
"""


async def test_a_data_file_is_ingested_shown_and_found(stack: Stack) -> None:
    job = await stack.ingest(
        id="api", text=SPEC, format="yaml", config={"subtree_max_tokens": 50, "subtree_small_tokens": 20}
    )
    assert (job["status"], job["units"], job["warnings"]) == ("succeeded", 3, [])

    document = (await stack.client.get("/v1/documents/api")).json()
    assert (document["format"], document["id"], document["profile"]) == (2, "api", "markup")
    assert document["detected"] == {"profile": "markup", "score": None, "by": "format"}
    assert [(unit["id"], unit["kind"], unit.get("path"), unit["meta"]) for unit in document["units"]] == [
        ("s1", "subtree", None, {"path": [], "lines": [0, 2], "profile": "markup"}),
        ("s2", "subtree", ["paths"], {"path": ["paths"], "lines": [2, 7], "profile": "markup"}),
        (
            *("s3", "subtree", ["components"]),
            {
                "path": ["components"],
                "lines": [7, 14],
                "external": ["./common.yaml#/Common"],
                "profile": "markup",
            },
        ),
    ]
    assert document["units"][0]["text"] == "api: (top level)\n# Ticket API\nopenapi: 3.1.0"
    assert document["links"] == [{"type": "ref", "from": "s2", "to": "s3"}]
    assert document["data"] == {"format": "yaml", "layout": "source", "external": ["./common.yaml#/Common"]}
    assert (
        document["lexical"]["terms"]["ticket"] == {"s1": 1, "s2": 1, "s3": 1} | document["lexical"]["terms"]["ticket"]
    )

    listed = (await stack.client.get("/v1/documents")).json()["documents"]
    assert [(one["format"], one["profile"], one["title"]) for one in listed] == [("yaml", "markup", "api")]
    units = (await stack.client.get("/v1/units", params={"document": "api"})).json()["units"]
    assert [(unit["id"], unit["kind"], unit["path"]) for unit in units][1:] == [
        ("s2", "subtree", ["paths"]),
        ("s3", "subtree", ["components"]),
    ]
    hits = (await stack.client.post("/v1/search", json={"query": "maxLength of a subject"})).json()["hits"]
    assert hits[0]["unit"] == "s3"
    # Retrieval of data files comes later; until then a question judges them like any other text.
    assert (await stack.client.post("/v1/retrieve", json={"query": "maxLength of a subject"})).status_code == 200


async def test_ids_stay_where_texts_stay(stack: Stack) -> None:
    sizes = {"subtree_max_tokens": 12, "subtree_small_tokens": 2}
    await stack.ingest(id="c", text='{"a": "first words", "b": "second words"}', format="json", config=sizes)
    await stack.ingest(id="c", text='{"x": "other words", "b": "second words"}', format="json", config=sizes)

    units = (await stack.client.get("/v1/documents/c")).json()["units"]
    assert [(unit["id"], unit["path"]) for unit in units] == [("s3", ["x"]), ("s2", ["b"])]


async def test_a_malformed_file_fails_its_job_with_the_place(stack: Stack) -> None:
    job = await stack.ingest(id="c", text='{"a": }', format="json")

    assert job["status"] == "failed"
    error = job["error"]
    assert isinstance(error, dict)
    assert (error["type"], error["status"]) == ("urn:context-atlas:problem:malformed", 422)
    assert error["detail"] == "Not JSON that can be read: Expecting value at line 1, column 7 (byte 6)."


@pytest.mark.parametrize(
    ("name", "text", "label", "lines"),
    [
        ("yaml", "fee: late", "(top level)", "fee: late"),
        ("json", '{"fee":"late"}', "(top level)", '{\n  "fee": "late"\n}'),
        ("jsonl", '{"fee":"late"}', "[fee=late]", '{\n  "fee": "late"\n}'),
        ("xml", "<a><fee>late</fee></a>", "(top level)", "<a>\n  <fee>late</fee>\n</a>"),
        ("toml", 'fee = "late"', "(top level)", 'fee = "late"'),
    ],
)
async def test_chunking_cuts_data_files_into_their_subtrees(
    api: Api, name: str, text: str, label: str, lines: str
) -> None:
    response = await api.client.post("/v1/chunk", json={"text": text, "format": name, "use_jev": False})

    assert response.status_code == 200
    [chunk] = response.json()["chunks"]
    assert chunk["content"] == f"{label}\n{lines}"
    assert (chunk["block_types"], chunk["type"]) == (["code"], name)


async def test_formats_are_listed(api: Api) -> None:
    formats = {one["name"]: one for one in (await api.client.get("/v1/formats")).json()["formats"]}

    assert formats["yaml"]["extensions"] == ["yaml", "yml"]
    assert "application/x-ndjson" in formats["jsonl"]["media_types"]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"format": "yaml", "profile": "normative"}, ["/profile"]),
        ({"format": "markdown", "profile": "markup"}, ["/profile"]),
        (
            {"format": "yaml", "config": {"subtree_max_tokens": 50, "subtree_small_tokens": 51}},
            ["/config/subtree_small_tokens", "/config/subtree_max_tokens"],
        ),
        ({"format": "yaml", "config": {"subtree_max_tokens": 0}}, ["/config/subtree_max_tokens"]),
        ({"format": "yaml", "config": {"subtree_small_tokens": -1}}, ["/config/subtree_small_tokens"]),
    ],
)
async def test_wrong_values_are_named(api: Api, fields: dict[str, object], named: list[str]) -> None:
    response = await api.client.post("/v1/ingest", json={"id": "a", "text": "a: 1", **fields})

    assert pointers(problem(response, 422, "invalid-request")) == named


async def test_the_profile_of_data_files_may_be_named(api: Api) -> None:
    response = await api.client.post("/v1/ingest", json={"text": "a: 1", "format": "yaml", "profile": "markup"})
    assert response.status_code == 202


async def test_a_smaller_most_takes_small_down_with_it(api: Api) -> None:
    response = await api.client.post("/v1/chunk", json={"text": "a", "format": "text", "subtree_max_tokens": 50})

    options = json.loads(response.text)["options"]
    assert (options["subtree_max_tokens"], options["subtree_small_tokens"]) == (50, 50)
