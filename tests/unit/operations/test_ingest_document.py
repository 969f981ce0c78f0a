import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.chunking.questions import ContinuesSubject, DependsOn
from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.decision import Answer, Question
from app.documents.document import Link, LinkType
from app.documents.job import JobStage, JobStatus
from app.documents.profile import Detected, DetectedBy, Profile
from app.errors import DatabaseUnavailable, JobCancelled, LeaseLost, MalformedDocument
from app.linking.questions import DefinesTerms, NeedsPrevious, UsesDefinedTerm
from app.operations.ingest_document import NO_TEXT, IngestDocument
from app.operations.structure_prose import title_of
from app.ports.decision_model import DecisionModel
from app.ports.reader_runner import ReaderRunner, Source
from app.profiling.questions import SectionProfile
from tests.fakes.one_job import OneJob, an_upload
from tests.fakes.readers import StaticReader
from tests.fakes.scripted_model import ScriptedModel, chosen, unavailable, yes

pytestmark = pytest.mark.anyio

#: One second of a job's time is this much of a test's.
SCALE = 0.001


class FastClock:
    """A clock by which everything takes a thousandth of the time."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time() / SCALE

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds * SCALE)


class EndlessReader:
    """Never returns, and knows when it was stopped."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.stopped = False

    async def read(self, source: Source) -> ParsedDocument:
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        raise AssertionError


def heading(text: str, level: int) -> Block:
    return Block(type=BlockType.HEADING, text=text, level=level)


def paragraph(text: str) -> Block:
    return Block(type=BlockType.PARAGRAPH, text=text)


#: Over `max_tokens: 100` by its two sections together, and under it by each.
MANUAL = ParsedDocument(
    blocks=(
        heading("Pump manual", 1),
        heading("Install", 2),
        paragraph("Bolt the pump to the floor. " * 12),
        heading("Use", 2),
        paragraph("Press start and wait for the light. " * 10),
    ),
    language="en",
    encoding="utf-8",
    warnings=("One byte was replaced.",),
)


def ingest(job: OneJob, reader: ReaderRunner, model: DecisionModel | None = None) -> IngestDocument:
    return IngestDocument(
        jobs=job.as_jobs(),
        documents=job.as_documents(),
        reader=reader,
        decisions=model,
        cache=None,
        clock=FastClock(),
        max_questions=1000,
        max_tries=3,
        lease_seconds=30.0,
    )


def manual_script(question: Question) -> Answer | None:
    match question:
        case SectionProfile(title="Install"):
            return chosen("procedural", 0.7)
        case SectionProfile():
            return chosen("guidance", 0.6)
        case NeedsPrevious():
            return yes(0.8)
        case ContinuesSubject() | DependsOn():
            return yes(1.0)
    return None


async def test_a_document_is_read_cut_profiled_linked_and_handed_to_the_store() -> None:
    job = OneJob(upload=an_upload(config={"max_tokens": 100}, metadata={"team": "pumps"}, warnings=("Noticed.",)))
    reader = StaticReader(MANUAL)
    model = ScriptedModel(manual_script)

    assert await ingest(job, reader, model).run("job_1", "worker-a") is JobStatus.SUCCEEDED

    assert reader.read_from == Source(
        data=b"# Pump\n\nPress start.\n", format="markdown", declared=False, split_conversations=True
    )
    document, result = job.document, job.result
    assert document is not None
    assert result is not None
    assert [(unit.id, unit.path) for unit in document.units] == [
        ("p1", ("Pump manual", "Install")),
        ("p2", ("Pump manual", "Use")),
    ]
    assert [unit.meta["profile"] for unit in document.units] == ["procedural", "guidance"]
    assert document.links == (Link(type=LinkType.NEEDS, source="p2", target="p1"),)
    assert document.data == {
        "outline": [
            {"block": 0, "title": "Pump manual", "level": 1},
            {"block": 1, "title": "Install", "level": 2},
            {"block": 3, "title": "Use", "level": 2},
        ],
        "sections": {"Install": "procedural", "Use": "guidance"},
    }
    assert (document.id, document.title, document.format) == ("manual", "Pump manual", "markdown")
    assert (document.language, document.encoding, document.metadata) == ("en", "utf-8", {"team": "pumps"})
    assert result.warnings == ("Noticed.", "One byte was replaced.")
    assert result.degraded == ()
    assert result.decisions.model == "scripted-1"


