"""What a search costs: statements counted, plans looked at."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.term_index import SCOPED_SEARCH, SEARCH
from app.documents.document import LinkType
from app.ports.term_index import TermSpace
from tests.builders import a_document
from tests.contract.conftest import Stores
from tests.postgres.conftest import rows

pytestmark = pytest.mark.anyio


@contextmanager
def statements(engine: AsyncEngine) -> Iterator[list[str]]:
    """Collect the statements that are sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        sent.append(statement)

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    yield sent
    event.remove(engine.sync_engine, "before_cursor_execute", note)


@pytest.mark.parametrize("documents", [None, ["terms", "nowhere"]], ids=["all", "some"])
async def test_a_search_takes_two_statements(stores: Stores, engine: AsyncEngine, documents: list[str] | None) -> None:
    await stores.put(a_document("pump on", "valve off"))
    await stores.index.search("default", "pump", space=TermSpace.FOLDED, limit=20, documents=documents)
    with statements(engine) as sent:
        answer = await stores.index.search("default", "pump", space=TermSpace.FOLDED, limit=20, documents=documents)
    assert len(answer.hits) == 1
    assert len(sent) == 2


async def test_a_language_that_is_new_to_the_process_takes_one_more(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("Das Haus", language="de"))
    with statements(engine) as sent:
        answer = await stores.index.search("default", "Häuser", space=TermSpace.FOLDED, limit=20, documents=None)
    assert len(answer.hits) == 1
    assert len(sent) == 3


async def test_links_are_followed_in_one_statement(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("One.", "Two.", needs=[("p2", "p1")]))
    hits = await stores.documents.units_by_id("default", [("terms", "p1"), ("terms", "p2")])
    with statements(engine) as sent:
        await stores.documents.linked(hits, [LinkType.NEEDS])
    assert len(sent) == 1


@pytest.fixture
async def many_postings(engine: AsyncEngine) -> None:
    """20 terms in 2,000 segments of a collection, and as many in another one."""
    await rows(engine, "INSERT INTO collections (name) SELECT 'c' || n FROM generate_series(1, 60) n RETURNING id")
    await rows(
        engine,
        """
        INSERT INTO postings (collection_id, term, segment_id, code, df, data)
        SELECT collection, 'term' || term, segment, 0, 1, decode(repeat('00', 9), 'hex')
        FROM unnest(ARRAY[1, 60]) collection, generate_series(1, 20) term, generate_series(1, 2000) segment
        RETURNING 1
        """,
    )
    await rows(
        engine,
        """
        INSERT INTO documents (collection_id, id, live_version, segment_id)
        SELECT 1, 'd' || n, 1, n FROM generate_series(1, 2000) n RETURNING key
        """,
    )
    async with engine.connect() as connection:
        outside = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await outside.execute(text("VACUUM ANALYZE postings, documents, collections"))


async def scans_of_postings(engine: AsyncEngine, statement: str, **values: object) -> list[str]:
    """The plan's scans of postings that were executed; those of other partitions never are."""
    explained = await rows(engine, f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) {statement}", **values)
    return [line for (line,) in explained if " on postings_p" in line and "never executed" not in line]


@pytest.mark.usefixtures("many_postings")
async def test_a_search_finds_postings_by_index_in_one_partition(engine: AsyncEngine) -> None:
    scans = await scans_of_postings(engine, SEARCH, collection="c1", terms=["term3", "term7"])
    assert not [scan for scan in scans if "Seq Scan" in scan]
    assert len({partition for scan in scans for partition in re.findall(r"postings_p\d", scan)}) == 1


@pytest.mark.usefixtures("many_postings")
async def test_a_limited_search_counts_by_the_index_alone(engine: AsyncEngine) -> None:
    counting, reading = await scans_of_postings(
        engine, SCOPED_SEARCH, collection="c1", terms=["term3", "term7"], documents=["d5", "d6"]
    )
    assert "Index Only Scan" in counting
    assert "Seq Scan" not in reading
    # For each of the two terms the rows of the two documents, and no others.
    assert "rows=2.00 loops=2" in reading
