import os
from pathlib import Path

import pytest

from app.adapters.chat.completions import ChatCompletions
from app.adapters.decisions.fallback import FallbackDecisionModel
from app.adapters.decisions.hosted import HostedDecisionModel
from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.settings import DecisionSettings, Settings
from app.wiring import open_services, open_worker


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the environment nor a `.env` file of whoever runs the tests says anything about decisions."""
    for name in ("DECISION", "TYPESAFE", "OPENROUTER", "CHAT"):
        for variable in [variable for variable in os.environ if variable.startswith(name)]:
            monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, OfflineDecisionModel),
        ({"TYPESAFE_API_KEY": "k"}, HostedDecisionModel),
        ({"DECISION_MODEL": "hosted", "TYPESAFE_API_KEY": "k"}, HostedDecisionModel),
        ({"DECISION_MODEL": "offline", "TYPESAFE_API_KEY": "k"}, OfflineDecisionModel),
        ({"DECISION_MODEL": "none", "TYPESAFE_API_KEY": "k"}, type(None)),
        ({"DECISION_FALLBACK": "offline", "TYPESAFE_API_KEY": "k"}, FallbackDecisionModel),
        ({"DECISION_FALLBACK": "offline"}, OfflineDecisionModel),
        ({"TYPESAFE_PROVIDER": "openrouter", "OPENROUTER_API_KEY": "k"}, HostedDecisionModel),
        # The key of the other provider is no key.
        ({"TYPESAFE_PROVIDER": "openrouter", "TYPESAFE_API_KEY": "k"}, OfflineDecisionModel),
    ],
)
@pytest.mark.anyio
async def test_who_answers_questions(
    environment: dict[str, str], expected: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    async with open_services(Settings()) as services, open_worker(Settings()) as worker:
        models = [
            services.rank.decisions,
            services.retrieve.decisions,
            services.chunk.decisions,
            worker.ingest_document.decisions,
        ]

    assert {type(model) for model in models} == {expected}


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({"TYPESAFE_API_KEY": "k"}, "jev-latest"),
        ({"TYPESAFE_API_KEY": "k", "TYPESAFE_DEFAULT_MODEL": "jev-2"}, "jev-2"),
        ({"TYPESAFE_PROVIDER": "openrouter", "OPENROUTER_API_KEY": "k"}, "typesafe/jev-1.13"),
    ],
)
@pytest.mark.anyio
async def test_which_model_is_asked_for(
    environment: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)

    async with open_services(Settings()) as services:
        assert services.rank.decisions is not None
        assert services.rank.decisions.name == name


def test_a_hosted_model_needs_its_providers_key_and_no_other_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_MODEL", "hosted")
    monkeypatch.setenv("TYPESAFE_PROVIDER", "openrouter")
    monkeypatch.setenv("TYPESAFE_API_KEY", "hunter2")

    with pytest.raises(ValueError, match="OPENROUTER_API_KEY") as refused:
        Settings()
    assert "hunter2" not in str(refused.value)


@pytest.mark.anyio
async def test_notes_are_written_by_the_model_that_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_services(Settings()) as services, open_worker(Settings()) as worker:
        assert services.contextualize.model is worker.run_notes.contextualize.model is None

    monkeypatch.setenv("CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("CHAT_MODEL", "m-1")
    monkeypatch.setenv("CHAT_CONCURRENCY", "7")
    async with open_services(Settings()) as services, open_worker(Settings()) as worker:
        for contextualize in (services.contextualize, worker.run_notes.contextualize):
            assert isinstance(contextualize.model, ChatCompletions)
            assert contextualize.concurrency == 7


@pytest.mark.parametrize("url", ["api.example.com/v1", "ftp://api.example.com", "https://"])
def test_a_chat_server_has_an_address_and_a_model(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAT_API_KEY", "hunter2")
    monkeypatch.setenv("CHAT_BASE_URL", "https://api.example.com/v1")
    with pytest.raises(ValueError, match="CHAT_BASE_URL needs CHAT_MODEL") as refused:
        Settings()
    assert "hunter2" not in str(refused.value)
    monkeypatch.setenv("CHAT_MODEL", "m-1")
    assert "hunter2" not in repr(Settings())
    monkeypatch.setenv("CHAT_BASE_URL", url)
    with pytest.raises(ValueError, match="CHAT_BASE_URL"):
        Settings()


@pytest.mark.anyio
async def test_the_cache_of_answers_can_be_turned_off() -> None:
    async with open_services(Settings(decisions=DecisionSettings(cache_max_entries=0))) as services:
        assert services.rank.cache is None
