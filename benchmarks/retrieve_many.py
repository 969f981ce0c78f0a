"""How long a question takes over 1,000 documents, over HTTP: `python -m benchmarks.retrieve_many PATH`.

PATH holds question sets, see `retrieval_quality`. Their documents are cut at line ends into 1,000 documents of about
equal size, all of one collection; every fourth question of the sets is asked by one client, then by four at once.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from benchmarks.retrieval_quality import SETS
from benchmarks.server import running_service

DOCUMENTS = 1_000
EVERY = 4
CLIENTS = (1, 4)


def documents(path: Path) -> list[str]:
    """The texts of the sets in `DOCUMENTS` pieces."""
    texts = [file.read_bytes().decode() for name in SETS for file in sorted((path / name / "documents").iterdir())]
    size = sum(map(len, texts)) / (DOCUMENTS - len(texts) / 2)
    pieces = [piece for text in texts for piece in _pieces(text, size)]
    return pieces[:DOCUMENTS]


def _pieces(text: str, size: float) -> Iterator[str]:
    piece = ""
    for line in text.splitlines(keepends=True):
        piece += line
        if len(piece) >= size:
            yield piece
            piece = ""
    if piece.strip():
        yield piece


def ask(client: httpx.Client, question: str) -> float:
    """Milliseconds of one question."""
    started = time.perf_counter()
    client.post("/v1/retrieve", json={"query": question, "max_tokens": 1_000}).raise_for_status()
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    """Ingest, ask, and print one line per number of clients."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, help="folder of question sets")
    path = parser.parse_args().path
    pieces = documents(path)
    questions = [
        json.loads(line)["question"]
        for name in SETS
        for line in (path / name / "questions.jsonl").read_text("utf-8").splitlines()[::EVERY]
    ]
    with running_service() as client:
        started = time.perf_counter()
        accepted = [
            client.post("/v1/ingest", json={"id": f"d{number}", "text": text, "format": "markdown"}).json()["id"]
            for number, text in enumerate(pieces)
        ]
        for job in accepted:
            while client.get(f"/v1/jobs/{job}").json()["status"] in ("queued", "running"):
                time.sleep(0.2)
        total, spent = sum(map(len, pieces)), time.perf_counter() - started
        print(f"{len(pieces)} documents, {total / 1e6:.1f} M characters, ingested in {spent:.0f} s")
        for clients in CLIENTS:
            with ThreadPoolExecutor(clients) as pool:
                times = sorted(pool.map(lambda question: ask(client, question), questions))
            p95 = times[int(0.95 * len(times))]
            print(f"{clients} at once: p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, {len(times)} questions")


if __name__ == "__main__":
    main()
