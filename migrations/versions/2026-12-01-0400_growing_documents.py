"""Documents that are appended to, and exports that become many documents."""

from alembic import op

revision = "202612010400"
down_revision = "202612010000"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    ALTER TABLE documents
        ADD COLUMN origin json,
        ADD COLUMN parent_key bigint,
        ADD COLUMN parent_version integer,
        ADD COLUMN split_version integer
    """,
    "CREATE INDEX documents_parent_idx ON documents (collection_id, parent_key) WHERE parent_key IS NOT NULL",
    """
    ALTER TABLE jobs
        ADD COLUMN documents json NOT NULL DEFAULT '[]',
        ADD COLUMN unchanged_documents integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT jobs_append_check
            CHECK (kind <> 'append' OR num_nulls(collection_id, document_key, version, upload) = 0)
    """,
    """
    CREATE INDEX jobs_in_turn_idx ON jobs (collection_id, document_key, seq) WHERE status IN ('queued', 'running')
    """,
)
_DOWNGRADE = (
    "DROP INDEX jobs_in_turn_idx",
    "DELETE FROM jobs WHERE kind = 'append'",
    """
    ALTER TABLE jobs
        DROP CONSTRAINT jobs_append_check,
        DROP COLUMN documents,
        DROP COLUMN unchanged_documents
    """,
    """
    ALTER TABLE documents
        DROP COLUMN origin,
        DROP COLUMN parent_key,
        DROP COLUMN parent_version,
        DROP COLUMN split_version
    """,
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for statement in _DOWNGRADE:
        op.execute(statement)
