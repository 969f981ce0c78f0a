import json
from dataclasses import fields

import pytest
from pydantic import SecretStr

from app.cli.config import Setting, all_settings, run_config
from app.cli.failure import CommandFailed
from app.cli.load import load_settings
from app.settings import DatabaseSettings, DecisionSettings, QueueSettings, Settings


def by_name(settings: Settings) -> dict[str, Setting]:
    return {setting.name: setting for setting in all_settings(settings)}


def test_every_setting_is_listed_once_with_a_description() -> None:
    settings = Settings()
    count = sum(len(type(getattr(settings, group.name)).model_fields) for group in fields(settings))
    listed = by_name(settings)
    assert len(listed) == count
    assert all(setting.description.endswith(".") for setting in listed.values())
    assert listed["MAX_UPLOAD_MB"].default == 64
    assert listed["MAX_UPLOAD_MB"].group == "What a request and a document may take."


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://user:s3cret@db:5432/atlas", "postgresql://user:********@db:5432/atlas"),
        ("postgresql://user@/atlas?host=/run/db", "postgresql://user@/atlas?host=/run/db"),
        ("postgresql://db/atlas?user=u&password=s3cret", "********"),
        ("host=db password=s3cret", "********"),
        ("postgresql://[broken:s3cret@", "********"),
    ],
)
def test_passwords_in_urls_are_masked(url: str, shown: str) -> None:
    settings = Settings(database=DatabaseSettings(url=SecretStr(url)))
    assert by_name(settings)["DATABASE_URL"].value == shown


def test_keys_are_masked_and_unset_ones_are_seen_to_be_unset() -> None:
    settings = Settings(
        decisions=DecisionSettings(api_key=SecretStr("tsk-1234567890"), openrouter_api_key=None),
        queue=QueueSettings(redis_url=SecretStr("redis://:s3cret@cache:6379/0")),
    )
    listed = by_name(settings)
    assert listed["TYPESAFE_API_KEY"].value == "********"
    assert listed["OPENROUTER_API_KEY"].value is None
    assert listed["REDIS_URL"].value == "redis://:********@cache:6379/0"


def test_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MAX_UPLOAD_MB", "12")
    monkeypatch.setenv("ALLOW_ANONYMOUS", "1")
    run_config(as_json=True)
    printed = {setting["name"]: setting for setting in json.loads(capsys.readouterr().out)}
    assert printed["MAX_UPLOAD_MB"]["value"] == 12
    assert printed["ALLOW_ANONYMOUS"]["value"] is True
    run_config(as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert "MAX_UPLOAD_MB=12" in lines
    assert "    Largest body, in megabytes. Default: 64." in lines


def test_a_value_out_of_range_is_named_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKER_JOBS", "many-s3cret")
    with pytest.raises(CommandFailed, match="WORKER_JOBS: Input should be a valid integer") as failure:
        load_settings()
    assert "s3cret" not in str(failure.value)


@pytest.mark.parametrize(
    ("provider", "missing"), [("typesafe", "TYPESAFE_API_KEY"), ("openrouter", "OPENROUTER_API_KEY")]
)
def test_a_hosted_model_without_its_key_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, provider: str, missing: str
) -> None:
    monkeypatch.setenv("DECISION_MODEL", "hosted")
    monkeypatch.setenv("TYPESAFE_PROVIDER", provider)
    with pytest.raises(CommandFailed, match=rf"^DECISION_MODEL=hosted needs {missing}\.$"):
        load_settings()
    monkeypatch.setenv(missing, "key")
    assert load_settings().decisions.model == "hosted"
