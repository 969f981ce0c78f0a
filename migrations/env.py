"""Runs migrations on the connection that `app.adapters.postgres.migrate` hands over, or on `DATABASE_URL`.

The second way is for developers: `alembic revision --autogenerate -m "add outbox"` and `alembic check`.
"""

import os
from typing import Any

from alembic import context
from sqlalchemy import Connection, create_engine

from app.adapters.postgres.engine import driver_url
from app.adapters.postgres.schema import metadata


def include_name(name: str | None, type_: str, _parents: Any) -> bool:  # noqa: ANN401 - alembic's own type is a dict
    """Leave partitions out of comparisons: their parents stand for them."""
    return not (type_ == "table" and name is not None and name.rpartition("_p")[2].isdigit())


def run(connection: Connection) -> None:
    """Run what was asked for, in the connection's transaction when it has one."""
    context.configure(connection=connection, target_metadata=metadata, include_name=include_name)
    with context.begin_transaction():
        context.run_migrations()


if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    with create_engine(driver_url(os.environ["DATABASE_URL"])).connect() as own:
        run(own)
