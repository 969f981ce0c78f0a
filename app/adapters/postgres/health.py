"""Whether the database answers."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import transaction

_PING = text("SELECT 1")


async def ping(engine: AsyncEngine) -> None:
    """Check that the database answers.

    Raises:
        DatabaseUnavailable: it does not.
    """
    async with transaction(engine) as connection:
        await connection.execute(_PING)
