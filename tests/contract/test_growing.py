"""What every store does with documents that are appended to, and with exports of many conversations."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.documents.document import Link, LinkType, Page, Unit
from app.documents.growth import Addition, ExportPart, Growing, KeptPart, Origin, Piece
from app.documents.job import Claim, DecisionUse, IdempotencyKey, Job, JobKind, JobResult, JobStatus
from app.documents.profile import Profile
from app.errors import (
    CannotAppend,
    DocumentBusy,
    DocumentNotFound,
    IdempotencyConflict,
    JobCancelled,
    LeaseLost,
)
from app.ports.term_index import TermSpace
from tests.builders import a_document, a_unit
from tests.contract.conftest import MAX_TRIES, Stores, an_upload, in_parts

pytestmark = pytest.mark.anyio

NOTHING_SPENT = JobResult(decisions=DecisionUse())


async def accept_append(stores: Stores, document: str = "terms", key: IdempotencyKey | None = None) -> Job:
    return (await stores.jobs.accept_append(an_upload(document), in_parts(b"More."), key)).job


async def claim_append(stores: Stores, job: Job, worker: str = "worker") -> Claim | None:
    return await stores.jobs.claim(job.id, worker, lease_seconds=30.0, kind=JobKind.APPEND)


async def claimed_append(stores: Stores, document: str = "terms") -> Claim:
    claim = await claim_append(stores, await accept_append(stores, document))
    assert claim is not None
    return claim


async def growing(stores: Stores, document: str = "terms") -> Growing:
    return await stores.documents.growing("default", document)


def adding(base: Growing, *units: Unit, links: Sequence[Link] = ()) -> Addition:
    """Units, numbered on from the document's, and links as they are."""
    number = base.highest.get("p", 0)
    named = [replace(unit, id=f"p{number + place}") for place, unit in enumerate(units, start=1)]
    return Addition(
        base=base.stored.version,
        units=tuple(named),
        links=tuple(links),
        data={**base.stored.document.data, "added": number},
        highest={**base.highest, "p": number + len(units)},
        pieces=(Piece(3, "digest"),),
        language=base.stored.document.language,
    )


async def texts(stores: Stores, document: str = "terms") -> list[str]:
    return [unit.text for unit in (await growing(stores, document)).stored.document.units]


# Accepting


async def test_an_append_is_a_job_that_makes_the_next_version(stores: Stores) -> None:
    await stores.put(a_document("Pay in time."))

    job = await accept_append(stores)

    assert (job.kind, job.status, job.document, job.version) == (JobKind.APPEND, JobStatus.QUEUED, "terms", 2)
    claim = await claim_append(stores, job)
    assert claim is not None
    assert claim.upload == an_upload()
    assert b"".join([part async for part in stores.jobs.payload(claim)]) == b"More."


async def test_an_append_is_no_ingestion_to_claim(stores: Stores) -> None:
    await stores.put(a_document())
    job = await accept_append(stores)
    assert await stores.jobs.claim(job.id, "worker", lease_seconds=30.0) is None


async def test_nothing_is_appended_to_what_is_not_there(stores: Stores) -> None:
    with pytest.raises(DocumentNotFound):
        await accept_append(stores)
    await stores.put(a_document())
    await stores.documents.remove("default", "terms")
    with pytest.raises(DocumentNotFound):
        await accept_append(stores)


async def test_nothing_is_appended_to_a_data_file(stores: Stores) -> None:
    await stores.put(a_document(profile=Profile.MARKUP))
    with pytest.raises(CannotAppend):
        await accept_append(stores)


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("running", [False, True])
async def test_nothing_is_appended_to_a_document_that_is_being_replaced(
    stores: Stores, live: bool, running: bool
) -> None:
    if live:
        await stores.put(a_document())
    replacing = (await stores.accept(an_upload(force=True))).job
    if running:
        await stores.claim(replacing)
    with pytest.raises(DocumentBusy):
        await accept_append(stores)

    await stores.jobs.cancel(replacing.id)
    if live:
        assert (await accept_append(stores)).status is JobStatus.QUEUED


