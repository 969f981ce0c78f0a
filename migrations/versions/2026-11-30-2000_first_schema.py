"""First schema: collections, documents, units, links, postings, jobs, uploads, decisions.

Written out rather than taken from `app.adapters.postgres.schema`, which goes on changing.
"""

from alembic import op

revision = "202611302000"
down_revision = None
branch_labels = None
depends_on = None

_PARTITIONS = 8

_TABLES = (
    """
    CREATE TABLE collections (
        id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name       text COLLATE "C" NOT NULL,
        settings   json NOT NULL DEFAULT '{}',
        languages  text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT collections_name_key UNIQUE (name)
    )
    """,
    """
    CREATE TABLE documents (
        collection_id        integer NOT NULL CONSTRAINT documents_collection_id_fkey REFERENCES collections (id),
        key                  bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        id                   text COLLATE "C" NOT NULL,
        accepted_version     integer NOT NULL DEFAULT 0,
        accepted_fingerprint bytea,
        accepted_job         text COLLATE "C",
        removed_version      integer NOT NULL DEFAULT 0,
        live_version         integer,
        segment_id           bigint,
        title                text,
        format               text,
        profile              text,
        detected             json,
        language             text,
        encoding             text,
        metadata             json NOT NULL DEFAULT '{}',
        data                 json NOT NULL DEFAULT '{}',
        unit_count           integer NOT NULL DEFAULT 0,
        highest              json NOT NULL DEFAULT '{}',
        created_at           timestamptz,
        updated_at           timestamptz,
        PRIMARY KEY (collection_id, key),
        CONSTRAINT documents_collection_id_id_key UNIQUE (collection_id, id)
    )
    """,
    """
    CREATE TABLE units (
        collection_id integer NOT NULL,
        document_key  bigint NOT NULL,
        ordinal       integer NOT NULL,
        id            text COLLATE "C" NOT NULL,
        kind          text NOT NULL,
        text          text NOT NULL,
        path          json NOT NULL DEFAULT '[]',
        meta          json NOT NULL DEFAULT '{}',
        start_offset  integer,
        end_offset    integer,
        length        integer NOT NULL,
        PRIMARY KEY (collection_id, document_key, ordinal),
        CONSTRAINT units_collection_id_document_key_id_key UNIQUE (collection_id, document_key, id),
        CONSTRAINT units_collection_id_document_key_fkey
            FOREIGN KEY (collection_id, document_key) REFERENCES documents (collection_id, key)
    ) PARTITION BY HASH (collection_id)
    """,
    """
    CREATE TABLE links (
        collection_id  integer NOT NULL,
        document_key   bigint NOT NULL,
        source_ordinal integer NOT NULL,
        type           text NOT NULL,
        target_ordinal integer NOT NULL,
        PRIMARY KEY (collection_id, document_key, source_ordinal, type, target_ordinal),
        CONSTRAINT links_collection_id_document_key_fkey
            FOREIGN KEY (collection_id, document_key) REFERENCES documents (collection_id, key)
    )
    """,
    """
    CREATE INDEX links_collection_id_document_key_target_ordinal_idx
        ON links (collection_id, document_key, target_ordinal)
    """,
    """
    CREATE TABLE segments (
        collection_id integer NOT NULL,
        id            bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        units         integer NOT NULL,
        exact_length  bigint NOT NULL,
        folded_length bigint NOT NULL,
        terms         text[] NOT NULL,
        PRIMARY KEY (collection_id, id) INCLUDE (units, exact_length, folded_length)
    )
    """,
    """
    CREATE TABLE postings (
        segment_id    bigint NOT NULL,
        collection_id integer NOT NULL,
        df            integer NOT NULL,
        code          smallint NOT NULL,
        term          text COLLATE "C" NOT NULL,
        data          bytea NOT NULL,
        PRIMARY KEY (collection_id, term, segment_id, code) INCLUDE (df)
    ) PARTITION BY HASH (collection_id)
    """,
    """
    CREATE TABLE jobs (
        id               text COLLATE "C" PRIMARY KEY,
        seq              bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        kind             text NOT NULL,
        status           text NOT NULL,
        collection_id    integer NOT NULL,
        document_key     bigint NOT NULL,
        version          integer NOT NULL,
        upload           json NOT NULL,
        stage            text,
        done             integer NOT NULL DEFAULT 0,
        total            integer NOT NULL DEFAULT 0,
        attempt          integer NOT NULL DEFAULT 0,
        worker           text,
        lease_until      timestamptz,
        announced_at     timestamptz,
        cancel_requested boolean NOT NULL DEFAULT false,
        unchanged        boolean NOT NULL DEFAULT false,
        superseded       boolean NOT NULL DEFAULT false,
        units            integer,
        error            json,
        decisions        json NOT NULL DEFAULT '{}',
        degraded         json NOT NULL DEFAULT '[]',
        warnings         json NOT NULL DEFAULT '[]',
        created_at       timestamptz NOT NULL DEFAULT now(),
        started_at       timestamptz,
        finished_at      timestamptz,
        CONSTRAINT jobs_seq_key UNIQUE (seq),
        CONSTRAINT jobs_collection_id_document_key_fkey
            FOREIGN KEY (collection_id, document_key) REFERENCES documents (collection_id, key)
    )
    """,
    "CREATE INDEX jobs_document_idx ON jobs (collection_id, document_key, seq)",
    "CREATE INDEX jobs_unfinished_idx ON jobs (seq) WHERE status IN ('queued', 'running')",
    "CREATE INDEX jobs_finished_idx ON jobs (finished_at) WHERE finished_at IS NOT NULL",
    """
    CREATE TABLE uploads (
        job_id text COLLATE "C" NOT NULL CONSTRAINT uploads_job_id_fkey REFERENCES jobs (id) ON DELETE CASCADE,
        seq    integer NOT NULL,
        data   bytea NOT NULL,
        PRIMARY KEY (job_id, seq)
    )
    """,
    """
    CREATE TABLE idempotency_keys (
        scope     text NOT NULL,
        key       text NOT NULL,
        body_hash text NOT NULL,
        job_id    text COLLATE "C" NOT NULL CONSTRAINT idempotency_keys_job_id_fkey
                      REFERENCES jobs (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (scope, key)
    )
    """,
    "CREATE INDEX idempotency_keys_job_id_idx ON idempotency_keys (job_id)",
    """
    CREATE TABLE worker_beats (
        worker  text PRIMARY KEY,
        beat_at timestamptz NOT NULL
    )
    """,
    """
    CREATE TABLE decision_cache (
        key        bytea PRIMARY KEY,
        answer     json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE INDEX decision_cache_created_at_idx ON decision_cache (created_at)",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for statement in _TABLES:
        op.execute(statement)
    for table in ("units", "postings"):
        for number in range(_PARTITIONS):
            op.execute(
                f"CREATE TABLE {table}_p{number} PARTITION OF {table} "
                f"FOR VALUES WITH (MODULUS {_PARTITIONS}, REMAINDER {number})"
            )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute(
        "DROP TABLE idempotency_keys, uploads, jobs, links, units, postings, segments, documents, collections, "
        "worker_beats, decision_cache"
    )
