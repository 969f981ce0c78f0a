"""Exports of several conversations: a document for each (conversations design, f.21; ruling 20)."""

from dataclasses import replace

import pytest

from app.conversations.questions import RecordsOutcome
from app.documents.block import Conversation, ParsedExport
from app.documents.growth import ExportPart
from app.documents.job import Claim, JobStage, Lease
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.job_store import MemoryJobStore
from tests.fakes.scripted_model import ScriptedModel
from tests.unit.conversations.spoken import heading, said
from tests.unit.operations.growing import Shelf, a_named, agree, blocks, stream, succeeded

pytestmark = pytest.mark.anyio


def an_export(**conversations: tuple[str, ...]) -> ParsedExport:
    return ParsedExport(
        conversations=tuple(
            Conversation(
                id=name,
                document=blocks(heading(name), *(said(word, "user", turn=word) for word in words)),
                metadata={"created_at": "2026-01-01T00:00:00Z"},
            )
            for name, words in conversations.items()
        ),
        warnings=("A line was skipped.",),
    )


async def live(shelf: Shelf) -> dict[str, list[str]]:
    rows = shelf.memory.live("default")
    return {row.id: [unit.text for unit in row.document.units] for row in rows if row.document}


async def test_every_conversation_of_an_export_becomes_a_document() -> None:
    shelf = Shelf()
    job = await shelf.ingest(
        an_export(trip=("Where to?",), fix=("Why?", "How?")), format="chat", metadata={"who": "me"}
    )

    succeeded(job)
    assert (job.document, job.documents) == ("manual", ("manual/trip", "manual/fix"))
    assert (job.units, job.unchanged_documents, job.warnings) == (3, 0, ("A line was skipped.",))
    assert await live(shelf) == {
        "manual/trip": ["[trip | user]\nWhere to?"],
        "manual/fix": ["[fix | user]\nWhy?", "[fix | user]\nHow?"],
    }
    part = (await shelf.documents.document("default", "manual/trip")).document
    assert (part.title, part.format) == ("trip", "chat")
    assert part.metadata == {"who": "me", "created_at": "2026-01-01T00:00:00Z"}


async def test_of_a_newer_export_only_changed_conversations_are_ingested() -> None:
    model = ScriptedModel(agree)
    shelf = Shelf(model)
    await shelf.ingest(an_export(a=("one",), b=("two",), c=("three",)), format="chat")
    model.asked.clear()

    job = await shelf.ingest(an_export(a=("one",), b=("two", "more"), d=("four",)), format="chat")

    assert (job.documents, job.unchanged_documents, job.units) == (("manual/a", "manual/b", "manual/d"), 1, 4)
    asked = [question for question in model.asked_of(RecordsOutcome) if isinstance(question, RecordsOutcome)]
    assert {question.message.words for question in asked} == {"two", "more", "four"}
    # An export may be partial.
    assert sorted(await live(shelf)) == ["manual/a", "manual/b", "manual/c", "manual/d"]
    assert (await shelf.documents.document("default", "manual/a")).version == 1
    assert (await shelf.documents.document("default", "manual/b")).version == 2


async def test_an_export_that_was_interrupted_goes_on_where_it_was() -> None:
    shelf = Shelf()
    shelf.reader.outcomes[b"x"] = an_export(a=("one",), b=("two",), c=("three",))
    accepted = await shelf.jobs.accept(a_named(b"x", {"format": "chat"}), stream(b"x"), None)
    written: list[str] = []

    class Dying(MemoryDocumentStore):
        async def put_part(self, claim: Claim, part: ExportPart) -> None:
            written.append(part.document.id)
            if written == ["manual/a", "manual/b"]:
                raise ZeroDivisionError
            await super().put_part(claim, part)

    operation = replace(shelf.ingesting, documents=Dying(shelf.memory))
    with pytest.raises(ZeroDivisionError):
        await operation.run(accepted.job.id, "worker")
    assert list(await live(shelf)) == ["manual/a"]

    await operation.run(accepted.job.id, "worker")

    assert written == ["manual/a", "manual/b", "manual/b", "manual/c"]
    job = await shelf.jobs.job(accepted.job.id)
    assert (job.attempt, job.unchanged_documents, job.units) == (2, 0, 3)
    assert sorted(await live(shelf)) == ["manual/a", "manual/b", "manual/c"]


async def test_progress_counts_conversations() -> None:
    shelf = Shelf()
    seen: list[tuple[str, int | None, int | None]] = []

    class Watching(MemoryJobStore):
        async def heartbeat(
            self,
            lease: Lease,
            *,
            lease_seconds: float,
            stage: JobStage | None = None,
            done: int | None = None,
            total: int | None = None,
        ) -> None:
            # The lease is kept alive beside the steps.
            if stage is not None:
                seen.append((stage.value, done, total))
            await super().heartbeat(lease, lease_seconds=lease_seconds, stage=stage, done=done, total=total)

    shelf.ingesting = replace(shelf.ingesting, jobs=Watching(shelf.memory))
    await shelf.ingest(an_export(a=("one",), b=("two",)), format="chat")
    assert list(dict.fromkeys(seen)) == [
        ("read", 0, 0),
        ("structure", 0, 2),
        ("structure", 1, 2),
        ("commit", 2, 2),
    ]
