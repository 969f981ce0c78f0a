"""`context-atlas serve` and `demo` with every process real."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.stack.processes import CLI, PATIENCE_SECONDS, Served, alive, end, kill, served, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

DOCUMENT = "# Returns\n\nA refund is paid within 14 days of the return.\n"


@pytest.fixture(scope="module")
def running() -> Iterator[Served]:
    """One that several tests look at and that none of them ends."""
    directory = Path(tempfile.mkdtemp(prefix="atlas-stack-", dir="/tmp"))
    directory.chmod(0o755)
    started = served(directory / "data")
    yield started
    end(started.process)
    shutil.rmtree(directory, ignore_errors=True)


def client(running: Served) -> httpx.Client:
    return httpx.Client(base_url=running.url, trust_env=False, timeout=60)


def ingest(running: Served) -> None:
    with client(running) as http:
        answer = http.post(
            "/v1/ingest", json={"id": "kept", "text": DOCUMENT, "format": "markdown"}, headers={"Prefer": "wait=60"}
        )
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "succeeded", answer.text


def titles(running: Served) -> list[str]:
    with client(running) as http:
        return [document["title"] for document in http.get("/v1/documents").raise_for_status().json()["documents"]]


def find(running: Served, word: str) -> psutil.Process | None:
    """The first process below `serve` whose command line has the word."""
    for child in running.children:
        with contextlib.suppress(psutil.NoSuchProcess):
            if word in child.cmdline():
                return child
    return None


def test_serve_prints_where_it_is_and_is_ready(running: Served) -> None:
    assert f"API            {running.url}/v1" in running.printed
    assert f"documentation  {running.url}/docs" in running.printed
    with client(running) as http:
        assert http.get("/readyz").status_code == 200
        assert http.get("/docs").status_code == 200


def test_a_second_serve_on_the_same_directory_says_so_and_leaves_the_first_alone(running: Served) -> None:
    second = subprocess.run(
        [*CLI, "serve", "--data-dir", str(running.directory), "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert second.stderr == (
        f"context-atlas: The data directory {running.directory} is in use by process {running.process.pid}, "
        f"which serves {running.url}.\n"
    )
    with client(running) as http:
        assert http.get("/readyz").status_code == 200


def test_a_port_that_is_taken_ends_the_start_before_anything_runs(running: Served, data_directory: Path) -> None:
    second = subprocess.run(
        [*CLI, "serve", "--data-dir", str(data_directory), "--port", str(running.port)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert f"can't listen on 127.0.0.1 port {running.port}" in second.stderr
    assert list((data_directory / "logs").iterdir()) == []


def test_a_child_that_crashes_is_started_again(running: Served) -> None:
    worker, database = find(running, "workers"), find(running, "-D")
    assert worker is not None
    assert database is not None
    worker.kill()
    database.kill()

    def is_back(word: str, old: psutil.Process) -> bool:
        found = find(running, word)
        return found is not None and found.pid != old.pid

    with client(running) as http:
        wait_until(
            lambda: is_back("workers", worker) and is_back("-D", database) and http.get("/readyz").is_success,
            "worker and database are back",
        )
    ingest(running)
    assert running.process.stdout is not None
    said = {running.process.stdout.readline().split(". Log:")[0] for _ in range(2)}
    assert said == {
        "worker was ended by signal 9; starting it again in 1 s",
        "postgres was ended by signal 9; starting it again in 1 s",
    }


def test_data_survives_a_stop_that_leaves_no_process(data_directory: Path) -> None:
    first = served(data_directory)
    ingest(first)
    children = first.children
    assert len(children) >= 4
    printed = end(first.process, signal.SIGTERM)
    assert first.process.returncode == 0, printed
    assert printed.splitlines()[-1] == "Stopped"
    assert alive(children) == []

    assert_migrates(data_directory)

    again = served(data_directory)
    assert_migrates(data_directory)
    assert titles(again) == ["Returns"]
    printed = end(again.process, signal.SIGINT)
    assert again.process.returncode == 0, printed


def assert_migrates(data_directory: Path) -> None:
    """`migrate --data-dir` works, whether a `serve` runs on the directory or not."""
    done = subprocess.run(
        [*CLI, "migrate", "--data-dir", str(data_directory)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "The database is up to date.\n"), done.stderr


def test_a_killed_serve_is_recovered_from_at_the_next_start(data_directory: Path) -> None:
    """The kernel tells the children. The worker is suspended, so it can't follow, as where the kernel says nothing."""
    killed = served(data_directory)
    ingest(killed)
    children = killed.children
    worker = find(killed, "workers")
    assert worker is not None
    worker.suspend()
    kill(killed.process)
    assert worker in alive(children)
    again = served(data_directory, port=killed.port)
    assert "The last run was killed" in again.printed
    assert alive(children) == []
    assert titles(again) == ["Returns"]
    end(again.process)


def test_a_child_that_can_not_start_is_told_with_the_end_of_its_log(data_directory: Path) -> None:
    end(served(data_directory).process)
    with (data_directory / "postgres" / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = 1\n")
    broken = subprocess.run(
        [*CLI, "serve", "--data-dir", str(data_directory), "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert broken.returncode == 1
    assert broken.stderr.startswith("context-atlas: PostgreSQL did not start; its log says:\n")
    assert 'unrecognized configuration parameter "no_such_setting"' in broken.stderr


def test_the_demonstration_shows_documents_questions_and_sources_and_stops_everything(data_directory: Path) -> None:
    command = [*CLI, "demo", "--data-dir", str(data_directory)]
    env = {**os.environ, "DECISION_MODEL": "offline"}
    first = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    for document in ("returns-and-refunds-policy.md", "installation-guide.md", "release-notes.md"):
        assert re.search(rf"^{document}: taken in, \d+ units$", first.stdout, re.MULTILINE)
    assert len(re.findall(r"^\d\. .*\?$", first.stdout, re.MULTILINE)) == 5
    assert "within 45 days of delivery" in first.stdout
    assert "2.1 Unopened goods (returns-and-refunds-policy.md, unit p" in first.stdout
    assert first.stdout.splitlines()[-1].startswith("Everything stopped again after ")
    commands = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
    assert not any(str(data_directory) in command for command in commands)

    second = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert second.returncode == 0, second.stderr
    assert second.stdout.count(": unchanged since the last run") == 3
