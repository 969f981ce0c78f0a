"""Appends and exports when many act at once or the database goes away, and the index that they leave."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.documents.document import Document, Link, LinkType, Page, Unit
from app.documents.growth import Addition, ExportPart, Origin
from app.documents.job import Claim, DecisionUse, Job, JobKind, JobResult, JobStatus
from app.errors import DatabaseUnavailable, DocumentBusy, DocumentNotFound, JobCancelled
from app.terms.postings import unpack
from tests.builders import a_document, a_unit
from tests.contract.conftest import Stores, an_upload, in_parts
from tests.postgres.conftest import count, kill_whoever_waits, rows

pytestmark = pytest.mark.anyio

NOTHING_SPENT = JobResult(decisions=DecisionUse())


async def accept_append(stores: Stores, document: str = "terms") -> Job:
    return (await stores.jobs.accept_append(an_upload(document), in_parts(b"More."), None)).job


async def claim_append(stores: Stores, job: Job) -> Claim | None:
    return await stores.jobs.claim(job.id, "worker", lease_seconds=30.0, kind=JobKind.APPEND)


async def append(stores: Stores, claim: Claim, *contents: str) -> Job | None:
    """Add passages, each of which needs the one before it."""
    growing = await stores.documents.growing(claim.upload.collection, claim.upload.document)
    stored, number = growing.stored.document, growing.highest.get("p", 0)
    units = tuple(a_unit(content, id=f"p{number + place}") for place, content in enumerate(contents, start=1))
    chain = [*stored.units[-1:], *units]
    links = (Link(type=LinkType.NEEDS, source=later.id, target=earlier.id) for earlier, later in pairwise(chain))
    addition = Addition(
        base=growing.stored.version,
        units=units,
        links=tuple(links),
        data={},
        highest={**growing.highest, "p": number + len(units)},
        pieces=(),
        language=stored.language,
    )
    return await stores.documents.append(claim, addition, NOTHING_SPENT)


async def append_in_turn(stores: Stores, job: Job, content: str) -> None:
    """Try until it is this append's turn, as workers do."""
    while (claim := await claim_append(stores, job)) is None:
        await asyncio.sleep(0.01)
    done = await append(stores, claim, content)
    assert done is not None
    assert done.status is JobStatus.SUCCEEDED


async def document(stores: Stores, name: str = "terms") -> Document:
    return (await stores.documents.document("default", name)).document


Index = dict[str, list[tuple[int, int, int]]]


async def index_of(engine: AsyncEngine, name: str) -> tuple[Index, tuple[int, ...], set[str]]:
    """The postings of a document by term, what its segment says of them, and the terms that this knows."""
    found: Index = defaultdict(list)
    counted: dict[str, int] = defaultdict(int)
    for row in await rows(
        engine,
        "SELECT p.* FROM postings p JOIN documents d ON d.segment_id = p.segment_id WHERE d.id = :name",
        name=name,
    ):
        records = unpack(row.code, row.data)
        counted[row.term] += row.df
        found[row.term] += [(int(each["ordinal"]), int(each["count"]), int(each["length"])) for each in records]
    assert counted == {term: len(records) for term, records in found.items()}
    ((*sums, terms),) = await rows(
        engine,
        "SELECT s.units, s.exact_length, s.folded_length, s.terms FROM segments s JOIN documents d "
        "ON d.segment_id = s.id WHERE d.id = :name",
        name=name,
    )
    assert len(terms) == len(set(terms))
    return {term: sorted(records) for term, records in found.items()}, tuple(sums), set(terms)


CONTENTS = ("The pump runs.", "Häuser pump " * 300, "Running pumps, café.", "水泵 pump", "")


@pytest.mark.parametrize("language", [None, "de"])
@pytest.mark.parametrize("first", [0, 1, 2])
async def test_an_index_that_was_added_to_is_that_of_the_whole(
    stores: Stores, engine: AsyncEngine, first: int, language: str | None
) -> None:
    await stores.put(a_document(units=_units(CONTENTS), id="whole", language=language))
    await stores.put(a_document(units=_units(CONTENTS[:first]), language=language))
    for content in CONTENTS[first:]:
        claim = await claim_append(stores, await accept_append(stores))
        assert claim is not None
        assert await append(stores, claim, content) is not None

    assert await index_of(engine, "terms") == await index_of(engine, "whole")
    assert await count(engine, "segments") == 2


def _units(contents: Sequence[str]) -> list[Unit]:
    return [a_unit(content, id=f"p{number}") for number, content in enumerate(contents, start=1)]


async def test_an_append_leaves_the_rows_of_stored_units_alone(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("One.", "Two.", needs=[("p2", "p1")]))
    untouched = "SELECT ordinal, xmin::text FROM units ORDER BY ordinal"
    before = await rows(engine, untouched)
    claim = await claim_append(stores, await accept_append(stores))
    assert claim is not None
    await append(stores, claim, "Three.")
    assert (await rows(engine, untouched))[:2] == before


