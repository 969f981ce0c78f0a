"""Jobs about no stored document, the notes that they keep on the way, and their results."""

from alembic import op

revision = "202612010000"
down_revision = "202611302000"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    ALTER TABLE jobs
        ALTER COLUMN collection_id DROP NOT NULL,
        ALTER COLUMN document_key DROP NOT NULL,
        ALTER COLUMN version DROP NOT NULL,
        ALTER COLUMN upload DROP NOT NULL,
        ADD CONSTRAINT jobs_ingest_check
            CHECK (kind <> 'ingest' OR num_nulls(collection_id, document_key, version, upload) = 0)
    """,
    """
    CREATE TABLE notes (
        job_id   text COLLATE "C" NOT NULL CONSTRAINT notes_job_id_fkey REFERENCES jobs (id) ON DELETE CASCADE,
        position integer NOT NULL,
        outcome  json NOT NULL,
        PRIMARY KEY (job_id, position)
    )
    """,
    """
    CREATE TABLE job_results (
        job_id text COLLATE "C" PRIMARY KEY CONSTRAINT job_results_job_id_fkey REFERENCES jobs (id) ON DELETE CASCADE,
        data   bytea NOT NULL
    )
    """,
)
_DOWNGRADE = (
    "DROP TABLE notes, job_results",
    "DELETE FROM jobs WHERE kind <> 'ingest'",
    """
    ALTER TABLE jobs
        DROP CONSTRAINT jobs_ingest_check,
        ALTER COLUMN collection_id SET NOT NULL,
        ALTER COLUMN document_key SET NOT NULL,
        ALTER COLUMN version SET NOT NULL,
        ALTER COLUMN upload SET NOT NULL
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
