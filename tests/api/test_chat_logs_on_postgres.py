"""Chat logs over HTTP on a real database: told from data by their content, read, linked, asked."""

import json

import pytest

from tests.api.test_on_postgres import Stack, stack

pytestmark = pytest.mark.anyio

__all__ = ["stack"]

SESSION = [
    {"type": "mode", "mode": "normal", "sessionId": "s"},
    {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "isSidechain": False,
        "timestamp": "2026-10-01T10:00:00.000Z",
        "message": {"role": "user", "content": "Why does the kiln test fail?"},
    },
    {
        "type": "assistant",
        "uuid": "a1",
        "parentUuid": "u1",
        "isSidechain": False,
        "timestamp": "2026-10-01T10:00:02.000Z",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "text", "text": "The kiln test fails because the ramp is 90 degrees an hour."}],
        },
    },
    {
        "type": "assistant",
        "uuid": "a2",
        "parentUuid": "a1",
        "isSidechain": False,
        "timestamp": "2026-10-01T10:00:03.000Z",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}],
        },
    },
    {
        "type": "user",
        "uuid": "r1",
        "parentUuid": "a2",
        "isSidechain": False,
        "timestamp": "2026-10-01T10:00:05.000Z",
        "message": {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "1 failing; API_KEY=sk-ant-abcdefghijklmnop12"}
            ],
        },
    },
]


async def format_of(stack: Stack) -> object:
    [entry] = (await stack.client.get("/v1/documents")).json()["documents"]
    return entry["format"]


async def test_a_session_log_that_nobody_named_is_a_conversation_with_its_links(stack: Stack) -> None:
    text = "\n".join(map(json.dumps, SESSION))
    response = await stack.client.post(
        "/v1/ingest", files={"file": ("session.jsonl", text.encode())}, data={"id": "session"}
    )
    assert response.status_code == 202, response.text
    await stack.worker.ingest_document.run(response.json()["id"], "worker-1")
    document = (await stack.client.get("/v1/documents/session")).json()
    assert await format_of(stack) == "chat"
    assert document["profile"] == "conversational"
    assert document["detected"]["by"] == "speakers"
    assert [(unit["id"], unit["kind"]) for unit in document["units"]] == [
        ("m1", "message"),
        ("m2", "message"),
        ("m3", "message"),
        ("a4", "output"),
    ]
    assert {"type": "reply_to", "from": "m2", "to": "m1"} in document["links"]
    assert {"type": "output_of", "from": "a4", "to": "m3"} in document["links"]
    assert "sk-ant" not in json.dumps(document)
    assert "[redacted:" in document["units"][3]["text"]

    asked = {"query": "Why does the kiln test fail?"}
    context = (await stack.client.post("/v1/retrieve", json=asked)).json()
    assert "90 degrees an hour" in context["text"]


async def test_json_of_no_conversation_stays_data(stack: Stack) -> None:
    body = json.dumps({"data": [{"type": "user", "name": "Ada"}, {"type": "user", "name": "Ben"}]})
    response = await stack.client.post(
        "/v1/ingest", files={"file": ("users.json", body.encode())}, data={"id": "users"}
    )
    await stack.worker.ingest_document.run(response.json()["id"], "worker-1")
    assert await format_of(stack) == "json"
    assert (await stack.client.get("/v1/documents/users")).json()["profile"] == "markup"


async def test_an_export_becomes_a_document_for_each_conversation(stack: Stack) -> None:
    def chat(name: str, text: str) -> dict[str, object]:
        turns = [{"role": "user", "content": text}, {"role": "assistant", "content": f"Yes: {text}"}]
        return {"id": name, "title": name.title(), "messages": turns}

    body = json.dumps([chat("trip", "Oslo is cold in May."), chat("fix", "The pump leaks at the seal.")])
    response = await stack.client.post(
        "/v1/ingest", files={"file": ("export.json", body.encode())}, data={"id": "export"}
    )
    await stack.worker.ingest_document.run(response.json()["id"], "worker-1")
    job = (await stack.client.get(f"/v1/jobs/{response.json()['id']}")).json()
    assert (job["status"], job["documents"]) == ("succeeded", ["export/trip", "export/fix"])
    listed = (await stack.client.get("/v1/documents")).json()["documents"]
    assert {one["id"]: one["title"] for one in listed} == {"export/fix": "Fix", "export/trip": "Trip"}
