"""A PostgreSQL cluster in the data directory, reached through a Unix socket alone.

Whoever can open the socket is trusted: its folder is closed to everybody but the servers' user, so there is no password
to keep. The service logs in as `context_atlas`, which owns its database and is no superuser.
"""

import os
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from app.adapters.embedded.errors import StackError
from app.adapters.embedded.home import Home
from app.adapters.embedded.process import Child, Program, stop_processes
from app.adapters.embedded.programs import Programs
from app.adapters.embedded.signals import StopSignals

#: The role of the service, and its database.
ROLE = "context_atlas"
_SUPERUSER = "postgres"
#: Only names the socket; no port is opened.
_PORT = 5432
#: Long enough to replay what a crash left in the write-ahead log.
START_SECONDS = 120.0
_LOOK_EVERY_SECONDS = 0.05


def ensure_cluster(home: Home, programs: Programs) -> None:
    """Make the cluster if there is none. It appears under its name when complete, so a broken attempt is never used.

    Text sorts by code point everywhere, whatever the machine's locale.

    Raises:
        StackError: it can't be made.
    """
    if home.cluster.exists():
        return
    account = home.account
    unfinished = home.cluster.with_name("postgres.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir(mode=0o700)
        home.give(unfinished)
        subprocess.run(  # noqa: S603  # our own program, found inside an installed package
            [
                programs.initdb,
                *("-D", unfinished),
                f"--username={_SUPERUSER}",
                *("--auth-local=trust", "--auth-host=reject"),
                *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            ],
            env=_environment(),
            cwd="/",
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            start_new_session=True,
            capture_output=True,
            check=True,
            text=True,
        )
        unfinished.rename(home.cluster)
    except subprocess.CalledProcessError as error:
        raise StackError(f"The database can't be made in {home.cluster}: {error.stderr.strip()}") from error
    except OSError as error:
        raise StackError(f"The database can't be made in {home.cluster}: {error.strerror}.") from error


def program(home: Home, programs: Programs, *, sockets: Path, log: Path, pid_file: Path) -> Program:
    """How to run the server. An error's details may quote rows, so they stay out of the log."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "unix_socket_permissions": "0700",
        "log_error_verbosity": "terse",
        "log_min_error_statement": "panic",
    }
    return Program(
        name="postgres",
        command=[
            str(programs.postgres),
            *("-D", str(home.cluster), "-p", str(_PORT)),
            *(word for name, value in settings.items() for word in ("-c", f"{name}={value}")),
        ],
        env=_environment(),
        log=log,
        pid_file=pid_file,
        stop_signal=signal.SIGINT,  # a fast shutdown: sessions end, data is written
        urgent_signal=signal.SIGQUIT,  # without writing: the next start replays the log
        account=home.account,
        directory=Path("/"),
    )


def stop_strays(home: Home, seconds: float) -> bool:
    """Stop a server that runs on the cluster without our note, and remove a lock file that names some other process.

    Process ids come again after a reboot or in a new container, and PostgreSQL would not start while its old lock file
    names a living process of the same user. The caller holds the directory's lock.

    Returns:
        True if there was a server.
    """
    lock_file = home.cluster / "postmaster.pid"
    try:
        process = psutil.Process(int(lock_file.read_text(encoding="utf-8").split("\n", 1)[0]))
        is_ours = process.name() == "postgres" and str(home.cluster) in process.cmdline()
    except FileNotFoundError:
        return False
    except (ValueError, psutil.Error):
        is_ours = False
    else:
        if is_ours:
            stop_processes([process], signal.SIGINT, seconds)
    lock_file.unlink(missing_ok=True)
    return is_ours


def await_ready(child: Child, sockets: Path, signals: StopSignals) -> None:
    """Wait until the server takes connections, and see that it has the service's role and database.

    Raises:
        StackError: it ended, or is not ready after two minutes; with its last words.
        StopRequested: a signal came.
    """
    waited = 0.0
    while waited < START_SECONDS:
        if child.exit_code() is not None:
            raise StackError(f"PostgreSQL did not start; its log says:\n{child.last_words()}")
        try:
            _ensure_database(sockets)
        except psycopg.OperationalError:
            signals.pause(_LOOK_EVERY_SECONDS)
            waited += _LOOK_EVERY_SECONDS
        else:
            return
    raise StackError(f"PostgreSQL was not ready after {START_SECONDS:.0f} s; its log says:\n{child.last_words()}")


def url(sockets: Path) -> str:
    """Where the service finds its database."""
    return f"postgresql://{ROLE}@/{ROLE}?host={quote(str(sockets), safe='/')}&port={_PORT}"


def _ensure_database(sockets: Path) -> None:
    with psycopg.connect(
        host=str(sockets), port=_PORT, user=_SUPERUSER, dbname="postgres", connect_timeout=5, autocommit=True
    ) as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
            connection.execute(f"CREATE ROLE {ROLE} LOGIN")
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [ROLE]).fetchone():
            connection.execute(f"CREATE DATABASE {ROLE} OWNER {ROLE}")


def _environment() -> dict[str, str]:
    """Nothing of the caller's: PGDATA, PGOPTIONS, LC_ALL and their like would change what the server does."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