async def test_twenty_appends_at_once_are_all_there_in_the_order_of_their_acceptance(
    stores: Stores, engine: AsyncEngine
) -> None:
    await stores.put(a_document("pump 0"))

    jobs = await asyncio.gather(*(accept_append(stores) for _ in range(20)))
    assert sorted(job.version or 0 for job in jobs) == list(range(2, 22))
    await asyncio.gather(*(append_in_turn(stores, job, f"pump {(job.version or 0) - 1}") for job in jobs))

    grown = await document(stores)
    assert [(unit.id, unit.text) for unit in grown.units] == [(f"p{n + 1}", f"pump {n}") for n in range(21)]
    assert len(grown.links) == 20
    assert (await stores.documents.document("default", "terms")).version == 21
    # The same one after the other.
    await stores.put(a_document("pump 0", id="sequential"))
    for number in range(1, 21):
        await append_in_turn(stores, await accept_append(stores, "sequential"), f"pump {number}")
    sequential = await document(stores, "sequential")
    assert (sequential.units, set(sequential.links)) == (grown.units, set(grown.links))
    assert await index_of(engine, "terms") == await index_of(engine, "sequential")


async def test_appends_and_replacements_of_one_document_neither_deadlock_nor_mix(
    stores: Stores, engine: AsyncEngine
) -> None:
    await stores.put(a_document("old"))

    async def add(number: int) -> None:
        try:
            job = await accept_append(stores)
        except DocumentBusy:
            return
        while not (await stores.jobs.job(job.id)).status.finished:
            claim = await claim_append(stores, job)
            if claim is not None:
                await append(stores, claim, f"added {number}")
            await asyncio.sleep(0.005)

    async def write(number: int) -> None:
        await stores.put(a_document(f"new {number}", f"whole {number}"))

    await asyncio.gather(*(add(number) if number % 3 else write(number) for number in range(18)))

    grown = await document(stores)
    whole = [unit for unit in grown.units if unit.text.startswith(("new", "whole"))]
    added = [unit for unit in grown.units if unit.text.startswith("added")]
    assert len(grown.units) == len(whole) + len(added)
    assert len({unit.text.split()[1] for unit in whole}) <= 1
    assert [unit.id for unit in grown.units] == sorted({unit.id for unit in grown.units}, key=lambda id_: int(id_[1:]))
    ((units,),) = await rows(engine, "SELECT s.units FROM segments s")
    assert units == len(grown.units)


async def test_an_append_killed_before_the_commit_leaves_nothing_half(stores: Stores, engine: AsyncEngine) -> None:
    await stores.put(a_document("before"))
    job = await accept_append(stores)
    claim = await claim_append(stores, job)
    assert claim is not None
    expected = await index_of(engine, "terms")
    async with engine.connect() as blocker:
        # Units, links and postings are written by the time that the segment's sums are.
        await blocker.execute(text("SELECT 1 FROM segments FOR UPDATE"))
        committing = asyncio.create_task(append(stores, claim, "after", "after before"))
        await kill_whoever_waits(engine)
        with pytest.raises(DatabaseUnavailable):
            await committing

    assert [unit.text for unit in (await document(stores)).units] == ["before"]
    assert await index_of(engine, "terms") == expected
    assert (await stores.jobs.job(job.id)).status is JobStatus.RUNNING
    assert await append(stores, claim, "after") is not None
    assert [unit.text for unit in (await document(stores)).units] == ["before", "after"]


def a_part(name: str, *contents: str) -> ExportPart:
    return ExportPart(document=a_document(*contents, id=f"export/{name}"), fingerprint=b"1", origin=Origin())


async def test_exports_at_once_and_a_removal_end_whole(stores: Stores, engine: AsyncEngine) -> None:
    async def export(number: int) -> None:
        claim = await stores.jobs.claim(
            (await stores.accept(an_upload("export", force=True))).job.id, "worker", lease_seconds=30
        )
        if claim is None:
            return  # called off before it was claimed
        for name in "abcd":
            await stores.documents.put_part(claim, a_part(name, f"pump {number}", f"of {name}"))
        await stores.documents.finish_export(claim, 8, NOTHING_SPENT)

    ends = await asyncio.gather(
        *(export(number) for number in range(5)), stores.documents.remove("default", "export"), return_exceptions=True
    )

    allowed = (JobCancelled, DocumentNotFound)
    assert [end for end in ends if end is not None and not isinstance(end, allowed)] == []
    live, _ = await stores.documents.documents("default", Page(None, 50))
    # All of an export that was accepted after the removal, or nothing.
    assert [each.id for each in live] in ([], [f"export/{name}" for name in "abcd"])
    assert await count(engine, "units") == 2 * len(live)
    assert await count(engine, "segments") == len(live)
    await asyncio.gather(*(stores.documents.remove("default", "export") for _ in range(3)), return_exceptions=True)
    assert [await count(engine, table) for table in ("units", "links", "segments", "postings")] == [0, 0, 0, 0]


async def test_a_part_killed_before_the_commit_is_not_there(stores: Stores, engine: AsyncEngine) -> None:
    claim = await stores.claimed(an_upload("export"))
    await stores.documents.put_part(claim, a_part("a", "pump"))
    german = replace(a_part("b", "seal"), document=a_document("seal", id="export/b", language="de"))
    async with engine.connect() as blocker:
        # A part's last step is to note its language.
        await blocker.execute(text("SELECT 1 FROM collections FOR UPDATE"))
        writing = asyncio.create_task(stores.documents.put_part(claim, german))
        await kill_whoever_waits(engine)
        with pytest.raises(DatabaseUnavailable):
            await writing
    live, _ = await stores.documents.documents("default", Page(None, 50))
    assert [each.id for each in live] == ["export/a"]
    assert await stores.documents.keep_part(claim, "export/b", b"1") is None
    await stores.documents.put_part(claim, german)
    assert (await stores.documents.finish_export(claim, 2, NOTHING_SPENT)).status is JobStatus.SUCCEEDED
