import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.adapters.embedded.errors import StackError
from app.adapters.embedded.process import Program, start, stop_left_behind, tail

PARENT = """
import sys, time
from pathlib import Path
from tests.unit.adapters.embedded.test_process import a_program
from app.adapters.embedded.process import start
child = start(a_program(Path(sys.argv[1]), "import time; time.sleep(60)"))
print(child.pid, flush=True)
time.sleep(60)
"""


def a_program(folder: Path, code: str, *, stop_signal: signal.Signals = signal.SIGTERM) -> Program:
    return Program(
        name="sample",
        command=[sys.executable, "-c", code],
        env={},
        log=folder / "sample.log",
        pid_file=folder / "sample.pid",
        stop_signal=stop_signal,
    )


def wait_for_line(log: Path, line: str) -> None:
    end = time.monotonic() + 60
    while line not in tail(log):
        assert time.monotonic() < end, tail(log)
        time.sleep(0.02)


def is_gone(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_output_and_errors_are_in_the_log_and_the_exit_code_is_told(tmp_path: Path) -> None:
    child = start(a_program(tmp_path, "import sys; print('out'); sys.exit('err')"))
    assert child.stopped_within(20)
    assert child.exit_code() == 1
    assert child.last_words() == "err\nout"


def test_a_child_that_ignores_the_signal_is_killed(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(60)"
    child = start(a_program(tmp_path, code))
    wait_for_line(tmp_path / "sample.log", "on")
    child.stop(0.1)
    assert child.exit_code() == -signal.SIGKILL
    assert not (tmp_path / "sample.pid").exists()


def test_a_child_is_in_a_session_of_its_own_so_that_ctrl_c_does_not_reach_it(tmp_path: Path) -> None:
    child = start(a_program(tmp_path, "import time; time.sleep(60)"))
    assert os.getsid(child.pid) == child.pid
    child.stop(5)


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels don't tell children of their parent's death")
def test_a_child_dies_with_its_parent_even_if_that_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, tmp_path], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 60
    while not is_gone(child):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_one_that_was_left_behind_is_found_by_its_pid_file_and_stopped(tmp_path: Path) -> None:
    child = start(a_program(tmp_path, "import time; time.sleep(60)"))
    process = psutil.Process(child.pid)
    assert stop_left_behind([tmp_path / "sample.pid"], signal.SIGTERM, 10)
    assert is_gone(process)
    assert child.exit_code() is not None
    assert not (tmp_path / "sample.pid").exists()


def test_another_process_that_has_got_the_same_id_is_left_alone(tmp_path: Path) -> None:
    child = start(a_program(tmp_path, "import time; time.sleep(60)"))
    pid_file = tmp_path / "sample.pid"
    note = json.loads(pid_file.read_text())
    pid_file.write_text(json.dumps({**note, "started": note["started"] - 3600}))
    assert not stop_left_behind([pid_file], signal.SIGTERM, 10)
    assert child.exit_code() is None
    child.stop(5)


@pytest.mark.parametrize(
    "content", ["", "null", "{}", '{"pid": "x", "started": 1}', '{"pid": 999999999, "started": 1}']
)
def test_a_pid_file_that_says_nothing_is_removed(tmp_path: Path, content: str) -> None:
    pid_file = tmp_path / "sample.pid"
    pid_file.write_text(content)
    assert not stop_left_behind([pid_file], signal.SIGTERM, 1)
    assert not pid_file.exists()


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    program = Program(
        name="ghost",
        command=[str(tmp_path / "nothing")],
        env={},
        log=tmp_path / "ghost.log",
        pid_file=tmp_path / "ghost.pid",
    )
    with pytest.raises(StackError, match=r"ghost can't be started: .*nothing"):
        start(program)


def test_the_tail_of_a_long_log_is_its_last_fifteen_lines(tmp_path: Path) -> None:
    log = tmp_path / "long.log"
    log.write_text("".join(f"line {number}\n" for number in range(10_000)))
    assert tail(log).splitlines() == [f"line {number}" for number in range(9_985, 10_000)]
    assert tail(tmp_path / "none.log") == ""