async def test_a_refused_append_leaves_its_key_unused(stores: Stores) -> None:
    key = IdempotencyKey(key="k", body_hash="1")
    with pytest.raises(DocumentNotFound):
        await accept_append(stores, key=key)
    await stores.put(a_document())
    job = await accept_append(stores, key=key)
    again = await stores.jobs.accept_append(an_upload(), in_parts(b"More."), key)
    assert (again.job.id, again.replayed) == (job.id, True)
    with pytest.raises(IdempotencyConflict):
        await accept_append(stores, key=replace(key, body_hash="2"))


async def test_what_was_ingested_before_an_append_is_not_unchanged_after_it(stores: Stores) -> None:
    await stores.commit(await stores.claimed(an_upload()), a_document())
    await accept_append(stores)
    assert not (await stores.accept(an_upload())).job.unchanged


# Taking turns


async def test_appends_run_in_the_order_in_which_they_were_accepted(stores: Stores) -> None:
    await stores.put(a_document())
    first, second = await accept_append(stores), await accept_append(stores)
    other = a_document(id="faq")
    await stores.put(other)
    elsewhere = await accept_append(stores, "faq")

    assert await claim_append(stores, second) is None
    assert await claim_append(stores, elsewhere) is not None
    claim = await claim_append(stores, first)
    assert claim is not None
    assert await claim_append(stores, second) is None  # the first one runs
    assert await stores.documents.append(claim, adding(await growing(stores)), NOTHING_SPENT) is not None
    assert await stores.jobs.next_append(first.id) == second.id
    assert await claim_append(stores, second) is not None
    assert await stores.jobs.next_append(second.id) is None


@pytest.mark.parametrize("end", [JobStatus.FAILED, JobStatus.CANCELLED])
async def test_an_append_does_not_wait_for_one_that_ended_otherwise(stores: Stores, end: JobStatus) -> None:
    await stores.put(a_document())
    first, second = await accept_append(stores), await accept_append(stores)
    claim = await claim_append(stores, first)
    assert claim is not None
    await stores.jobs.finish(claim, end)
    assert await claim_append(stores, second) is not None


async def test_an_append_does_not_wait_for_one_that_was_asked_to_stop(stores: Stores) -> None:
    await stores.put(a_document())
    first, second = await accept_append(stores), await accept_append(stores)
    assert await claim_append(stores, first) is not None
    await stores.jobs.cancel(first.id)
    assert await claim_append(stores, second) is not None


async def test_only_the_append_whose_turn_it_is_is_announced_again(stores: Stores) -> None:
    await stores.put(a_document())
    first, _ = await accept_append(stores), await accept_append(stores)
    assert await stores.jobs.stranded() == [(JobKind.APPEND, first.id, 0)]
    # A worker died over it: it is still the first one's turn.
    assert await stores.jobs.claim(first.id, "worker", lease_seconds=-1, kind=JobKind.APPEND) is not None
    assert await stores.jobs.stranded() == [(JobKind.APPEND, first.id, 1)]


async def test_an_append_whose_workers_died_gives_way(stores: Stores) -> None:
    await stores.put(a_document())
    first, second = await accept_append(stores), await accept_append(stores)
    for _ in range(MAX_TRIES):
        assert await stores.jobs.claim(first.id, "worker", lease_seconds=-1, kind=JobKind.APPEND) is not None
    assert await stores.jobs.stranded() == [(JobKind.APPEND, second.id, 0)]
    assert (await stores.jobs.job(first.id)).status is JobStatus.FAILED


# Adding


async def test_an_addition_goes_behind_what_is_stored(stores: Stores) -> None:
    await stores.put(a_document("Pay in time.", "Late fees.", needs=[("p2", "p1")]))
    before = await growing(stores)
    claim = await claimed_append(stores)
    links = (
        Link(type=LinkType.NEEDS, source="p3", target="p1"),
        Link(type=LinkType.NEEDS, source="p4", target="p3"),
    )

    job = await stores.documents.append(
        claim, adding(before, a_unit("The pump.", path=("Pumps",)), a_unit("The seal."), links=links), NOTHING_SPENT
    )

    assert job is not None
    assert (job.status, job.units, job.version) == (JobStatus.SUCCEEDED, 4, 2)
    after = await growing(stores)
    stored, was = after.stored.document, before.stored.document
    assert stored.units[:2] == was.units
    assert [(unit.id, unit.text, unit.path) for unit in stored.units[2:]] == [
        ("p3", "[Pumps]\n\nThe pump.", ("Pumps",)),
        ("p4", "The seal.", ()),
    ]
    assert set(stored.links) == {*was.links, *links}
    assert (stored.profile, stored.detected, stored.title) == (was.profile, was.detected, was.title)
    assert stored.data["added"] == 2
    assert (after.stored.version, after.highest["p"]) == (2, 4)
    assert after.origin == replace(before.origin, pieces=(Piece(3, "digest"),))
    found = await stores.index.search("default", "pump fees", space=TermSpace.EXACT, limit=9, documents=None)
    assert {hit.unit.id for hit in found.hits} == {"p2", "p3"}


