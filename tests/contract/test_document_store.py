"""What every `DocumentStore` does."""

from dataclasses import replace

import pytest

from app.documents.document import Link, LinkType, Page
from app.documents.entry_property import Property
from app.documents.job import DecisionUse, JobResult, JobStatus
from app.documents.profile import Detected, DetectedBy, Profile
from app.errors import (
    DocumentNotFound,
    InvalidRequest,
    JobCancelled,
    LeaseLost,
    PreconditionFailed,
)
from app.ports.document_store import Linked
from tests.builders import a_document, a_unit, an_entry
from tests.contract.conftest import Stores, an_upload

pytestmark = pytest.mark.anyio


async def test_a_document_comes_back_as_it_was_put(stores: Stores) -> None:
    document = replace(
        a_document(
            units=[
                a_unit("Press start.", id="p1", path=("Pump", "Use"), start=4, end=16),
                a_unit("Then wait — 5 s.", id="p2", page=3),
            ],
            needs=[("p2", "p1")],
            language="en-GB",
        ),
        detected=Detected(profile=Profile.PROCEDURAL, score=0.75, by=DetectedBy.OFFLINE),
        data={"outline": [{"block": 0, "title": "Pump", "level": 1}], "sections": {"Pump": "procedural"}},
        metadata={"owner": "Ada", "tags": ["a", "b"]},
        encoding="utf-8",
    )

    job = await stores.put(document)
    stored = await stores.documents.document("default", "terms")

    assert stored.document == document
    assert (stored.version, stored.collection) == (1, "default")
    assert (job.status, job.units, job.version, job.finished_at is None) == (JobStatus.SUCCEEDED, 2, 1, False)


async def test_what_a_job_found_out_is_kept_with_it(stores: Stores) -> None:
    claim = await stores.claimed(an_upload())
    use = DecisionUse(model="offline-1", requests=2, questions=7, cached=1, unanswered=1, input_tokens=30, cost_usd=0.5)

    finished = await stores.documents.replace(
        claim, a_document(), JobResult(decisions=use, degraded=("needs",), warnings=("It was empty.",))
    )

    assert (finished.decisions, finished.degraded, finished.warnings) == (use, ("needs",), ("It was empty.",))
    assert await stores.jobs.job(finished.id) == finished


async def test_a_new_version_replaces_the_old_one(stores: Stores) -> None:
    await stores.put(a_document("Pay in time.", "Keep the receipt.", needs=[("p2", "p1")]))
    before = await stores.documents.document("default", "terms")
    await stores.put(a_document("Pay at once."))
    after = await stores.documents.document("default", "terms")

    assert [unit.text for unit in after.document.units] == ["Pay at once."]
    assert after.document.links == ()
    assert (after.version, after.created_at) == (2, before.created_at)
    assert after.updated_at > before.updated_at


async def test_a_document_without_units_is_a_document(stores: Stores) -> None:
    await stores.put(a_document(units=[]))
    assert (await stores.documents.document("default", "terms")).document.units == ()
    assert await stores.documents.units("default", "terms", Page(None, 10)) == ([], None)


