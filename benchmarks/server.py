"""Starts the whole service in a temporary directory, for benchmarks that measure it over HTTP."""

import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

EXAMPLES = Path(__file__).parent.parent / "examples"


def free_port() -> int:
    """Return a loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running_service() -> Iterator[httpx.Client]:
    """Yield a client of a fresh service; stop it and remove its data afterwards."""
    directory = Path(tempfile.mkdtemp(prefix="context-atlas-bench-"))
    port = free_port()
    command = [sys.executable, "-m", "app.cli", "serve", "--data-dir", str(directory), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            _wait_until_ready(client, process)
            yield client
    finally:
        process.terminate()
        process.wait(timeout=60)
        shutil.rmtree(directory, ignore_errors=True)


def ingest_examples(client: httpx.Client) -> None:
    """Ingest the example documents and wait until they are searchable."""
    for path in sorted(EXAMPLES.glob("*.md")):
        body = {"id": path.name, "text": path.read_text("utf-8"), "format": "markdown"}
        answer = client.post("/v1/ingest", json=body, headers={"Prefer": "wait=60"})
        answer.raise_for_status()
        if answer.json()["status"] != "succeeded":
            raise RuntimeError(f"{path.name} was not ingested: {answer.json()}")


def _wait_until_ready(client: httpx.Client, process: subprocess.Popen[str], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the service stopped:\n{process.stdout.read() if process.stdout else ''}")
        with contextlib.suppress(httpx.TransportError):
            if client.get("/readyz").status_code == httpx.codes.OK:
                return
        time.sleep(0.2)
    raise RuntimeError("the service was not ready in time")