async def test_no_id_of_an_addition_is_used_again(stores: Stores) -> None:
    await stores.put(a_document("One."))
    claim = await claimed_append(stores)
    await stores.documents.append(claim, adding(await growing(stores), a_unit("Two.")), NOTHING_SPENT)
    await stores.put(a_document("One."))
    await stores.put(a_document("Three."))
    assert [unit.id for unit in (await growing(stores)).stored.document.units] == ["p3"]


async def test_an_addition_to_a_version_that_is_live_no_more_changes_nothing(stores: Stores) -> None:
    await stores.put(a_document("One."))
    base = await growing(stores)
    first, second = await claimed_append(stores), await accept_append(stores)
    assert await stores.documents.append(first, adding(base, a_unit("Two.")), NOTHING_SPENT) is not None
    claim = await claim_append(stores, second)
    assert claim is not None

    assert await stores.documents.append(claim, adding(base, a_unit("Three.")), NOTHING_SPENT) is None

    assert await texts(stores) == ["One.", "Two."]
    assert (await stores.jobs.job(second.id)).status is JobStatus.RUNNING
    assert await stores.documents.append(claim, adding(await growing(stores), a_unit("Three.")), NOTHING_SPENT)
    assert await texts(stores) == ["One.", "Two.", "Three."]


async def test_an_append_that_a_later_version_overtook_changes_nothing(stores: Stores) -> None:
    await stores.put(a_document("One."))
    base, claim = await growing(stores), await claimed_append(stores)
    await stores.put(a_document("Anew."))

    job = await stores.documents.append(claim, adding(base, a_unit("Two.")), NOTHING_SPENT)

    assert job is not None
    assert (job.status, job.superseded) == (JobStatus.SUCCEEDED, True)
    assert await texts(stores) == ["Anew."]


async def test_removal_calls_appends_off(stores: Stores) -> None:
    await stores.put(a_document("One."))
    base, claim, queued = await growing(stores), await claimed_append(stores), await accept_append(stores)
    await stores.documents.remove("default", "terms")

    assert (await stores.jobs.job(queued.id)).status is JobStatus.CANCELLED
    job = await stores.documents.append(claim, adding(base, a_unit("Two.")), NOTHING_SPENT)
    assert job is not None
    assert job.status is JobStatus.CANCELLED
    with pytest.raises(DocumentNotFound):
        await growing(stores)


async def test_a_cancelled_append_changes_nothing(stores: Stores) -> None:
    await stores.put(a_document("One."))
    claim = await claimed_append(stores)
    await stores.jobs.cancel(claim.job.id)
    with pytest.raises(JobCancelled):
        await stores.documents.append(claim, adding(await growing(stores), a_unit("Two.")), NOTHING_SPENT)
    assert await texts(stores) == ["One."]


async def test_an_append_of_another_worker_changes_nothing(stores: Stores) -> None:
    await stores.put(a_document("One."))
    job = await accept_append(stores)
    lost = await stores.jobs.claim(job.id, "worker 1", lease_seconds=-1, kind=JobKind.APPEND)
    assert lost is not None
    assert await claim_append(stores, job, "worker 2") is not None
    with pytest.raises(LeaseLost):
        await stores.documents.append(lost, adding(await growing(stores), a_unit("Two.")), NOTHING_SPENT)
    assert await texts(stores) == ["One."]


