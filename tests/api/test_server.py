"""The API behind its real server, on a socket: what only shows there."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest
import uvicorn

from tests.api.conftest import Api, problem

pytestmark = pytest.mark.anyio


@pytest.fixture
async def port(api: Api) -> AsyncIterator[int]:
    """The API on a free port."""
    server = uvicorn.Server(uvicorn.Config(api.app, port=0, log_config=None, lifespan="off"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


async def test_a_hundred_megabytes_are_refused_before_they_are_sent(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = "POST /v1/ingest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n"
    writer.write(head.encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"application/problem+json" in answer


@pytest.mark.parametrize("declared", [True, False])
async def test_a_client_that_sends_too_much_gets_to_read_why(port: int, *, declared: bool) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"a" * 1024 * 1024

    headers = {"content-type": "application/json"} | ({"content-length": str(100 * 1024 * 1024)} if declared else {})
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        problem(await client.post("/v1/ingest", content=endless(), headers=headers), 413, "too-large")
        assert (await client.get("/livez")).status_code == 200


async def test_ids_survive_the_way_over_the_wire(api: Api, port: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        for path in ("/v1/documents/returns/policy", "/v1/documents/returns%2Fpolicy"):
            assert (await client.get(path)).json()["id"] == "returns/policy"
        for document in ("100%25", "a%20b", "%F0%9F%99%82", "a%252Fb", "%E0%A4%A", "%ff"):
            problem(await client.get(f"/v1/documents/{document}"), 404, "document-not-found")


async def test_a_client_that_goes_away_in_the_middle_harms_nobody(
    api: Api, port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    head = "POST /v1/ingest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    writer.write(head.encode() + json.dumps({"text": "half"})[:-1].encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        assert (await client.get("/livez")).status_code == 200
    assert api.behind.uploads == []
    assert "Traceback" not in "".join(capsys.readouterr())
