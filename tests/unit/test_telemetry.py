import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from app import telemetry


@pytest.fixture(autouse=True)
def _restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_a_line_is_json_with_the_ids_that_are_bound(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.configure("info", "json")
    log = structlog.stdlib.get_logger("workers.ingest")

    with telemetry.bind(job_id="job_1"):
        log.info("job_done", seconds=0.5)
    log.info("idle")

    first, second = lines(capsys)
    assert (first["message"], first["level"], first["logger"]) == ("job_done", "info", "workers.ingest")
    assert (first["job_id"], first["seconds"]) == ("job_1", 0.5)
    assert "job_id" not in second


def test_libraries_log_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.configure("info", "json")

    with telemetry.bind(request_id="req_1"):
        logging.getLogger("uvicorn.error").warning("slow client %s", "a")

    (line,) = lines(capsys)
    assert (line["message"], line["logger"], line["request_id"]) == ("slow client a", "uvicorn.error", "req_1")


def test_less_than_the_level_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.configure("warning", "json")
    log = structlog.stdlib.get_logger("app")

    log.info("detail")
    log.warning("trouble")

    assert [line["message"] for line in lines(capsys)] == ["trouble"]


def test_libraries_that_log_every_request_are_kept_to_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.configure("info", "json")

    logging.getLogger("httpx2").info("HTTP Request: POST")
    logging.getLogger("arq.worker").warning("job expired")

    assert [line["message"] for line in lines(capsys)] == ["job expired"]


def test_a_failure_is_logged_with_its_traceback_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.configure("info", "json")

    try:
        raise KeyError("missing")  # noqa: TRY301 - the traceback is what the test looks at
    except KeyError:
        structlog.stdlib.get_logger("app").exception("failed")

    (line,) = lines(capsys)
    assert "KeyError: 'missing'" in str(line["exception"])


@pytest.mark.parametrize("log_format", ["json", "pretty"])
def test_passwords_and_keys_never_reach_the_log(
    log_format: telemetry.LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    telemetry.configure("info", log_format)

    try:
        raise OSError("postgresql://atlas:hunter2@db/atlas refused")  # noqa: TRY301 - as a driver would
    except OSError:
        logging.getLogger("driver").exception("redis://:hunter2@cache:6379 and Authorization: Bearer hunter2")

    said = capsys.readouterr().err
    assert "hunter2" not in said
    assert "postgresql://atlas:***@db/atlas" in said


def test_people_get_readable_lines(capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.configure("info", "pretty")

    structlog.stdlib.get_logger("app").info("worker_started", worker="a")

    said = capsys.readouterr().err
    assert "worker_started" in said
    assert not said.startswith("{")
