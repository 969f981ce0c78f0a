"""Embedded PostgreSQL and Redis without the service: started, stopped, killed and recovered."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

from tests.stack.processes import alive, end, kill, wait_until

pytestmark = pytest.mark.slow

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="children are told of our death on Linux only")
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs to start processes as other users")


@dataclass(frozen=True, slots=True)
class Servers:
    """A running `servers_alone`, and what it said when it was ready."""

    process: "subprocess.Popen[str]"
    said: dict[str, Any]

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Run one statement as the service's role."""
        with psycopg.connect(self.said["database_url"], autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    @property
    def servers(self) -> list[psutil.Process]:
        """PostgreSQL's and Redis's first processes."""
        return [psutil.Process(pid) for pid in self.said["pids"].values()]


Start = Callable[[Path], Servers]


@pytest.fixture
def start() -> Iterator[Start]:
    running: list[subprocess.Popen[str]] = []

    def start(directory: Path) -> Servers:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.stack.servers_alone", str(directory)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        running.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("{"), line + process.communicate()[0]
        return Servers(process, json.loads(line))

    yield start
    for process in running:
        if process.poll() is None:
            end(process)


def test_the_service_has_a_database_of_its_own_and_is_no_superuser(data_directory: Path, start: Start) -> None:
    servers = start(data_directory)
    assert servers.execute("SELECT current_user, current_database()") == [("context_atlas", "context_atlas")]
    assert servers.execute(
        "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    ) == [(False, False, False, False)]
    assert servers.execute("SELECT 'Äpfel' < 'Zebra'") == [(False,)], "text sorts by code point, on every machine"
    with redis.Redis.from_url(servers.said["redis_url"]) as queue:
        assert queue.ping()


def test_no_port_is_opened_and_the_sockets_are_closed_to_others(data_directory: Path, start: Start) -> None:
    servers = start(data_directory)
    for server in servers.servers:
        assert server.net_connections("inet") == []
        for process in server.children():
            # PostgreSQL's helpers come and go.
            with contextlib.suppress(psutil.NoSuchProcess):
                assert process.net_connections("inet") == []
    assert (data_directory / "sockets").stat().st_mode & 0o777 == 0o700
    assert (data_directory / "postgres").stat().st_mode & 0o777 == 0o700


def test_data_survives_a_stop_that_leaves_no_process_and_no_socket(data_directory: Path, start: Start) -> None:
    servers = start(data_directory)
    servers.execute("CREATE TABLE kept AS SELECT 42 AS n")
    processes = [*servers.servers, *psutil.Process(servers.said["pids"]["postgres"]).children()]
    end(servers.process)
    assert servers.process.returncode == 0
    assert alive(processes) == []
    assert not (data_directory / "sockets").exists()
    assert start(data_directory).execute("SELECT n FROM kept") == [(42,)]


@linux_only
def test_a_killed_parent_takes_its_servers_along_and_the_next_start_has_the_data(
    data_directory: Path, start: Start
) -> None:
    servers = start(data_directory)
    servers.execute("CREATE TABLE kept AS SELECT 42 AS n")
    processes = servers.servers
    kill(servers.process)
    wait_until(lambda: not alive(processes), "the servers are gone")
    assert start(data_directory).execute("SELECT n FROM kept") == [(42,)]


def test_servers_that_a_killed_parent_left_behind_are_stopped_by_the_next_start(
    data_directory: Path, start: Start
) -> None:
    """As on systems that don't tell a child of its parent's death: here the parent is gone and the servers live."""
    first = start(data_directory)
    first.execute("CREATE TABLE kept AS SELECT 42 AS n")
    end(first.process)
    orphan = start_orphans(data_directory)
    second = start(data_directory)
    assert alive([orphan]) == []
    assert second.execute("SELECT n FROM kept") == [(42,)]


def start_orphans(directory: Path) -> psutil.Process:
    """Start PostgreSQL on a directory as nobody's child; returns it when it has written its lock file."""
    code = (
        "import subprocess, sys; from pathlib import Path;"
        "from app.adapters.embedded import postgres; from app.adapters.embedded.home import find_home;"
        "from app.adapters.embedded.programs import find_programs;"
        "root = Path(sys.argv[1]); home = find_home(root); programs = find_programs(home.account);"
        "sockets = root / 'orphan'; sockets.mkdir(); home.give(sockets);"
        "p = postgres.program(home, programs, sockets=sockets, log=root / 'x', pid_file=root / 'y');"
        "a = home.account;"
        "subprocess.Popen(p.command, env=p.env, cwd='/', start_new_session=True, user=a.uid if a else None,"
        " group=a.gid if a else None, extra_groups=[] if a else None, stdout=-3, stderr=-3)"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, directory], check=True)
    lock_file = directory / "postgres" / "postmaster.pid"
    wait_until(lambda: lock_file.exists() and "ready" in lock_file.read_text(), "the orphan is ready")
    return psutil.Process(int(lock_file.read_text().split("\n")[0]))


def test_a_lock_file_of_postgres_that_names_some_other_process_is_no_obstacle(
    data_directory: Path, start: Start
) -> None:
    servers = start(data_directory)
    lock_file = data_directory / "postgres" / "postmaster.pid"
    content = lock_file.read_text().split("\n")
    owner = lock_file.stat()
    end(servers.process)
    # A process of the servers' own user, as after a reboot in which the number was given to somebody else.
    sleeper = subprocess.Popen(["sleep", "300"], user=owner.st_uid if os.geteuid() == 0 else None)
    try:
        lock_file.write_text("\n".join([str(sleeper.pid), *content[1:]]))
        os.chown(lock_file, owner.st_uid, owner.st_gid)
        assert start(data_directory).execute("SELECT 1") == [(1,)]
        assert sleeper.poll() is None, "it is not ours, so it is left alone"
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_broken_attempt_to_make_the_database_is_done_again(data_directory: Path, start: Start) -> None:
    (data_directory / "postgres.unfinished" / "base").mkdir(parents=True)
    data_directory.chmod(0o711)
    assert start(data_directory).execute("SELECT 1") == [(1,)]
    assert not (data_directory / "postgres.unfinished").exists()


def test_a_path_that_is_too_deep_for_a_socket_or_has_odd_characters_works(data_directory: Path, start: Start) -> None:
    deep = data_directory / ("a" * 90) / "with space, and comma"
    servers = start(deep)
    assert servers.execute("SELECT 1") == [(1,)]
    assert servers.said["redis_url"].startswith("unix:///tmp/context-atlas-")
    sockets = Path(servers.said["redis_url"].removeprefix("unix://")).parent
    assert sockets.stat().st_mode & 0o777 == 0o700
    kill(servers.process)
    wait_until(lambda: not alive(servers.servers), "the servers are gone")
    end(start(deep).process)
    assert not sockets.exists(), "the folder that the killed one left behind"


@root_only
def test_roots_servers_run_under_another_user_below_a_closed_directory(start: Start) -> None:
    closed = Path(tempfile.mkdtemp(prefix="atlas-closed-", dir="/tmp"))  # mode 0700
    note = closed / "data" / "servers-in"
    try:
        servers = start(closed / "data")
        assert {server.username() for server in servers.servers} == {"context-atlas"}
        assert closed.stat().st_mode & 0o777 == 0o700, "nobody's directory is opened up"
        elsewhere = Path(note.read_text().strip())
        assert elsewhere.parent == Path("/var/lib/context-atlas/data")
        servers.execute("CREATE TABLE kept AS SELECT 42 AS n")
        end(servers.process)
        again = start(closed / "data")
        assert again.execute("SELECT n FROM kept") == [(42,)]
        end(again.process)
    finally:
        if note.exists():
            shutil.rmtree(note.read_text().strip())
        shutil.rmtree(closed)


@root_only
def test_root_carries_on_with_the_data_of_an_ordinary_user_as_that_user(data_directory: Path, start: Start) -> None:
    end(start(data_directory).process)
    for path in [data_directory, *data_directory.rglob("*")]:
        shutil.chown(path, "nobody")
    servers = start(data_directory)
    assert {server.username() for server in servers.servers} == {"nobody"}
    assert servers.execute("SELECT 1") == [(1,)]


def test_servers_are_shut_down_in_order(data_directory: Path, start: Start) -> None:
    servers = start(data_directory)
    processes = servers.servers
    end(servers.process, signal.SIGINT)
    assert servers.process.returncode == 0
    assert alive(processes) == []
    assert "database system is shut down" in (data_directory / "logs" / "postgres.log").read_text()
