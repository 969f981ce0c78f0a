"""Ingestion of data files: no question is asked, and the document is as the markup design says."""

import pytest

from app.documents.document import Link, LinkType, UnitKind
from app.documents.format2 import to_format2
from app.documents.job import JobStage, JobStatus
from app.documents.markup import ParsedMarkup, Subtree, SubtreeSizes
from app.documents.profile import Detected, DetectedBy, Profile
from app.operations.ingest_document import NO_TEXT, IngestDocument
from app.terms.lexical import lexical
from tests.fakes.clock import ManualClock
from tests.fakes.one_job import OneJob, an_upload
from tests.fakes.readers import StaticReader
from tests.fakes.scripted_model import ScriptedModel

pytestmark = pytest.mark.anyio

PARSED = ParsedMarkup(
    subtrees=(
        Subtree(label="(top level)", path=(), text="openapi: 3.1.0", meta={"path": [], "lines": [0, 1]}),
        Subtree(
            label="paths > /emails",
            path=("paths", "/emails"),
            text="/emails:\n  $ref: '#/x'",
            meta={"path": ["paths", "/emails"], "lines": [2, 4]},
        ),
        Subtree(label="x (part 1 of 2)", path=("x (part 1 of 2)",), text="x: a", meta={"path": ["x"], "lines": [4, 5]}),
    ),
    links=((1, 2),),
    data={"format": "yaml", "layout": "source"},
    encoding="utf-8",
    warnings=("One byte was replaced.",),
)


def ingest(job: OneJob, reader: StaticReader, model: ScriptedModel | None = None) -> IngestDocument:
    return IngestDocument(
        jobs=job.as_jobs(),
        documents=job.as_documents(),
        reader=reader,
        decisions=model,
        cache=None,
        clock=ManualClock(),
        max_questions=1000,
        max_tries=3,
        lease_seconds=30.0,
    )


async def test_subtrees_become_units_and_references_links() -> None:
    upload = an_upload(document="api", format="yaml", filename="api.yaml", config={"subtree_max_tokens": 300})
    job, reader, model = OneJob(upload=upload), StaticReader(PARSED), ScriptedModel(lambda _question: None)

    assert await ingest(job, reader, model).run("job_1", "worker-a") is JobStatus.SUCCEEDED

    document, result = job.document, job.result
    assert document is not None
    assert result is not None
    assert reader.read_from is not None
    assert reader.read_from.subtrees == SubtreeSizes(most=300, small=90)
    assert document.profile is Profile.MARKUP
    assert document.detected == Detected(Profile.MARKUP, None, DetectedBy.FORMAT)
    assert [(unit.id, unit.kind, unit.text) for unit in document.units] == [
        ("s1", UnitKind.SUBTREE, "api: (top level)\nopenapi: 3.1.0"),
        ("s2", UnitKind.SUBTREE, "api: paths > /emails\n/emails:\n  $ref: '#/x'"),
        ("s3", UnitKind.SUBTREE, "api: x (part 1 of 2)\nx: a"),
    ]
    assert document.links == (Link(type=LinkType.REF, source="s2", target="s3"),)
    assert (document.title, document.format, document.encoding, document.language) == ("api", "yaml", "utf-8", None)
    assert result.warnings == ("One byte was replaced.",)
    assert result.decisions.questions == 0
    assert [stage for stage, _, _ in job.progress] == [JobStage.READ, JobStage.INDEX, JobStage.COMMIT]


async def test_the_document_in_format_2() -> None:
    job = OneJob(upload=an_upload(document="api", format="yaml", title="The\n API"))
    await ingest(job, StaticReader(PARSED)).run("job_1", "worker-a")
    assert job.document is not None
    whole = to_format2(job.document, lexical(job.document.units[:1]))

    assert (whole["profile"], whole["detected"]) == ("markup", {"profile": "markup", "score": None, "by": "format"})
    assert whole["units"] == [
        {
            "id": "s1",
            "kind": "subtree",
            "text": "The API: (top level)\nopenapi: 3.1.0",
            "meta": {"path": [], "lines": [0, 1], "profile": "markup"},
        },
        {
            "id": "s2",
            "kind": "subtree",
            "text": "The API: paths > /emails\n/emails:\n  $ref: '#/x'",
            "path": ["paths", "/emails"],
            "meta": {"path": ["paths", "/emails"], "lines": [2, 4], "profile": "markup"},
        },
        {
            "id": "s3",
            "kind": "subtree",
            "text": "The API: x (part 1 of 2)\nx: a",
            "path": ["x (part 1 of 2)"],
            "meta": {"path": ["x"], "lines": [4, 5], "profile": "markup"},
        },
    ]
    assert whole["links"] == [{"type": "ref", "from": "s2", "to": "s3"}]
    assert whole["data"] == {"format": "yaml", "layout": "source"}
    # One-letter runs are no terms: "3.1.0" has none.
    assert whole["lexical"] == {
        "length": {"s1": 5},
        "terms": {"api": {"s1": 1}, "level": {"s1": 1}, "openapi": {"s1": 1}, "the": {"s1": 1}, "top": {"s1": 1}},
    }


async def test_a_data_file_without_content_is_a_document_without_units() -> None:
    job = OneJob(upload=an_upload(format="yaml"))
    await ingest(job, StaticReader(ParsedMarkup(subtrees=(), data={"format": "yaml"}))).run("job_1", "worker-a")

    assert job.document is not None
    assert job.result is not None
    assert job.document.units == ()
    assert job.result.warnings == (NO_TEXT,)
