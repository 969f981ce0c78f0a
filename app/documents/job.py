"""Jobs: accepted work, and what a caller can see of it (service design, "Ingestion jobs")."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.documents.growth import Piece
from app.documents.values import JsonObject, JsonValue

#: Formats of data whose files may be chat logs: unless the format was named, their content decides.
MAY_BE_CHAT = frozenset({"json", "jsonl"})


class JobKind(StrEnum):
    """What a job does; also the name of the worker's function."""

    INGEST = "ingest"
    APPEND = "append"
    CONTEXTUALIZE = "contextualize"


class JobStatus(StrEnum):
    """queued → running → succeeded, failed or cancelled."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def finished(self) -> bool:
        """True when the job will never run again by itself."""
        return self in {JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED}


class JobStage(StrEnum):
    """What a running job is busy with."""

    READ = "read"
    STRUCTURE = "structure"
    DECIDE = "decide"
    NOTES = "notes"
    INDEX = "index"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A document somebody handed in, validated but not read."""

    collection: str
    document: str
    format: str
    #: Whether the caller named the format; else it was told by name, media type or content.
    declared: bool = False
    title: str | None = None
    filename: str | None = None
    profile: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    #: Config keys the caller set, checked; defaults are filled in when the job runs.
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    #: SHA-256 of the payload, in hex.
    content_hash: str
    #: Bytes of the payload.
    size: int
    #: Ingest again even if nothing changed.
    force: bool = False
    #: What was already noticed at the door, such as replaced surrogates.
    warnings: tuple[str, ...] = ()
    #: Name and version of the build's ingestion rules: a newer build ingests unchanged content again (ruling 14).
    ingestion_version: str

    @property
    def read_as(self) -> str:
        """What tells how it is read: the format, and whether its content may decide otherwise."""
        return f"{self.format}, or chat" if self.format in MAY_BE_CHAT and not self.declared else self.format


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotencyKey:
    """A caller's key for one request, with the hash of the body it was first sent with."""

    key: str
    body_hash: str
    #: Whose key it is; keys of different callers never meet.
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionUse:
    """What asking the decision model took (decisions design, "Counted")."""

    model: str | None = None
    requests: int = 0
    questions: int = 0
    cached: int = 0
    unanswered: int = 0
    input_tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """An accepted piece of work, as a caller sees it."""

    id: str
    kind: JobKind
    status: JobStatus
    #: The document that a job makes a version of; None for work on what the caller keeps.
    collection: str | None = None
    document: str | None = None
    #: Of an export that was split: the documents it became, in its order, and how many of them were there unchanged.
    documents: tuple[str, ...] = ()
    unchanged_documents: int = 0
    version: int | None = None
    stage: JobStage | None = None
    done: int = 0
    total: int = 0
    attempt: int = 0
    #: Jobs accepted earlier and not finished, while this one is queued; else None.
    queue_position: int | None = None
    cancel_requested: bool = False
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    #: A problem object, with the status that an answer would have had.
    error: JsonObject | None = None
    unchanged: bool = False
    superseded: bool = False
    #: Units that the document has, once the job succeeded.
    units: int | None = None
    decisions: DecisionUse = field(default_factory=DecisionUse)
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The answer to accepted work: its job, and whether an idempotency key found an earlier one."""

    job: Job
    replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A job that this worker holds. The payload is fetched apart."""

    job: Job
    worker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Lease):
    """A job of a document that this worker holds, with what it needs to run."""

    upload: Upload

    @property
    def version(self) -> int:
        """The document version that the job makes."""
        assert self.job.version is not None  # noqa: S101 - every job of a document has one
        return self.job.version


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What a finished job says beside the document itself."""

    decisions: DecisionUse
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    #: Of a log in JSON Lines: what was read of it, see `Origin`.
    pieces: tuple[Piece, ...] = ()
    #: See `Job`.
    documents: tuple[str, ...] = ()
    unchanged_documents: int = 0