async def test_the_documents_profile_is_that_of_most_of_its_text_and_says_who_found_it() -> None:
    job = OneJob(upload=an_upload(config={"max_tokens": 100}))
    model = ScriptedModel(manual_script, offline=True)

    await ingest(job, StaticReader(MANUAL), model).run("job_1", "worker-a")

    # 10 sentences of 36 characters against 12 of 28.
    assert job.document is not None
    assert job.document.detected == Detected(Profile.GUIDANCE, 0.6, DetectedBy.OFFLINE)
    assert job.document.profile is Profile.GUIDANCE


async def test_the_stages_are_recorded_in_order() -> None:
    job = OneJob(upload=an_upload(config={"max_tokens": 100}))

    await ingest(job, StaticReader(MANUAL), ScriptedModel(manual_script)).run("job_1", "worker-a")

    stages = list(dict.fromkeys(stage for stage, _, _ in job.progress))
    assert stages == [JobStage.READ, JobStage.STRUCTURE, JobStage.DECIDE, JobStage.INDEX, JobStage.COMMIT]
    assert (JobStage.DECIDE, 2, 2) in job.progress  # both sections were asked about


async def test_all_sections_are_asked_about_in_one_request() -> None:
    job = OneJob(upload=an_upload(config={"max_tokens": 100}))
    model = ScriptedModel(manual_script)

    await ingest(job, StaticReader(MANUAL), model).run("job_1", "worker-a")

    assert [question.title for question in model.asked_of(SectionProfile)] == ["Install", "Use"]  # type: ignore[attr-defined]  # asked_of returns only those


async def test_a_profile_named_by_the_caller_is_not_asked_about() -> None:
    job = OneJob(upload=an_upload(profile="normative", config={"max_tokens": 100}))
    model = ScriptedModel(manual_script)

    await ingest(job, StaticReader(MANUAL), model).run("job_1", "worker-a")

    assert model.asked_of(SectionProfile) == []
    assert job.document is not None
    assert job.document.detected == Detected(Profile.NORMATIVE, None, DetectedBy.CALLER)
    assert [unit.meta["profile"] for unit in job.document.units] == ["normative", "normative"]


@pytest.mark.parametrize("model", [None, ScriptedModel(unavailable)])
async def test_without_answers_the_document_is_usable_and_says_what_is_missing(model: DecisionModel | None) -> None:
    job = OneJob(upload=an_upload(config={"max_tokens": 100}))

    assert await ingest(job, StaticReader(MANUAL), model).run("job_1", "worker-a") is JobStatus.SUCCEEDED

    assert job.document is not None
    assert job.result is not None
    assert len(job.document.units) == 2
    assert job.document.detected == Detected(Profile.GUIDANCE, None, DetectedBy.DEFAULT)
    assert job.document.links == ()
    assert {"profiles", "needs"} <= set(job.result.degraded)


CONTRACT = ParsedDocument(
    blocks=(
        heading("Terms", 1),
        heading("1 Definitions", 2),
        paragraph('"Retainer" means the yearly amount. ' * 12),
        heading("2 Payment", 2),
        paragraph("The Retainer is paid in March, see Section 3. " * 8),
        heading("3 Delays", 2),
        paragraph("Whoever is late is reminded first. " * 12),
    )
)


async def test_a_contract_is_linked_by_its_numbers_and_its_definitions() -> None:
    def script(question: Question) -> Answer | None:
        match question:
            case DefinesTerms(passage=passage):
                return yes(0.9 if "means" in passage else 0.2)
            case UsesDefinedTerm(passage=passage, definition=definition):
                return yes(0.6 if "is paid" in passage and "means" in definition else 0.4)
            case NeedsPrevious():
                return yes(0.1)
        return manual_script(question)

    job = OneJob(upload=an_upload(profile="normative", config={"max_tokens": 100}))

    await ingest(job, StaticReader(CONTRACT), ScriptedModel(script)).run("job_1", "worker-a")

    assert job.document is not None
    assert job.result is not None
    assert [unit.path[1] for unit in job.document.units] == ["1 Definitions", "2 Payment", "3 Delays"]
    assert job.document.links == (
        Link(type=LinkType.REFERS_TO, source="p2", target="p3"),
        Link(type=LinkType.DEFINED_BY, source="p2", target="p1"),
    )
    assert job.result.degraded == ()


