"""`context-atlas demo`: the embedded stack takes in the sample documents, answers five questions, and stops."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import typer
from rich.console import Console

import app
from app.adapters.embedded.errors import StopRequested
from app.adapters.embedded.signals import StopSignals
from app.adapters.embedded.supervisor import Stack
from app.cli.demo_output import JobProgress, print_answer
from app.cli.failure import CommandFailed

#: Four that the sample documents answer, and one that they don't although it sounds as if they might.
QUESTIONS = (
    "How many days do I have to return an unopened controller?",
    "Who pays for the return if the goods arrived damaged?",
    "Which terminals does the float switch connect to?",
    "Which firmware version fixed the false dry-run alarm after a power cut?",
    "Can I pay for an order in instalments?",
)
_LOCALHOST = "127.0.0.1"
_ANSWER_SECONDS = 60.0
_LOOK_EVERY_SECONDS = 0.2


def run_demo(data_dir: Path, port: int, examples: Path | None) -> None:
    """Run the demonstration from start to end.

    Raises:
        CommandFailed: there are no sample documents, a document was not taken in, or a question not dealt with.
        StackError: something does not start.
    """
    documents = _sample_documents(examples)
    begun = time.monotonic()
    console = Console(highlight=False, soft_wrap=True)
    with StopSignals() as signals:
        try:
            with Stack(data_dir, host=_LOCALHOST, port=port, signals=signals, say=typer.echo) as stack:
                _show(stack, documents, signals, console)
        except StopRequested as request:
            raise CommandFailed("Stopped before the end.") from request
    typer.echo(
        f"Everything stopped again after {time.monotonic() - begun:.1f} s. To go on by hand: context-atlas serve"
    )


def _show(stack: Stack, documents: Sequence[Path], signals: StopSignals, console: Console) -> None:
    try:
        with httpx.Client(base_url=stack.url, trust_env=False, timeout=_ANSWER_SECONDS) as client:
            _take_in(client, documents, signals, console)
            for number, question in enumerate(QUESTIONS, start=1):
                signals.check()
                begun = time.perf_counter()
                context = _answered(client.post("/v1/retrieve", json={"query": question}))
                print_answer(console, number, question, context, seconds=time.perf_counter() - begun)
    except httpx.TransportError as error:
        raise CommandFailed(f"The API does not answer ({error}). Logs: {stack.logs}") from error


def _take_in(client: httpx.Client, documents: Sequence[Path], signals: StopSignals, console: Console) -> None:
    """Send the documents, and show how far each one's job is until all have finished."""
    with JobProgress(console) as progress:
        jobs = {path.name: _answered(_send(client, path)) for path in documents}
        while jobs:
            for name, job in list(jobs.items()):
                progress.update(name, job)
                if job["status"] in {"failed", "cancelled"}:
                    reason = (job["error"] or {}).get("detail", "no reason given")
                    raise CommandFailed(f"{name} was not taken in: {reason}")
                if job["status"] == "succeeded":
                    del jobs[name]
            if jobs:
                signals.pause(_LOOK_EVERY_SECONDS)
                jobs = {name: _answered(client.get(f"/v1/jobs/{job['id']}")) for name, job in jobs.items()}


def _send(client: httpx.Client, path: Path) -> httpx.Response:
    with path.open("rb") as file:
        return client.post("/v1/ingest", files={"file": (path.name, file, "text/markdown")}, data={"id": path.name})


def _answered(response: httpx.Response) -> Any:  # noqa: ANN401  # JSON, read by the names that the API documents
    if response.is_success:
        return response.json()
    try:
        reason = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        reason = response.text
    raise CommandFailed(f"{response.request.url.path} answered {response.status_code}: {reason}")


def _sample_documents(examples: Path | None) -> list[Path]:
    folder = examples if examples is not None else Path(app.__file__).resolve().parents[1] / "examples"
    documents = sorted(folder.glob("*.md"))
    if not documents:
        raise CommandFailed(f"There are no sample documents (*.md) in {folder}; name their folder with --examples.")
    return documents
