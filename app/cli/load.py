"""Settings for commands, checked."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.cli.failure import CommandFailed
from app.settings import Settings


def load_settings() -> Settings:
    """Read the settings from the environment and `.env`.

    Raises:
        CommandFailed: a value is out of range, or one is missing that another needs; names the setting.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise CommandFailed("; ".join(_sentence(fault) for fault in error.errors(include_input=False))) from error


def _sentence(fault: ErrorDetails) -> str:
    name = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    return f"{name}: {message}" if name else message
