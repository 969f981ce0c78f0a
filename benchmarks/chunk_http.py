"""What HTTP adds to chunking, and whether the event loop is ever held up.

    python -m benchmarks.chunk_http

Runs the API alone on loopback (chunking needs neither database nor queue), in a process that also notes how late its
event loop wakes. Measured from another process: a 10 KB document with one client and with 50 at once, then documents of
1, 4 and 16 MB as JSON and as files while small requests go on. Prints p50 and p95 in milliseconds, errors, and the
longest time that the loop was held up.
"""

import asyncio
import contextlib
import json
import logging
import multiprocessing
import statistics
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

import httpx
import structlog
import uvicorn

from app.main import create_app
from app.settings import Settings
from benchmarks.server import EXAMPLES, free_port

CLIENTS = 50
ROUNDS = 200
BEAT_SECONDS = 0.005


def _serve(port: int, control: Connection) -> None:
    """Run the API until told to stop; answers every message with the longest gap, in ms, since the one before."""
    worst = 0.0
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))

    async def note_gaps() -> None:
        nonlocal worst
        while True:
            before = time.perf_counter()
            await asyncio.sleep(BEAT_SECONDS)
            worst = max(worst, time.perf_counter() - before - BEAT_SECONDS)

    async def run() -> None:
        nonlocal worst
        server = uvicorn.Server(uvicorn.Config(create_app(Settings()), port=port, log_level="warning"))
        serving = asyncio.create_task(server.serve())
        noting = asyncio.create_task(note_gaps())
        while await asyncio.to_thread(control.recv) != "stop":
            control.send(worst * 1000)
            worst = 0.0
        noting.cancel()
        server.should_exit = True
        await serving

    asyncio.run(run())


@contextlib.contextmanager
def _api() -> Iterator[tuple[str, Connection]]:
    port = free_port()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(port, theirs))
    process.start()
    base_url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"{base_url}/livez")
                break
            time.sleep(0.1)
        yield base_url, ours
    finally:
        ours.send("stop")
        process.join(20)
        process.kill()


def _longest_gap(control: Connection) -> float:
    control.send("gap")
    return float(control.recv())


async def _clients(base_url: str, count: int, rounds: int, body: bytes) -> tuple[list[float], int]:
    """Send `rounds` requests over `count` connections; return the milliseconds of each, and how many failed."""
    times: list[float] = []
    errors = 0
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(base_url=base_url, timeout=120, limits=limits) as client:

        async def one() -> None:
            nonlocal errors
            for _ in range(rounds // count):
                started = time.perf_counter()
                answer = await client.post("/v1/chunk", content=body, headers={"content-type": "application/json"})
                times.append((time.perf_counter() - started) * 1000)
                errors += answer.status_code != httpx.codes.OK

        await asyncio.gather(*(one() for _ in range(count)))
    return times, errors


def _report(label: str, times: list[float], errors: int, gap: float) -> None:
    cuts = statistics.quantiles(times, n=100)
    figures = f"p50 {cuts[49]:7.1f} ms  p95 {cuts[94]:7.1f} ms  errors {errors}  loop held up at most {gap:6.1f} ms"
    print(f"{label:<34} {len(times):>4} requests  {figures}")


def _large(base_url: str, text: str, size: int, *, as_file: bool) -> str:
    document = (text * (size // len(text) + 1))[:size]
    started = time.perf_counter()
    with httpx.Client(base_url=base_url, timeout=600) as client:
        if as_file:
            answer = client.post("/v1/chunk", files={"file": ("a.md", document.encode())}, data={"strategy": "budget"})
        else:
            body = {"text": document, "format": "markdown", "strategy": "budget"}
            answer = client.post("/v1/chunk", json=body)
    seconds = time.perf_counter() - started
    return f"{seconds:6.2f} s, status {answer.status_code}, {len(answer.content) / 1e6:.1f} MB of answer"


def main() -> None:
    """Run the benchmark."""
    text = "\n\n".join(path.read_text("utf-8") for path in sorted(EXAMPLES.glob("*.md")))
    small = (text * 4)[:10_000]
    with _api() as (base_url, control):
        for strategy in ("budget", "topic"):
            body = json.dumps(
                {
                    "text": small,
                    "format": "markdown",
                    "strategy": strategy,
                    **({} if strategy == "budget" else {"use_jev": False}),
                }
            ).encode()
            asyncio.run(_clients(base_url, 1, 20, body))
            _longest_gap(control)
            _report(
                f"{strategy}, 10 KB, one client",
                *asyncio.run(_clients(base_url, 1, ROUNDS, body)),
                _longest_gap(control),
            )
            many = asyncio.run(_clients(base_url, CLIENTS, 5 * ROUNDS, body))
            _report(f"{strategy}, 10 KB, {CLIENTS} clients at once", *many, _longest_gap(control))
        for megabytes in (1, 4, 16):
            for as_file in (False, True):
                told = _large(base_url, text, megabytes * 1_000_000, as_file=as_file)
                kind = "file" if as_file else "JSON"
                print(f"budget, {megabytes} MB as {kind}: {told}, loop held up at most {_longest_gap(control):.1f} ms")


if __name__ == "__main__":
    main()
