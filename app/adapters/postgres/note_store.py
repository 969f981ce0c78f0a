"""Outcomes of contextualizing jobs that still run, in PostgreSQL."""

import json
from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import transaction
from app.documents.contextualizing import Outcome
from app.documents.job import Lease
from app.errors import LeaseLost

#: Writes only while the lease is held: a worker that lost it must not put back what the job's end dropped.
_KEEP = text("""
    WITH held AS (
        SELECT id FROM jobs WHERE id = :job AND status = 'running' AND worker = :worker AND attempt = :attempt
        FOR SHARE
    )
    INSERT INTO notes (job_id, position, outcome) SELECT id, :position, CAST(:outcome AS json) FROM held
    ON CONFLICT (job_id, position) DO UPDATE SET outcome = excluded.outcome
    RETURNING job_id
""")
_KEPT = text("SELECT position, outcome FROM notes WHERE job_id = :job")


class PostgresNoteStore:
    """Keeps outcomes. See the port `NoteStore`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def keep(self, lease: Lease, position: int, outcome: Outcome) -> None:
        """Remember what came of the chunk at this position."""
        values = {
            "job": lease.job.id,
            "worker": lease.worker,
            "attempt": lease.job.attempt,
            "position": position,
            "outcome": json.dumps(outcome.as_json()),
        }
        async with transaction(self._engine) as connection:
            if (await connection.execute(_KEEP, values)).one_or_none() is None:
                raise LeaseLost(f"Job {lease.job.id} is no longer run by {lease.worker}.")

    async def kept(self, lease: Lease) -> Mapping[int, Outcome]:
        """Return the outcomes that were kept for this job, by position."""
        async with transaction(self._engine) as connection:
            rows = await connection.execute(_KEPT, {"job": lease.job.id})
            return {row.position: Outcome.from_json(row.outcome) for row in rows}
