"""A data directory for the embedded stack, and the whole service on one."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.stack.processes import Served, end, served


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process runs all of these: each starts servers of its own, and one service does for several."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("stack"))


@pytest.fixture
def data_directory() -> Iterator[Path]:
    """A directory that any user may pass through, with a short path: sockets' paths are limited."""
    directory = Path(tempfile.mkdtemp(prefix="atlas-stack-", dir="/tmp"))
    directory.chmod(0o755)
    yield directory / "data"
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def _running() -> Iterator[Served]:
    directory = Path(tempfile.mkdtemp(prefix="atlas-stack-", dir="/tmp"))
    directory.chmod(0o755)
    running = served(directory / "data")
    yield running
    end(running.process)
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def service(_running: Served) -> Iterator[httpx.Client]:
    """A client of a running service, one for all tests of a process."""
    with httpx.Client(base_url=_running.url, trust_env=False, timeout=60) as client:
        yield client