async def test_how_a_document_came_to_be_is_kept_with_it(stores: Stores) -> None:
    claim = await stores.claimed(an_upload(profile="narrative"))
    result = replace(NOTHING_SPENT, pieces=(Piece(12, "digest"),))
    await stores.documents.replace(claim, a_document(), result)
    assert (await growing(stores)).origin == Origin(
        config={"max_tokens": 400}, profile="narrative", ingestion_version="1", pieces=(Piece(12, "digest"),)
    )


# Exports


def a_part(name: str, *contents: str, fingerprint: str | None = None) -> ExportPart:
    document = a_document(*contents, id=f"export/{name}")
    made_of = fingerprint if fingerprint is not None else "".join(contents)
    return ExportPart(document=document, fingerprint=made_of.encode(), origin=Origin(ingestion_version="1"))


async def an_export(stores: Stores, *parts: ExportPart) -> Job:
    """Ingest an export as a worker does."""
    claim = await stores.claimed(an_upload("export", force=True))
    for part in parts:
        await stores.documents.put_part(claim, part)
    ids = tuple(part.document.id for part in parts)
    return await stores.documents.finish_export(claim, len(parts), replace(NOTHING_SPENT, documents=ids))


async def live(stores: Stores) -> list[str]:
    found, _ = await stores.documents.documents("default", Page(None, 50))
    return [summary.id for summary in found]


async def test_the_parts_of_an_export_are_documents(stores: Stores) -> None:
    job = await an_export(stores, a_part("a", "Pump."), a_part("b", "Seal.", "Lid."))

    assert (job.status, job.document, job.documents, job.units) == (
        JobStatus.SUCCEEDED,
        "export",
        ("export/a", "export/b"),
        2,
    )
    assert await live(stores) == ["export/a", "export/b"]
    assert await texts(stores, "export/b") == ["Seal.", "Lid."]
    assert (await growing(stores, "export/a")).origin == Origin(ingestion_version="1")
    with pytest.raises(DocumentNotFound):
        await growing(stores, "export")


async def test_a_part_is_there_before_the_export_is_done(stores: Stores) -> None:
    claim = await stores.claimed(an_upload("export"))
    await stores.documents.put_part(claim, a_part("a", "Pump."))
    assert await texts(stores, "export/a") == ["Pump."]
    assert (await stores.jobs.job(claim.job.id)).status is JobStatus.RUNNING


async def test_a_part_made_of_the_same_is_kept(stores: Stores) -> None:
    await an_export(stores, a_part("a", "Pump.", "Lid."))
    claim = await stores.claimed(an_upload("export", force=True))

    assert await stores.documents.keep_part(claim, "export/a", b"Pump.Lid.") == KeptPart(made_by=1, units=2)
    # From now on it is one of this version.
    assert await stores.documents.keep_part(claim, "export/a", b"Pump.Lid.") == KeptPart(made_by=2, units=2)
    assert await stores.documents.keep_part(claim, "export/a", b"Seal.") is None
    assert await stores.documents.keep_part(claim, "export/b", b"Pump.Lid.") is None


async def test_a_part_that_was_appended_to_is_not_the_same(stores: Stores) -> None:
    await an_export(stores, a_part("a", "Pump."))
    append = await claimed_append(stores, "export/a")
    base = await growing(stores, "export/a")
    assert await stores.documents.append(append, adding(base, a_unit("Seal.")), NOTHING_SPENT) is not None
    claim = await stores.claimed(an_upload("export", force=True))
    assert await stores.documents.keep_part(claim, "export/a", b"Pump.") is None


async def test_a_document_that_is_no_part_is_not_kept_as_one(stores: Stores) -> None:
    await stores.put(a_document("Pump.", id="export/a"))
    claim = await stores.claimed(an_upload("export"))
    assert await stores.documents.keep_part(claim, "export/a", b"Pump.") is None


async def test_parts_that_a_later_export_does_not_hold_stay(stores: Stores) -> None:
    await an_export(stores, a_part("a", "Pump."), a_part("b", "Seal."))
    await an_export(stores, a_part("b", "Lid."))
    assert await live(stores) == ["export/a", "export/b"]
    assert await texts(stores, "export/b") == ["Lid."]


async def test_the_later_accepted_export_wins_whoever_writes_first(stores: Stores) -> None:
    older = await stores.claimed(an_upload("export", force=True))
    newer = await stores.claimed(an_upload("export", force=True))
    await stores.documents.put_part(newer, a_part("a", "New."))
    await stores.documents.put_part(older, a_part("a", "Old."))
    await stores.documents.put_part(older, a_part("b", "Old, too."))
    assert await texts(stores, "export/a") == ["New."]
    assert await texts(stores, "export/b") == ["Old, too."]


