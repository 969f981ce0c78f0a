import subprocess
import sys
from pathlib import Path

import pytest

from app.adapters.embedded.errors import DirectoryInUse, StackError
from app.adapters.embedded.lock import DirectoryLock, Holder

HOLD = """
import sys
from pathlib import Path
from app.adapters.embedded.lock import DirectoryLock, Holder
DirectoryLock(Path(sys.argv[1])).acquire(Holder(pid=4711, url="http://127.0.0.1:8123"))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def test_a_second_holder_is_told_who_holds_it(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(DirectoryInUse, match=r"in use by process 4711, which serves http://127\.0\.0\.1:8123\."):
            DirectoryLock(path).acquire(Holder(pid=1))
        process.kill()


def test_the_lock_of_a_killed_holder_is_free_and_tells_what_it_left(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    before = DirectoryLock(path).acquire(Holder(pid=1))
    assert before == Holder(pid=4711, url="http://127.0.0.1:8123")


def test_a_lock_that_was_given_back_tells_of_nobody(path: Path) -> None:
    first = DirectoryLock(path)
    assert first.acquire(Holder(pid=1)) is None
    first.release()
    assert DirectoryLock(path).acquire(Holder(pid=2)) is None


def test_a_holder_that_has_not_signed_yet_is_named_as_such(path: Path) -> None:
    first = DirectoryLock(path)
    first.acquire(Holder(pid=1))
    path.write_text("")
    with pytest.raises(DirectoryInUse, match="another process that is just starting"):
        DirectoryLock(path).acquire(Holder(pid=2))
    first.release()


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(StackError, match="missing/lock can't be opened"):
        DirectoryLock(tmp_path / "missing" / "lock").acquire(Holder(pid=1))
