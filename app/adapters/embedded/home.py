"""Where the servers' files and sockets lie, and which system user the servers run as.

An ordinary user's servers run as that user, in the data directory. PostgreSQL refuses to run as root: root's servers
run as the system user `context-atlas`, made when it is missing. That user can't enter every directory (a clone below
`/root`, say), and other people's directories are not opened up: the files then lie in
`/var/lib/context-atlas/data/<id>`, and `servers-in` in the data directory says so.
"""

import os
import pwd
import re
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from app.adapters.embedded.errors import StackError
from app.adapters.embedded.process import Account
from app.adapters.embedded.programs import SYSTEM_DIRECTORY, make_public

_USER = "context-atlas"
_ELSEWHERE_NOTE = "servers-in"
#: A socket's path may take 104 bytes with its final zero on macOS, and 108 on Linux.
_SOCKET_PATH_BYTES = 103
_LONGEST_SOCKET_NAME = ".s.PGSQL.5432"
#: Paths that need no escaping in a URL, in a configuration file, or anywhere else.
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./-]+")
_SHORT_PREFIX = "context-atlas-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The servers' own place."""

    #: Who they run as; None: we ourselves.
    account: Account | None
    #: Their directory: the data directory, or one below `/var/lib/context-atlas`.
    directory: Path

    @property
    def cluster(self) -> Path:
        """PostgreSQL's data."""
        return self.directory / "postgres"

    def give(self, path: Path) -> None:
        """Hand a path to the servers' user, closed to everybody else."""
        path.chmod(0o700)
        if self.account is not None:
            os.chown(path, self.account.uid, self.account.gid)


def find_home(data_directory: Path) -> Home:
    """Find or make the servers' place for a data directory that exists.

    Raises:
        StackError: there is none that their user can enter, or it belongs to somebody else.
    """
    directory = _noted_directory(data_directory) or data_directory
    owner = _owner(directory / "postgres")
    if os.geteuid() != 0:
        if owner not in {None, os.geteuid()}:
            name = pwd.getpwuid(owner).pw_name if owner is not None else ""
            raise StackError(f"{directory / 'postgres'} belongs to {name}; run as that user or as root.")
        return Home(account=None, directory=directory)
    account = _account() if owner in {None, 0} else _account_of(owner or 0)
    if not _can_enter(directory, account):
        if owner is not None:
            raise StackError(
                f"The database in {directory} belongs to the system user {account.name}, who can't enter "
                f"{_first_closed(directory, account)}; make that directory searchable for it (chmod o+x)."
            )
        directory = _elsewhere(data_directory)
    return Home(account=account, directory=directory)


def make_sockets_directory(home: Home) -> Path:
    """Make the folder of the sockets, open to the servers' user only: in their place, or `/tmp` if that is too deep."""
    sockets = home.directory / "sockets"
    path = str(sockets / _LONGEST_SOCKET_NAME)
    if len(path.encode()) <= _SOCKET_PATH_BYTES and _PLAIN_PATH.fullmatch(path):
        sockets.mkdir(exist_ok=True)
    else:
        sockets = Path(tempfile.mkdtemp(prefix=_SHORT_PREFIX, dir="/tmp"))  # a fresh one, closed to others
    home.give(sockets)
    return sockets


def remove_sockets_directory(sockets: Path) -> None:
    """Remove a folder of sockets that no server uses any more."""
    if sockets.name == "sockets" or sockets.name.startswith(_SHORT_PREFIX):
        shutil.rmtree(sockets, ignore_errors=True)


def _noted_directory(data_directory: Path) -> Path | None:
    note = data_directory / _ELSEWHERE_NOTE
    if not note.exists():
        return None
    directory = Path(note.read_text(encoding="utf-8").strip())
    if not directory.is_dir():
        raise StackError(
            f"The data of {data_directory} was kept in {directory}, which is gone; remove {note} to start afresh."
        )
    return directory


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise StackError(f"{path} can't be entered; run as its owner or as root.") from error


def _account() -> Account:
    """The system user of root's servers, made when it is missing."""
    try:
        return _account_named(_USER)
    except KeyError:
        pass
    make = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    try:
        subprocess.run(  # noqa: S603  # a fixed command line
            [*make, "--shell", "/usr/sbin/nologin", _USER], capture_output=True, check=True, text=True
        )
        return _account_named(_USER)
    except (OSError, subprocess.CalledProcessError, KeyError) as error:
        why = error.stderr.strip() if isinstance(error, subprocess.CalledProcessError) else str(error)
        raise StackError(
            f"PostgreSQL may not run as root, and its system user {_USER} can't be made ({why}); "
            "make that user, or run as an ordinary one."
        ) from error


def _account_named(name: str) -> Account:
    entry = pwd.getpwnam(name)
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)


def _account_of(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError as error:
        raise StackError(f"The database belongs to user id {uid}, which this system does not know.") from error
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)


def _can_enter(directory: Path, account: Account) -> bool:
    """Try it as that user: only the kernel knows modes, access lists and mounts together."""
    try:
        attempt = subprocess.run(  # noqa: S603  # a fixed command line
            ["/bin/sh", "-c", 'cd -- "$1"', "sh", directory],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
    except PermissionError as error:
        raise StackError(
            f"PostgreSQL may not run as root, and this system does not let us start a program as {account.name}; "
            "run as an ordinary user."
        ) from error
    return attempt.returncode == 0


def _first_closed(directory: Path, account: Account) -> Path:
    return next(
        (path for path in [*reversed(directory.parents), directory] if not _can_enter(path, account)), directory
    )


def _elsewhere(data_directory: Path) -> Path:
    """Make a place below `/var/lib/context-atlas` and note it in the data directory."""
    directory = SYSTEM_DIRECTORY / "data" / secrets.token_hex(8)
    try:
        make_public(directory)
        (directory / "belongs-to").write_text(f"{data_directory}\n", encoding="utf-8")
        (data_directory / _ELSEWHERE_NOTE).write_text(f"{directory}\n", encoding="utf-8")
    except OSError as error:
        raise StackError(
            f"PostgreSQL may not run as root, and its system user can enter neither {data_directory} nor "
            f"{directory} ({error.strerror}); choose another --data-dir, or run as an ordinary user."
        ) from error
    return directory
