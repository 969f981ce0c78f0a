"""Ingests a large Markdown file, or a long session log, with the offline engine and prints what it took.

The real operation runs on an embedded PostgreSQL. The Markdown is made of the sections in `examples/`, repeated with
other names and numbers so that no two passages are equal and no answer is shared; the log is invented
(tests/session_logs.py). Printed are seconds per stage, decision questions asked, and the peak memory of this process
and of the reader it starts.
"""

import argparse
import asyncio
import hashlib
import itertools
import re
import resource
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from app import wiring
from app.adapters.postgres.engine import create_engine
from app.adapters.postgres.job_store import PostgresJobStore
from app.adapters.postgres.migrate import upgrade
from app.documents.job import Job, JobStage, Lease, Upload
from app.operations.accept_document import INGESTION_VERSION
from app.ports.reader_runner import Source
from app.settings import DatabaseSettings, DecisionSettings, Settings
from tests.servers import postgres_server
from tests.session_logs import session

EXAMPLES = Path(__file__).parents[2] / "examples"
SITES = ("Lisbon", "Oslo", "Turin", "Graz", "Ghent", "Porto", "Cork", "Vigo", "Brno", "Lyon", "Umea", "Split")


class TimedJobs(PostgresJobStore):
    """Notes when each stage began."""

    began: dict[JobStage, float]

    async def heartbeat(
        self,
        lease: Lease,
        *,
        lease_seconds: float,
        stage: JobStage | None = None,
        done: int | None = None,
        total: int | None = None,
    ) -> None:
        """See `JobStore.heartbeat`."""
        if stage is not None:
            self.began.setdefault(stage, time.perf_counter())
        await super().heartbeat(lease, lease_seconds=lease_seconds, stage=stage, done=done, total=total)


def markdown(size: int) -> str:
    """Return a Markdown document of about `size` bytes whose sections all differ."""
    parts: list[str] = []
    length = 0
    for part in _varied():
        parts.append(part)
        length += len(part.encode()) + 2
        if length >= size:
            break
    return "\n\n".join(parts)


def _varied() -> Iterator[str]:
    sections = [
        section
        for path in sorted(EXAMPLES.glob("*.md"))
        for section in re.split(r"\n(?=#)", path.read_text(encoding="utf-8"))
    ]
    for number in itertools.count(1):
        for section in sections:
            site = f"{SITES[number % len(SITES)]} {number}"
            heading, _, body = section.partition("\n")
            paragraphs = [f"For {site}: {text}" if text[:1].isalpha() else text for text in body.strip().split("\n\n")]
            yield "\n\n".join([f"{heading} ({site})", *paragraphs])


async def ingest(settings: Settings, data: bytes, format_: str) -> tuple[Job, dict[str, float]]:
    """Ingest a document and return its finished job with seconds per stage."""
    engine = create_engine(settings.database.url.get_secret_value())
    jobs = TimedJobs(engine, max_tries=1)
    jobs.began = {}
    upload = Upload(
        collection="default",
        document="large",
        format=format_,
        content_hash=hashlib.sha256(data).hexdigest(),
        size=len(data),
        ingestion_version=INGESTION_VERSION,
    )
    job_id = (await jobs.accept(upload, _stream(data), None)).job.id
    async with wiring.open_worker(settings) as services:
        operation = replace(services.ingest_document, jobs=jobs)
        # A worker starts its readers once, at its first document.
        await operation.reader.read(Source(data=b"Text.", format="markdown"))
        started = time.perf_counter()
        await operation.run(job_id, "benchmark")
        ended = time.perf_counter()
    job = await jobs.job(job_id)
    await engine.dispose()
    times = [*jobs.began.items()]
    seconds = {
        stage.value: until - begun
        for (stage, begun), until in zip(times, [*(begun for _, begun in times[1:]), ended], strict=True)
    }
    return job, {**seconds, "all": ended - started}


async def _stream(data: bytes) -> AsyncIterator[bytes]:
    yield data


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=1.0, help="size of the file in megabytes")
    parser.add_argument("--session", type=int, metavar="LINES", help="a session log of so many lines instead")
    options = parser.parse_args()
    log = None if options.session is None else session(options.session)
    data = markdown(int(options.mb * 1_000_000)).encode() if log is None else log.data
    what = "Markdown" if log is None else f"a session log of {log.lines} lines"
    with postgres_server() as server:
        url = server.create_database("benchmark")
        upgrade(url)
        settings = Settings(database=DatabaseSettings(url=SecretStr(url)), decisions=DecisionSettings(model="offline"))
        job, seconds = asyncio.run(ingest(settings, data, "markdown" if log is None else "chat"))
        # Taken while the server runs: it is a child as well, and its memory is not the question.
        peaks = {
            name: resource.getrusage(who).ru_maxrss / 1024
            for name, who in (("worker", resource.RUSAGE_SELF), ("reader", resource.RUSAGE_CHILDREN))
        }
    print(f"ingest of {len(data) / 1e6:.2f} MB of {what}, offline engine: {job.status}, {job.units} units")
    for stage, taken in seconds.items():
        print(f"  {stage:<10} {taken:8.2f} s")
    use = job.decisions
    print(f"  decisions: {use.questions} questions in {use.requests} requests, {use.unanswered} unanswered")
    print(f"  degraded: {', '.join(job.degraded) or 'nothing'}")
    for name, megabytes in peaks.items():
        print(f"  peak memory of the {name}: {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
