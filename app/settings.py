"""Every setting, with its environment name, default and description; read once and handed down as values.

`context-atlas config` prints them, with secrets masked. A test fails for a setting that README does not describe.
"""

from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class _Group(BaseSettings):
    """Settings of one concern. A field's alias is its environment name."""

    model_config = SettingsConfigDict(
        env_file=".env",
        extra="ignore",
        populate_by_name=True,
        frozen=True,
        env_ignore_empty=True,
        # A refused value may be a key.
        hide_input_in_errors=True,
    )


class DatabaseSettings(_Group):
    """Where documents, postings and jobs are kept."""

    url: SecretStr = Field(
        SecretStr("postgresql://context_atlas:context_atlas@localhost:5432/context_atlas"),
        validation_alias="DATABASE_URL",
        description="PostgreSQL to keep everything in.",
    )
    pool_size: int = Field(
        10, ge=1, le=200, validation_alias="DATABASE_POOL_SIZE", description="Connections a process keeps at most."
    )
    connect_timeout: float = Field(
        5.0, gt=0, validation_alias="DATABASE_CONNECT_TIMEOUT", description="Seconds to wait for a connection."
    )


class QueueSettings(_Group):
    """How jobs are announced and run."""

    redis_url: SecretStr = Field(
        SecretStr("redis://localhost:6379/0"), validation_alias="REDIS_URL", description="Redis that wakes workers."
    )
    max_tries: int = Field(3, ge=1, validation_alias="MAX_TRIES", description="Attempts before a job is failed.")
    lease_seconds: float = Field(
        30.0, gt=0, validation_alias="LEASE_SECONDS", description="How long a silent worker keeps its job."
    )
    worker_jobs: int = Field(
        2, ge=1, le=64, validation_alias="WORKER_JOBS", description="Jobs that one worker process runs at once."
    )
    retention_days: int = Field(
        30, ge=1, validation_alias="JOB_RETENTION_DAYS", description="Days that a finished job stays readable."
    )


class DecisionSettings(_Group):
    """Who answers typed questions."""

    model: Literal["hosted", "offline", "none"] | None = Field(
        None,
        validation_alias="DECISION_MODEL",
        description="hosted, offline or none; unset: hosted when a key is set, else offline.",
    )
    fallback: Literal["offline"] | None = Field(
        None, validation_alias="DECISION_FALLBACK", description="offline: the engine to ask when the hosted one fails."
    )
    provider: Literal["typesafe", "openrouter"] = Field(
        "typesafe", validation_alias="TYPESAFE_PROVIDER", description="Whose server speaks System One."
    )
    api_key: SecretStr | None = Field(
        None, validation_alias="TYPESAFE_API_KEY", description="Key of the hosted decision model."
    )
    openrouter_api_key: SecretStr | None = Field(
        None, validation_alias="OPENROUTER_API_KEY", description="Key for TYPESAFE_PROVIDER=openrouter."
    )
    base_url: str | None = Field(
        None, validation_alias="TYPESAFE_BASE_URL", description="Another server that speaks the protocol."
    )
    hosted_model: str | None = Field(
        None, validation_alias="TYPESAFE_DEFAULT_MODEL", description="Model name to ask for; default jev-latest."
    )
    timeout_seconds: float = Field(
        10.0, gt=0, validation_alias="JEV_TIMEOUT_SECONDS", description="Seconds that one request may take."
    )
    concurrency: int = Field(
        8, ge=1, validation_alias="JEV_CONCURRENCY", description="Requests that a process keeps in flight."
    )
    max_rps: float = Field(
        30.0, gt=0, validation_alias="JEV_MAX_RPS", description="Requests a second, all processes together."
    )
    max_per_job: int = Field(
        20_000, ge=0, validation_alias="MAX_DECISIONS", description="Decision questions that one job may ask."
    )
    max_per_query: int = Field(
        200,
        ge=0,
        validation_alias="MAX_DECISIONS_PER_QUERY",
        description="Decision questions that one retrieve may ask.",
    )
    cache_max_entries: int = Field(
        1_000_000,
        ge=0,
        validation_alias="DECISION_CACHE_ENTRIES",
        description="Cached answers to keep; 0 turns it off.",
    )
    cache_days: int = Field(
        90, ge=1, validation_alias="DECISION_CACHE_DAYS", description="Days that a cached answer is good for."
    )

    @model_validator(mode="after")
    def _hosted_has_its_key(self) -> Self:
        name, key = (
            ("OPENROUTER_API_KEY", self.openrouter_api_key)
            if self.provider == "openrouter"
            else ("TYPESAFE_API_KEY", self.api_key)
        )
        if self.model == "hosted" and key is None:
            raise ValueError(f"DECISION_MODEL=hosted needs {name}.")
        return self


