"""`context-atlas config`: every setting, with secrets masked."""

import inspect
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr
from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

from app.cli.load import load_settings
from app.settings import Settings

_MASK = "********"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting as it is printed."""

    group: str
    name: str
    value: str | float | bool | None
    default: str | float | bool | None
    description: str


def run_config(*, as_json: bool) -> None:
    """Print every setting.

    Raises:
        CommandFailed: a value is out of range.
    """
    settings = list(all_settings(load_settings()))
    if as_json:
        typer.echo(json.dumps([asdict(setting) for setting in settings], indent=2))
        return
    group = ""
    for setting in settings:
        if setting.group != group:
            typer.echo(f"{'' if not group else chr(10)}# {setting.group}")
            group = setting.group
        typer.echo(f"{setting.name}={_shown(setting.value)}")
        typer.echo(f"    {setting.description} Default: {_shown(setting.default) or 'unset'}.")


def all_settings(settings: Settings) -> Iterator[Setting]:
    """List the settings in force, in the order of `app.settings`; secrets are masked, in URLs their password."""
    for group_field in fields(settings):
        group: BaseSettings = getattr(settings, group_field.name)
        for name, field in type(group).model_fields.items():
            yield Setting(
                group=inspect.cleandoc(type(group).__doc__ or ""),
                name=str(field.validation_alias),
                value=_masked(getattr(group, name)),
                default=None if field.default is PydanticUndefined else _masked(field.default),
                description=field.description or "",
            )


def _masked(value: str | float | bool | SecretStr | None) -> str | float | bool | None:
    """A plain value as it is; a URL without its password; any other secret not at all."""
    if not isinstance(value, SecretStr):
        return value
    secret = value.get_secret_value()
    try:
        url = urlsplit(secret)
    except ValueError:
        return _MASK
    if "://" not in secret or "password" in url.query:
        return _MASK
    return secret.replace(f":{url.password}@", f":{_MASK}@", 1) if url.password else secret


def _shown(value: str | float | bool | None) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