async def test_references_are_linked_without_a_decision_model() -> None:
    job = OneJob(upload=an_upload(profile="normative", config={"max_tokens": 100}))

    await ingest(job, StaticReader(CONTRACT)).run("job_1", "worker-a")

    assert job.document is not None
    assert job.result is not None
    assert job.document.links == (Link(type=LinkType.REFERS_TO, source="p2", target="p3"),)
    assert {"needs", "defined_by"} <= set(job.result.degraded)
    assert "refers_to" not in job.result.degraded


async def test_an_aside_belongs_to_its_section() -> None:
    aside = ParsedDocument(
        blocks=(heading("Pump", 1), paragraph("Press start."), heading("Note", 2), paragraph("Mind the step."))
    )
    job = OneJob()

    await ingest(job, StaticReader(aside)).run("job_1", "worker-a")

    assert job.document is not None
    assert [unit.path for unit in job.document.units] == [("Pump",)]
    assert job.document.data["outline"] == [{"block": 0, "title": "Pump", "level": 1}]
    assert job.document.units[0].meta["blocks"] == [1, 2, 3]
    assert "Note" in job.document.units[0].text


async def test_a_document_without_text_succeeds_with_a_warning() -> None:
    job = OneJob()

    status = await ingest(job, StaticReader(ParsedDocument(blocks=())), ScriptedModel(manual_script)).run("job_1", "w")

    assert status is JobStatus.SUCCEEDED
    assert job.document is not None
    assert job.result is not None
    assert job.document.units == ()
    assert job.result.warnings == (NO_TEXT,)


async def test_a_document_that_is_refused_fails_the_job_with_the_readers_reason() -> None:
    job = OneJob()
    reader = StaticReader(MalformedDocument("Line 3 holds a PNG image."))

    assert await ingest(job, reader).run("job_1", "worker-a") is JobStatus.FAILED

    assert job.finished is not None
    status, error = job.finished
    assert status is JobStatus.FAILED
    assert error is not None
    assert error["status"] == 422
    assert error["detail"] == "Line 3 holds a PNG image."
    assert job.document is None


async def test_a_dependency_that_is_away_costs_no_attempt() -> None:
    job = OneJob()

    with pytest.raises(DatabaseUnavailable):
        await ingest(job, StaticReader(DatabaseUnavailable("Away."))).run("job_1", "worker-a")

    assert job.released is False
    assert job.finished is None


async def test_an_unforeseen_failure_is_tried_again() -> None:
    job = OneJob(attempt=2)

    with pytest.raises(ZeroDivisionError):
        await ingest(job, StaticReader(ZeroDivisionError("secret"))).run("job_1", "worker-a")

    assert job.released is True
    assert job.finished is None


async def test_after_the_last_attempt_an_unforeseen_failure_ends_the_job_without_internals() -> None:
    job = OneJob(attempt=3)

    with pytest.raises(ZeroDivisionError):
        await ingest(job, StaticReader(ZeroDivisionError("secret"))).run("job_1", "worker-a")

    assert job.released is None
    assert job.finished is not None
    status, error = job.finished
    assert status is JobStatus.FAILED
    assert error is not None
    assert error["status"] == 500
    assert "secret" not in str(error)
    assert "ZeroDivision" not in str(error)


async def test_a_request_to_stop_ends_the_work_that_runs() -> None:
    reader = EndlessReader()
    job = OneJob()
    operation = ingest(job, reader)
    running = asyncio.create_task(operation.run("job_1", "worker-a"))
    await reader.started.wait()

    def refuse(_stage: JobStage | None) -> None:
        raise JobCancelled("Asked to stop.")

    job.on_beat = refuse

    assert await running is JobStatus.CANCELLED
    assert job.finished == (JobStatus.CANCELLED, None)
    assert reader.stopped