class ChatSettings(_Group):
    """Who writes retrieval notes."""

    base_url: str | None = Field(
        None,
        pattern=r"^https?://[^/\s]+",
        validation_alias="CHAT_BASE_URL",
        description="Server with OpenAI's chat completions, such as https://api.openai.com/v1; unset: no notes.",
    )
    api_key: SecretStr | None = Field(
        None, validation_alias="CHAT_API_KEY", description="Key of the chat model, where its server asks for one."
    )
    model: str | None = Field(None, validation_alias="CHAT_MODEL", description="Chat model to ask for.")
    timeout_seconds: float = Field(
        60.0, gt=0, validation_alias="CHAT_TIMEOUT_SECONDS", description="Seconds that one request for a note may take."
    )
    concurrency: int = Field(
        4, ge=1, le=256, validation_alias="CHAT_CONCURRENCY", description="Notes that a process asks for at once."
    )
    input_price: float | None = Field(
        None,
        ge=0,
        validation_alias="CHAT_INPUT_PRICE",
        description="US dollars for a million input tokens of CHAT_MODEL; with the other price, cost is reported.",
    )
    output_price: float | None = Field(
        None, ge=0, validation_alias="CHAT_OUTPUT_PRICE", description="US dollars for a million output tokens."
    )

    @model_validator(mode="after")
    def _server_has_its_model(self) -> Self:
        if self.base_url is not None and self.model is None:
            raise ValueError("CHAT_BASE_URL needs CHAT_MODEL.")
        return self


class LimitSettings(_Group):
    """What a request and a document may take."""

    max_upload_mb: int = Field(64, ge=1, validation_alias="MAX_UPLOAD_MB", description="Largest body, in megabytes.")
    reader_seconds: float = Field(
        30.0, gt=0, validation_alias="READER_SECONDS", description="Seconds to read a document, and 10 more per MB."
    )
    reader_memory_mb: int = Field(
        1024, ge=128, validation_alias="READER_MEMORY_MB", description="Memory that reading a document may take."
    )
    reader_processes: int = Field(
        2, ge=1, le=64, validation_alias="READER_PROCESSES", description="Documents that one worker reads at once."
    )


class ServerSettings(_Group):
    """How the API listens and speaks."""

    host: str = Field("127.0.0.1", validation_alias="HOST", description="Address that the API listens on.")
    port: int = Field(8000, ge=0, le=65535, validation_alias="PORT", description="Port that the API listens on.")
    allow_anonymous: bool = Field(
        False, validation_alias="ALLOW_ANONYMOUS", description="Listen beyond loopback although no keys protect it."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", validation_alias="LOG_LEVEL", description="How much is logged."
    )
    log_format: Literal["json", "pretty", "auto"] = Field(
        "auto", validation_alias="LOG_FORMAT", description="json, pretty, or auto: pretty on a terminal."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All groups, read from the environment and `.env`."""

    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    queue: QueueSettings = field(default_factory=QueueSettings)
    decisions: DecisionSettings = field(default_factory=DecisionSettings)
    chat: ChatSettings = field(default_factory=ChatSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