async def test_equal_text_keeps_its_id_and_links_follow(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two.", "Three."))
    await stores.put(a_document("Zero.", "Three.", "One.", needs=[("p2", "p1"), ("p3", "p2")]))
    stored = (await stores.documents.document("default", "terms")).document

    # Zero. is new: numbers up to 3 have been used.
    assert [(unit.id, unit.text) for unit in stored.units] == [("p4", "Zero."), ("p3", "Three."), ("p1", "One.")]
    assert {(link.source, link.target) for link in stored.links} == {("p3", "p4"), ("p1", "p3")}


async def test_no_id_is_used_again_for_another_text(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two."))
    await stores.put(a_document("One."))
    await stores.documents.remove("default", "terms")
    await stores.put(a_document("Two."))
    stored = (await stores.documents.document("default", "terms")).document

    assert [unit.id for unit in stored.units] == ["p3"]


async def test_unknown_documents_are_not_found(stores: Stores) -> None:
    await stores.put(a_document())
    for collection, document in [("default", "other"), ("other", "terms"), ("", ""), ("ä", "é" * 600)]:
        with pytest.raises(DocumentNotFound):
            await stores.documents.document(collection, document)
        with pytest.raises(DocumentNotFound):
            await stores.documents.units(collection, document, Page(None, 10))
        with pytest.raises(DocumentNotFound):
            await stores.documents.remove(collection, document)


async def test_documents_are_listed_by_id_in_pages(stores: Stores) -> None:
    for name in ["b", "a", "ä", "B", "a/1"]:
        await stores.put(a_document(id=name, title=name.upper()))
    await stores.put(a_document(id="elsewhere"), collection="other")

    first, cursor = await stores.documents.documents("default", Page(None, 3))
    rest, end = await stores.documents.documents("default", Page(cursor, 3))

    # By code point, whatever the locale.
    assert [summary.id for summary in (*first, *rest)] == ["B", "a", "a/1", "b", "ä"]
    assert end is None
    assert (first[0].title, first[0].units, first[0].version, first[0].profile) == ("B", 1, 1, Profile.GUIDANCE)
    assert await stores.documents.documents("unknown", Page(None, 3)) == ([], None)


async def test_units_come_in_pages_in_document_order(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two.", "Three."))

    first, cursor = await stores.documents.units("default", "terms", Page(None, 2))
    rest, end = await stores.documents.units("default", "terms", Page(cursor, 2))

    assert [(hit.ordinal, hit.unit.text) for hit in (*first, *rest)] == [(0, "One."), (1, "Two."), (2, "Three.")]
    assert end is None


async def test_a_cursor_into_an_older_version_is_refused(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two.", "Three."))
    _, cursor = await stores.documents.units("default", "terms", Page(None, 2))
    await stores.put(a_document("Four.", "Five.", "Six."))

    with pytest.raises(InvalidRequest):
        await stores.documents.units("default", "terms", Page(cursor, 2))


@pytest.mark.parametrize("cursor", ["", "x", "!!", "bnVsbA==", "WzEsMiwzXQ==", "Ä"])
async def test_a_cursor_of_somebody_elses_making_is_refused(stores: Stores, cursor: str) -> None:
    await stores.put(a_document())
    with pytest.raises(InvalidRequest):
        await stores.documents.documents("default", Page(cursor, 2))
    with pytest.raises(InvalidRequest):
        await stores.documents.units("default", "terms", Page(cursor, 2))


async def test_units_are_found_by_id_in_the_order_asked(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two."))
    await stores.put(a_document("Three.", id="faq"))

    hits = await stores.documents.units_by_id(
        "default", [("faq", "p1"), ("terms", "p9"), ("none", "p1"), ("terms", "p2"), ("terms", "p1")]
    )

    assert [hit.unit.text for hit in hits] == ["Three.", "Two.", "One."]
    assert await stores.documents.units_by_id("other", [("faq", "p1")]) == []
    assert await stores.documents.units_by_id("default", []) == []


async def test_links_lead_from_units_to_units(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two.", "Three.", needs=[("p2", "p1"), ("p3", "p1"), ("p3", "p2")]))
    one, two, three = await stores.documents.units_by_id("default", [("terms", "p1"), ("terms", "p2"), ("terms", "p3")])

    needs = LinkType.NEEDS
    links = await stores.documents.linked([three, one, two], [needs])

    assert links == [Linked(needs, three, one), Linked(needs, three, two), Linked(needs, two, one)]
    assert await stores.documents.linked([three], []) == []
    assert await stores.documents.linked([], [needs]) == []


async def test_links_arrive_at_units_of_the_types_that_are_followed_backwards(stores: Stores) -> None:
    links = [Link(type=LinkType.REF, source=source, target=target) for source, target in [("p1", "p2"), ("p3", "p2")]]
    document = a_document("One.", "Two.", "Three.", needs=[("p2", "p1"), ("p3", "p2")])
    await stores.put(replace(document, links=(*document.links, *links)))
    one, two, three = await stores.documents.units_by_id("default", [("terms", "p1"), ("terms", "p2"), ("terms", "p3")])

    found = await stores.documents.linked([two, one], [LinkType.NEEDS, LinkType.REF], arriving=[LinkType.REF])

    assert found == [
        Linked(LinkType.NEEDS, two, one),
        Linked(LinkType.REF, two, one, arrives=True),
        Linked(LinkType.REF, two, three, arrives=True),
        Linked(LinkType.REF, one, two),
    ]
    assert await stores.documents.linked([two], [], arriving=[LinkType.NEEDS]) == [
        Linked(LinkType.NEEDS, two, three, arrives=True)
    ]


async def test_of_many_links_of_a_type_the_first_fifty_are_followed(stores: Stores) -> None:
    units = [a_unit(f"Unit {n}.", id=f"p{n}") for n in range(1, 62)]
    links = [Link(type=LinkType.REF, source=f"p{n}", target="p1") for n in range(2, 62)]
    links += [Link(type=LinkType.NEEDS, source="p1", target="p61")]
    links += [Link(type=LinkType.REF, source="p1", target=f"p{n}") for n in range(2, 62)]
    await stores.put(replace(a_document(units=units), links=tuple(links)))
    (one,) = await stores.documents.units_by_id("default", [("terms", "p1")])

    found = await stores.documents.linked([one], [LinkType.REF, LinkType.NEEDS], arriving=[LinkType.REF])

    first_fifty = list(range(1, 51))
    assert [link.other.ordinal for link in found] == [60, *first_fifty, *first_fifty]


async def test_links_of_a_replaced_version_are_left_out(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two.", needs=[("p2", "p1")]))
    (two,) = await stores.documents.units_by_id("default", [("terms", "p2")])
    await stores.put(a_document("One.", "Two.", needs=[("p2", "p1")]))

    assert await stores.documents.linked([two], [LinkType.NEEDS]) == []


async def test_what_stands_around_units_comes_once_in_document_order(stores: Stores) -> None:
    await stores.put(a_document("One.", "Two.", "Three.", "Four.", "Five.", "Six."))
    await stores.put(a_document("Seven.", "Eight.", "Nine.", id="faq"))
    asked = await stores.documents.units_by_id("default", [("faq", "p1"), ("terms", "p5"), ("terms", "p3")])

    async def around(reach: int) -> list[str]:
        return [hit.unit.text for hit in await stores.documents.around(asked, reach)]

    assert await around(1) == ["Two.", "Three.", "Four.", "Five.", "Six.", "Seven.", "Eight."]
    assert await around(0) == ["Three.", "Five.", "Seven."]
    assert await stores.documents.around([], 3) == []
    await stores.put(a_document("Seven.", "Eight.", id="faq"))
    assert await around(0) == ["Three.", "Five."]


MEMBERS = [
    an_entry(
        "Path.walk", "Walks.", id="e1", parameters=["top_down", "follow_symlinks"], versions=["added in version 3.12"]
    ),
    an_entry("Path.rglob", "Searches.", id="e2", parameters=["pattern", "follow_symlinks"]),
    an_entry("open", "Opens.", id="e3", Returns="a file"),
    a_unit("Path.walk is not an entry.", id="p1"),
]


async def test_entries_are_found_by_their_own_names_in_a_text(stores: Stores) -> None:
    await stores.put(a_document(units=MEMBERS, id="paths"))
    await stores.put(a_document(units=[an_entry("walk", "On foot.")], id="sports"))
    asked = await stores.documents.units_by_id("default", [("paths", "p1"), ("paths", "e1")])

    found = await stores.documents.entries_named(asked, "Is WALK() or Path.rglob better? I reopened it.")

    assert [hit.unit.id for hit in found] == ["e2", "e1", "e3"]
    assert await stores.documents.entries_named(asked, "Which is best?") == []
    assert await stores.documents.entries_named([], "walk") == []
    await stores.put(a_document(units=MEMBERS, id="paths"))
    assert await stores.documents.entries_named(asked, "walk") == []


async def test_field_values_are_found_in_a_text_with_how_many_entries_have_them(stores: Stores) -> None:
    await stores.put(a_document(units=MEMBERS, id="paths"))
    asked = await stores.documents.units_by_id("default", [("paths", "e1")])

    found = await stores.documents.properties_held(asked, "Which take follow_symlinks or were new in 3.12?")

    version = Property("versions", "added in version 3.12", 1)
    assert found == [version, Property("parameters", "follow_symlinks", 2)]
    assert await stores.documents.properties_held(asked, "returns a FILE") == [Property("Returns", "a file", 1)]
    having = Property("parameters", "follow_symlinks", 2)
    assert [hit.unit.id for hit in await stores.documents.entries_with(asked, having, 30)] == ["e1", "e2"]
    assert [hit.unit.id for hit in await stores.documents.entries_with(asked, having, 1)] == ["e1"]
    assert [hit.unit.id for hit in await stores.documents.entries_with(asked, Property("Returns", "a file", 1), 9)] == [
        "e3"
    ]
    assert await stores.documents.entries_with(asked, Property("versions", "follow_symlinks", 1), 9) == []


async def test_a_removed_document_is_gone_at_once(stores: Stores) -> None:
    await stores.put(a_document())
    await stores.documents.remove("default", "terms")

    with pytest.raises(DocumentNotFound):
        await stores.documents.document("default", "terms")
    assert await stores.documents.documents("default", Page(None, 10)) == ([], None)
    with pytest.raises(DocumentNotFound):
        await stores.documents.remove("default", "terms")


async def test_a_removed_document_comes_back_as_the_next_version(stores: Stores) -> None:
    await stores.put(a_document())
    await stores.documents.remove("default", "terms")
    job = (await stores.accept(an_upload())).job
    assert (job.unchanged, job.version) == (False, 2)
    await stores.commit(await stores.claim(job), a_document())

    stored = await stores.documents.document("default", "terms")
    assert (stored.version, stored.created_at) == (2, stored.updated_at)


async def test_removal_can_depend_on_the_version(stores: Stores) -> None:
    await stores.put(a_document())
    with pytest.raises(PreconditionFailed):
        await stores.documents.remove("default", "terms", if_version=2)
    await stores.documents.remove("default", "terms", if_version=1)
    with pytest.raises(DocumentNotFound):
        await stores.documents.document("default", "terms")


async def test_removal_calls_off_jobs_that_would_bring_it_back(stores: Stores) -> None:
    running = await stores.claimed(an_upload(content_hash="b" * 64))
    queued = (await stores.accept(an_upload(content_hash="c" * 64))).job

    await stores.documents.remove("default", "terms")

    assert (await stores.jobs.job(queued.id)).status is JobStatus.CANCELLED
    ended = await stores.commit(running, a_document())
    assert ended.status is JobStatus.CANCELLED
    with pytest.raises(DocumentNotFound):
        await stores.documents.document("default", "terms")
    with pytest.raises(DocumentNotFound):
        await stores.documents.remove("default", "terms")


async def test_what_was_accepted_after_a_removal_counts(stores: Stores) -> None:
    early = await stores.claimed(an_upload(content_hash="b" * 64))
    await stores.documents.remove("default", "terms")
    late = await stores.claimed(an_upload(content_hash="c" * 64))

    await stores.commit(late, a_document("Late."))
    assert (await stores.commit(early, a_document("Early."))).status is JobStatus.CANCELLED
    assert (await stores.documents.document("default", "terms")).document.units[0].text == "Late."


async def test_the_later_accepted_version_wins_whoever_finishes_first(stores: Stores) -> None:
    early = await stores.claimed(an_upload(content_hash="b" * 64))
    late = await stores.claimed(an_upload(content_hash="c" * 64))

    won = await stores.commit(late, a_document("Late."))
    overtaken = await stores.commit(early, a_document("Early.", "Early too."))

    assert (won.status, won.superseded, won.version) == (JobStatus.SUCCEEDED, False, 2)
    assert (overtaken.status, overtaken.superseded, overtaken.units) == (JobStatus.SUCCEEDED, True, None)
    stored = await stores.documents.document("default", "terms")
    assert (stored.version, stored.document.units[0].text) == (2, "Late.")


async def test_versions_that_commit_in_order_follow_each_other(stores: Stores) -> None:
    early = await stores.claimed(an_upload(content_hash="b" * 64))
    late = await stores.claimed(an_upload(content_hash="c" * 64))

    await stores.commit(early, a_document("Early."))
    assert (await stores.documents.document("default", "terms")).version == 1
    assert not (await stores.commit(late, a_document("Late."))).superseded
    assert (await stores.documents.document("default", "terms")).version == 2


async def test_a_cancelled_job_changes_nothing(stores: Stores) -> None:
    await stores.put(a_document("Before."))
    claim = await stores.claimed(an_upload(force=True))
    await stores.jobs.cancel(claim.job.id)

    with pytest.raises(JobCancelled):
        await stores.commit(claim, a_document("After."))
    assert (await stores.documents.document("default", "terms")).document.units[0].text == "Before."


async def test_a_worker_whose_lease_went_to_another_changes_nothing(stores: Stores) -> None:
    job = (await stores.accept(an_upload())).job
    lost = await stores.claim(job, "first", lease_seconds=-1)
    second = await stores.claim(job, "second")

    with pytest.raises(LeaseLost):
        await stores.commit(lost, a_document("From the first."))
    await stores.commit(second, a_document("From the second."))
    with pytest.raises(LeaseLost):
        await stores.commit(second, a_document("Once more."))
    assert (await stores.documents.document("default", "terms")).document.units[0].text == "From the second."
