"""What the stores in memory share: collections of documents, and jobs."""

import base64
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from app.documents.contextualizing import Outcome
from app.documents.document import Document, Page, UnitHit
from app.documents.growth import Origin
from app.documents.job import Job, Upload
from app.errors import InvalidRequest

Entry = TypeVar("Entry")


@dataclass
class MemoryDocument:
    """A document id: what was accepted for it, and what is live."""

    collection: str
    key: int
    id: str
    accepted_version: int = 0
    accepted_job: str | None = None
    accepted_upload: tuple[object, ...] | None = None
    removed_version: int = 0
    live_version: int | None = None
    document: Document | None = None
    highest: dict[str, int] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)
    #: Of a part of an export: the export's id, the version of it that made this, and what it was made of.
    parent: str | None = None
    parent_version: int = 0
    fingerprint: bytes | None = None
    split_version: int = 0
    created_at: datetime | None = None
    updated_at: datetime | None = None

    def hit(self, ordinal: int, score: float = 0.0) -> UnitHit:
        assert self.document is not None
        assert self.live_version is not None
        assert self.updated_at is not None
        return UnitHit(
            collection=self.collection,
            document=self.id,
            document_key=self.key,
            version=self.live_version,
            ordinal=ordinal,
            unit=self.document.units[ordinal],
            title=self.document.title,
            language=self.document.language,
            updated_at=self.updated_at,
            score=score,
        )


@dataclass
class MemoryJob:
    """A job with its lease and payload."""

    job: Job
    seq: int
    #: None for work on no document.
    upload: Upload | None
    payload: list[bytes]
    worker: str | None = None
    #: On the monotonic clock.
    lease_until: float = 0.0
    announced_at: float | None = None
    notes: dict[int, Outcome] = field(default_factory=dict)
    result: bytes | None = None


@dataclass
class Memory:
    """Everything that is stored. One call of a store finishes before another begins, as none of them waits."""

    documents: dict[tuple[str, str], MemoryDocument] = field(default_factory=dict)
    jobs: dict[str, MemoryJob] = field(default_factory=dict)
    keys: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    beats: dict[str, float] = field(default_factory=dict)
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def live(self, collection: str) -> list[MemoryDocument]:
        """The live documents of a collection, by key."""
        return sorted(
            (each for each in self.documents.values() if each.collection == collection and each.document),
            key=lambda each: each.key,
        )


def page_of(
    entries: list[Entry], page: Page, key: Callable[[Entry], str | int], stamp: int = 0
) -> tuple[list[Entry], str | None]:
    """The entries after the cursor's; a cursor holds the stamp of the list and the last entry's key."""
    if page.cursor is not None:
        last = _decoded(page.cursor, stamp)
        places = [place for place, entry in enumerate(entries) if key(entry) == last]
        entries = entries[places[0] + 1 :] if places else []
    shown = entries[: page.limit]
    if len(entries) <= page.limit:
        return shown, None
    return shown, base64.urlsafe_b64encode(json.dumps([stamp, key(shown[-1])]).encode()).decode()


def _decoded(cursor: str, stamp: int) -> str | int:
    try:
        stamped, key = json.loads(base64.urlsafe_b64decode(cursor))
    except (ValueError, TypeError) as error:
        raise InvalidRequest("The cursor is not one of this list.") from error
    if stamped != stamp or not isinstance(key, str | int):
        raise InvalidRequest("The cursor is not one of this list.")
    return key
