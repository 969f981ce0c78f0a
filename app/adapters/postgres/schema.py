"""The tables. Everything is keyed by collection first, so that a collection's data sits together.

The migrations create them; a test compares the two. `units` and `postings` are partitioned by hash of the collection,
so that distributing them later moves partitions and rewrites nothing.

Structured columns are `json`, not `jsonb`: the digits of imported numbers survive (ruling 19).
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
    }
)

#: Names and ids are compared byte by byte, whatever the database's locale.
_Id = Text(collation="C")
_Time = DateTime(timezone=True)


def _json(name: str, default: str) -> Column[object]:
    return Column(name, JSON(), nullable=False, server_default=text(f"'{default}'"))


def _created_at() -> Column[object]:
    return Column("created_at", _Time, nullable=False, server_default=func.now())


collections = Table(
    "collections",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("name", _Id, nullable=False, unique=True),
    _json("settings", "{}"),
    # Every language that terms of this collection were ever folded by: a question is folded once for each (ruling 8).
    Column("languages", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    _created_at(),
)

documents = Table(
    "documents",
    metadata,
    Column("collection_id", ForeignKey("collections.id"), nullable=False),
    Column("key", BigInteger, Identity(always=True), nullable=False),
    Column("id", _Id, nullable=False),
    # What was accepted last, to number versions and to tell that nothing changed (ruling 14).
    Column("accepted_version", Integer, nullable=False, server_default=text("0")),
    Column("accepted_fingerprint", LargeBinary),
    Column("accepted_job", _Id),
    # Versions up to this one were removed: a job that would make one of them ends cancelled.
    Column("removed_version", Integer, nullable=False, server_default=text("0")),
    # Null while there is nothing to read, as before the first commit and after a removal.
    Column("live_version", Integer),
    Column("segment_id", BigInteger),
    # See `app.documents.growth.Origin`.
    Column("origin", JSON()),
    # Of one conversation of an export: the export's own document, and the version of it that made this one.
    Column("parent_key", BigInteger),
    Column("parent_version", Integer),
    # Of an export: its newest version that was split.
    Column("split_version", Integer),
    Column("title", Text),
    Column("format", Text),
    Column("profile", Text),
    Column("detected", JSON()),
    Column("language", Text),
    Column("encoding", Text),
    _json("metadata", "{}"),
    _json("data", "{}"),
    Column("unit_count", Integer, nullable=False, server_default=text("0")),
    # The highest number ever used per id prefix, so that no unit id is used again for another text (ruling 15).
    _json("highest", "{}"),
    Column("created_at", _Time),
    Column("updated_at", _Time),
    PrimaryKeyConstraint("collection_id", "key"),
    UniqueConstraint("collection_id", "id"),
    Index("documents_parent_idx", "collection_id", "parent_key", postgresql_where=text("parent_key IS NOT NULL")),
)

units = Table(
    "units",
    metadata,
    Column("collection_id", Integer, nullable=False),
    Column("document_key", BigInteger, nullable=False),
    # Position in the document, from 0.
    Column("ordinal", Integer, nullable=False),
    Column("id", _Id, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    _json("path", "[]"),
    _json("meta", "{}"),
    Column("start_offset", Integer),
    Column("end_offset", Integer),
    # Number of exact terms.
    Column("length", Integer, nullable=False),
    PrimaryKeyConstraint("collection_id", "document_key", "ordinal"),
    UniqueConstraint("collection_id", "document_key", "id"),
    ForeignKeyConstraint(["collection_id", "document_key"], ["documents.collection_id", "documents.key"]),
    postgresql_partition_by="HASH (collection_id)",
)

links = Table(
    "links",
    metadata,
    Column("collection_id", Integer, nullable=False),
    Column("document_key", BigInteger, nullable=False),
    Column("source_ordinal", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("target_ordinal", Integer, nullable=False),
    PrimaryKeyConstraint("collection_id", "document_key", "source_ordinal", "type", "target_ordinal"),
    ForeignKeyConstraint(["collection_id", "document_key"], ["documents.collection_id", "documents.key"]),
    Index(None, "collection_id", "document_key", "target_ordinal"),
)

segments = Table(
    "segments",
    metadata,
    Column("collection_id", Integer, nullable=False),
    Column("id", BigInteger, Identity(always=True), nullable=False),
    Column("units", Integer, nullable=False),
    # Summed lengths of the units in either term space, for the average length.
    Column("exact_length", BigInteger, nullable=False),
    Column("folded_length", BigInteger, nullable=False),
    # The terms of its rows in `postings`, which are dropped by their key.
    Column("terms", ARRAY(Text), nullable=False),
    PrimaryKeyConstraint(
        "collection_id", "id", postgresql_include=["units", "exact_length", "folded_length"], name="segments_pkey"
    ),
)

postings = Table(
    "postings",
    metadata,
    # Widest first: rows are small and many, and padding between columns would take a tenth of them.
    Column("segment_id", BigInteger, nullable=False),
    Column("collection_id", Integer, nullable=False),
    # Units that hold the term.
    Column("df", Integer, nullable=False),
    # How `data` is packed: see `app.terms.postings`.
    Column("code", SmallInteger, nullable=False),
    # A stored term: see `app.terms.stored`.
    Column("term", _Id, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint(
        "collection_id", "term", "segment_id", "code", postgresql_include=["df"], name="postings_pkey"
    ),
    postgresql_partition_by="HASH (collection_id)",
)

_UNFINISHED = text("status IN ('queued', 'running')")

jobs = Table(
    "jobs",
    metadata,
    Column("id", _Id, primary_key=True),
    # Order of acceptance.
    Column("seq", BigInteger, Identity(always=True), nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    # Null for work on what the caller keeps.
    Column("collection_id", Integer),
    Column("document_key", BigInteger),
    Column("version", Integer),
    Column("upload", JSON()),
    Column("stage", Text),
    Column("done", Integer, nullable=False, server_default=text("0")),
    Column("total", Integer, nullable=False, server_default=text("0")),
    Column("attempt", Integer, nullable=False, server_default=text("0")),
    Column("worker", Text),
    Column("lease_until", _Time),
    Column("announced_at", _Time),
    Column("cancel_requested", Boolean, nullable=False, server_default=text("false")),
    Column("unchanged", Boolean, nullable=False, server_default=text("false")),
    Column("superseded", Boolean, nullable=False, server_default=text("false")),
    Column("units", Integer),
    # Ids of the documents that an export became, and how many of them were unchanged.
    _json("documents", "[]"),
    Column("unchanged_documents", Integer, nullable=False, server_default=text("0")),
    Column("error", JSON()),
    _json("decisions", "{}"),
    _json("degraded", "[]"),
    _json("warnings", "[]"),
    _created_at(),
    Column("started_at", _Time),
    Column("finished_at", _Time),
    ForeignKeyConstraint(["collection_id", "document_key"], ["documents.collection_id", "documents.key"]),
    CheckConstraint(
        "kind <> 'ingest' OR num_nulls(collection_id, document_key, version, upload) = 0", name="jobs_ingest_check"
    ),
    CheckConstraint(
        "kind <> 'append' OR num_nulls(collection_id, document_key, version, upload) = 0", name="jobs_append_check"
    ),
    Index("jobs_document_idx", "collection_id", "document_key", "seq"),
    Index("jobs_unfinished_idx", "seq", postgresql_where=_UNFINISHED),
    Index("jobs_in_turn_idx", "collection_id", "document_key", "seq", postgresql_where=_UNFINISHED),
    Index("jobs_finished_idx", "finished_at", postgresql_where=text("finished_at IS NOT NULL")),
)

uploads = Table(
    "uploads",
    metadata,
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("job_id", "seq"),
)

#: What calls that were paid for brought, until their job ends.
notes = Table(
    "notes",
    metadata,
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("outcome", JSON(), nullable=False),
    PrimaryKeyConstraint("job_id", "position"),
)

job_results = Table(
    "job_results",
    metadata,
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    # A JSON text as it is answered, never looked into.
    Column("data", LargeBinary, nullable=False),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("scope", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("body_hash", Text, nullable=False),
    # The key is taken first and its job written after it, in one transaction.
    Column(
        "job_id",
        ForeignKey("jobs.id", ondelete="CASCADE", deferrable=True, initially="DEFERRED"),
        nullable=False,
        index=True,
    ),
    PrimaryKeyConstraint("scope", "key"),
)

worker_beats = Table(
    "worker_beats",
    metadata,
    Column("worker", Text, primary_key=True),
    Column("beat_at", _Time, nullable=False),
)

decision_cache = Table(
    "decision_cache",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("answer", JSON(), nullable=False),
    _created_at(),
    Index(None, "created_at"),
)