async def test_a_kept_part_is_not_overwritten_by_an_older_export(stores: Stores) -> None:
    await an_export(stores, a_part("a", "Same."))
    older = await stores.claimed(an_upload("export", force=True))
    newer = await stores.claimed(an_upload("export", force=True))
    assert await stores.documents.keep_part(newer, "export/a", b"Same.") is not None
    await stores.documents.put_part(older, a_part("a", "Other."))
    assert await texts(stores, "export/a") == ["Same."]


async def test_removing_an_export_removes_its_parts(stores: Stores) -> None:
    await stores.put(a_document("By itself.", id="export/own"))
    await an_export(stores, a_part("a", "Pump."), a_part("b", "Seal."))
    append = await claimed_append(stores, "export/a")
    base = await growing(stores, "export/a")

    await stores.documents.remove("default", "export")

    assert await live(stores) == ["export/own"]
    ended = await stores.documents.append(append, adding(base, a_unit("Lid.")), NOTHING_SPENT)
    assert ended is not None
    assert ended.status is JobStatus.CANCELLED
    with pytest.raises(DocumentNotFound):
        await stores.documents.remove("default", "export")


async def test_a_removed_part_can_be_made_again(stores: Stores) -> None:
    await an_export(stores, a_part("a", "Pump."), a_part("b", "Seal."))
    await stores.documents.remove("default", "export/a")
    assert await live(stores) == ["export/b"]
    claim = await stores.claimed(an_upload("export", force=True))
    assert await stores.documents.keep_part(claim, "export/a", b"Pump.") is None
    await stores.documents.put_part(claim, a_part("a", "Pump."))
    assert await live(stores) == ["export/a", "export/b"]


async def test_removal_stops_an_export_that_is_being_written(stores: Stores) -> None:
    claim = await stores.claimed(an_upload("export"))
    await stores.documents.put_part(claim, a_part("a", "Pump."))
    await stores.documents.remove("default", "export")
    with pytest.raises(JobCancelled):
        await stores.documents.put_part(claim, a_part("b", "Seal."))
    with pytest.raises(JobCancelled):
        await stores.documents.finish_export(claim, 2, NOTHING_SPENT)
    assert await live(stores) == []


async def test_an_export_takes_the_place_of_the_one_document_before(stores: Stores) -> None:
    older = await stores.claimed(an_upload("export", force=True))
    await stores.put(a_document("All in one.", id="export"))
    await an_export(stores, a_part("a", "Pump."))
    assert await live(stores) == ["export/a"]
    # What was accepted before the export does not come back.
    assert (await stores.commit(older, a_document("Older.", id="export"))).superseded
    assert await live(stores) == ["export/a"]


async def test_an_export_of_another_worker_writes_nothing(stores: Stores) -> None:
    job = (await stores.accept(an_upload("export"))).job
    lost = await stores.claim(job, "worker 1", lease_seconds=-1)
    await stores.claim(job, "worker 2")
    with pytest.raises(LeaseLost):
        await stores.documents.put_part(lost, a_part("a", "Pump."))
    with pytest.raises(LeaseLost):
        await stores.documents.finish_export(lost, 1, NOTHING_SPENT)
    assert await live(stores) == []


async def test_a_part_is_not_appended_to_while_its_export_is_ingested_anew(stores: Stores) -> None:
    await an_export(stores, a_part("a", "Pump."))
    await stores.accept(an_upload("export", force=True))
    with pytest.raises(DocumentBusy):
        await accept_append(stores, "export/a")


async def test_an_export_accepted_again_unchanged_names_its_documents(stores: Stores) -> None:
    claim = await stores.claimed(an_upload("export"))
    await stores.documents.put_part(claim, a_part("a", "Pump."))
    await stores.documents.finish_export(claim, 1, replace(NOTHING_SPENT, documents=("export/a",)))
    again = (await stores.accept(an_upload("export"))).job
    assert (again.unchanged, again.documents, again.unchanged_documents, again.units) == (True, ("export/a",), 1, 1)
