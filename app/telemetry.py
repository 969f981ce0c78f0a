"""Logging: structured lines with the ids of what is being worked on, and never a document's text or a secret.

Everything that logs, the libraries included, comes out of one handler on standard error: JSON for machines, or aligned
and coloured for people.
"""

import logging
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
#: `auto` is pretty on a terminal and JSON elsewhere.
LogFormat: TypeAlias = Literal["json", "pretty", "auto"]

#: Libraries that tell of every request or job at level info; what they would say is logged here with its ids.
QUIET_LIBRARIES = ("alembic", "arq", "httpcore", "httpcore2", "httpx", "httpx2", "typesafe_sdk")

#: Credentials as they stand in connection URLs and authorization headers, wherever in a line they turn up.
_SECRETS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"(://[^\s:/@\"']{0,200}:)[^\s/@\"']{1,500}@"), r"\1***@"),
    (re.compile(r"(?i)\b(bearer )[\w.~+/=-]{1,2000}"), r"\1***"),
)


def configure(log_level: LogLevel, log_format: LogFormat) -> None:
    """Route structlog and the standard library's logging through one handler."""
    pretty = log_format == "pretty" or (log_format == "auto" and sys.stderr.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering(pretty=pretty)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(log_level.upper())
    for name in QUIET_LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING)


@contextmanager
def bind(**ids: str) -> Iterator[None]:
    """Put ids, such as `job_id`, on every line that is logged inside the block, tasks started there included."""
    with structlog.contextvars.bound_contextvars(**ids):
        yield


def mask_secrets(line: str) -> str:
    """Return a log line with passwords of URLs and bearer tokens replaced by `***`."""
    for pattern, replacement in _SECRETS:
        line = pattern.sub(replacement, line)
    return line


def _rendering(*, pretty: bool) -> list[Processor]:
    if pretty:
        # Tracebacks without local variables: those hold document text.
        console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        return [console, _mask_rendered]
    return [
        structlog.processors.format_exc_info,
        structlog.processors.EventRenamer("message"),
        structlog.processors.JSONRenderer(ensure_ascii=False),
        _mask_rendered,
    ]


def _mask_rendered(_logger: WrappedLogger, _method: str, rendered: EventDict | str) -> str:
    return mask_secrets(str(rendered))
