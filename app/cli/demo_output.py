"""What the demonstration shows: bars on a terminal, plain lines in a pipe, and each answer with its sources."""

import textwrap
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

_INDENT = "   "


class JobProgress:
    """How far jobs are, one line each."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bars = Progress(
            TextColumn("{task.fields[document]}"),
            BarColumn(),
            TextColumn("{task.fields[stage]}"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._said: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bars.stop()

    def update(self, document: str, job: Mapping[str, Any]) -> None:
        """Show a job as the API describes it now."""
        stage = _stage(job)
        if not self._console.is_terminal:
            if self._said.get(document) != stage:
                self._console.print(f"{document}: {stage}", markup=False)
                self._said[document] = stage
            return
        if document not in self._tasks:
            self._tasks[document] = self._bars.add_task("", document=document, stage=stage)
        finished = job["status"] == "succeeded"
        self._bars.update(
            self._tasks[document],
            stage=stage,
            total=1 if finished else job["total"] or None,
            completed=1 if finished else job["done"],
        )


def print_answer(console: Console, number: int, question: str, context: Mapping[str, Any], *, seconds: float) -> None:
    """Print a question with what the service found for it."""
    console.print(f"\n{number}. {question}", style="bold", markup=False)
    if context["abstained"]:
        console.print(f"{_INDENT}Abstained: the documents don't answer this ({context['reason']}).", markup=False)
    else:
        console.print(textwrap.indent(context["text"], _INDENT), markup=False)
        console.print(f"{_INDENT}Sources", style="bold")
        for source in context["sources"]:
            console.print(f"{_INDENT}  {_place(source)}", markup=False)
    answered_by = context["decisions"]["model"] or "no decision model"
    console.print(f"{_INDENT}{context['tokens']} tokens, {answered_by}, {seconds * 1000:.0f} ms", style="dim")


def _place(source: Mapping[str, Any]) -> str:
    """Title and path, and the unit's address; the path often starts with the title."""
    names = source["path"] if source["path"][:1] == [source["title"]] else [source["title"], *source["path"]]
    return f"{' > '.join(names)} ({source['document']}, unit {source['unit']})"


def _stage(job: Mapping[str, Any]) -> str:
    if job["status"] == "succeeded":
        return "unchanged since the last run" if job["unchanged"] else f"taken in, {job['units']} units"
    if job["stage"] is None or job["status"] == "queued":
        return str(job["status"])
    return str(job["stage"])