async def test_a_job_that_another_worker_took_is_left_to_it() -> None:
    reader = EndlessReader()
    job = OneJob()
    running = asyncio.create_task(ingest(job, reader).run("job_1", "worker-a"))
    await reader.started.wait()

    def lost(_stage: JobStage | None) -> None:
        raise LeaseLost("Taken over.")

    job.on_beat = lost

    with pytest.raises(LeaseLost):
        await running
    assert reader.stopped
    assert (job.finished, job.released, job.document) == (None, None, None)


async def test_a_job_that_cannot_be_had_is_left_alone() -> None:
    job = OneJob()

    assert await ingest(job, StaticReader(MANUAL)).run("job_2", "worker-a") is None
    assert job.progress == []


async def test_a_database_that_is_away_for_less_than_the_lease_stops_nothing() -> None:
    job = OneJob()
    failures = iter([True])

    def fail_once(_stage: JobStage | None) -> None:
        if next(failures, False):
            raise DatabaseUnavailable("Away.")

    class SlowReader:
        async def read(self, source: Source) -> ParsedDocument:
            job.on_beat = fail_once
            seen = job.beats
            while job.beats < seen + 3:
                await asyncio.sleep(0.001)
            return MANUAL

    assert await ingest(job, SlowReader()).run("job_1", "worker-a") is JobStatus.SUCCEEDED


async def test_a_database_that_is_away_for_a_whole_lease_ends_the_attempt() -> None:
    reader = EndlessReader()
    job = OneJob()
    running = asyncio.create_task(ingest(job, reader).run("job_1", "worker-a"))
    await reader.started.wait()

    def away(_stage: JobStage | None) -> None:
        raise DatabaseUnavailable("Away.")

    job.on_beat = away

    with pytest.raises(LeaseLost):
        await running
    assert reader.stopped
    assert (job.finished, job.released) == (None, None)


async def test_a_heartbeat_that_finds_the_job_finished_does_not_stop_the_commit_that_finished_it() -> None:
    job = OneJob()

    def finished(stage: JobStage | None) -> None:
        if stage is JobStage.COMMIT and committing.is_set():
            raise LeaseLost("Finished.")

    committing = asyncio.Event()
    job.on_beat = finished

    async def slow_commit() -> AsyncIterator[None]:
        committing.set()
        seen = job.beats
        while job.beats == seen:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        yield

    job.during_commit = slow_commit

    assert await ingest(job, StaticReader(MANUAL)).run("job_1", "worker-a") is JobStatus.SUCCEEDED
    assert job.document is not None


async def test_a_worker_that_shuts_down_hands_the_job_back() -> None:
    reader = EndlessReader()
    job = OneJob()
    running = asyncio.create_task(ingest(job, reader).run("job_1", "worker-a"))
    await reader.started.wait()

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert job.released is False
    assert reader.stopped


@pytest.mark.parametrize(
    ("title", "own_title", "filename", "blocks", "expected"),
    [
        ("Caller's", "Reader's", "pump.md", MANUAL.blocks, "Caller's"),
        (None, "Reader's", "pump.md", MANUAL.blocks, "Reader's"),
        (None, None, "pump.md", MANUAL.blocks, "Pump manual"),
        (None, None, "pump.md", (paragraph("Text."),), "pump.md"),
        (None, None, None, (), "manual"),
    ],
)
async def test_a_title_is_found(
    title: str | None, own_title: str | None, filename: str | None, blocks: tuple[Block, ...], expected: str
) -> None:
    parsed = replace(MANUAL, title=own_title, blocks=blocks)

    assert title_of(an_upload(title=title, filename=filename), parsed) == expected


async def test_a_passage_knows_the_page_that_it_starts_on() -> None:
    job = OneJob(upload=an_upload())
    blocks = (
        Block(type=BlockType.HEADING, text="Install", level=1, meta={"page": 3}),
        Block(type=BlockType.PARAGRAPH, text="Bolt it down.", meta={"page": 4}),
        Block(type=BlockType.PARAGRAPH, text="Turn it on.", meta={"page": 5}),
    )

    await ingest(job, StaticReader(ParsedDocument(blocks=blocks))).run("job_1", "worker-a")

    assert job.document is not None
    assert [dict(unit.meta) for unit in job.document.units] == [{"blocks": [1, 2], "profile": "guidance", "page": 4}]
