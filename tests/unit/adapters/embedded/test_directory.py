import os
import stat
from pathlib import Path

import pytest

from app.adapters.embedded.directory import open_directory
from app.adapters.embedded.errors import StackError


def test_a_new_directory_is_closed_to_listing_by_others(tmp_path: Path) -> None:
    directory = open_directory(tmp_path / "a" / "b")
    expected = 0o711 if os.geteuid() == 0 else 0o700
    assert stat.S_IMODE(directory.root.stat().st_mode) == expected
    assert stat.S_IMODE((directory.root / "logs").stat().st_mode) == 0o700


def test_the_mode_of_a_directory_that_exists_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    open_directory(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StackError, match="file/data can't be used"):
        open_directory(tmp_path / "file" / "data")


def test_logs_of_the_last_three_starts_are_kept(tmp_path: Path) -> None:
    directory = open_directory(tmp_path)
    for start in range(5):
        directory.rotate_log("api")
        directory.log("api").write_text(f"start {start}")
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert names == ["api.log", "api.log.1", "api.log.2", "api.log.3"]
    assert directory.log("api").read_text() == "start 4"
    assert (tmp_path / "logs" / "api.log.3").read_text() == "start 1"
