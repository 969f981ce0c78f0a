"""Stores in memory with the operations that fill them, and a reader that returns what a test wants."""

from collections.abc import AsyncIterator, Mapping, Sequence

from app.conversations.questions import Corrects, RecordsOutcome, ReplyTo
from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.decision import Answer, Question
from app.documents.document import Document, Link, LinkType, Unit
from app.documents.growth import Growing
from app.documents.job import Job, JobStatus, Upload
from app.documents.markup import Parsed
from app.documents.values import JsonValue
from app.operations.append_document import AppendDocument
from app.operations.ingest_document import IngestDocument
from app.ports.decision_model import DecisionModel
from app.ports.reader_runner import ReaderRunner, Source
from app.profiling.questions import SectionProfile
from tests.fakes.clock import ManualClock
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.job_store import MemoryJobStore
from tests.fakes.memory import Memory
from tests.fakes.one_job import an_upload
from tests.fakes.scripted_model import chosen, yes


def agree(question: Question) -> Answer | None:
    """The nearest message is answered, `Agreed` records an outcome, `No:` corrects."""
    match question:
        case SectionProfile():
            return chosen("procedural", 0.8)
        case ReplyTo():
            return chosen("0")
        case RecordsOutcome(message=message):
            return yes(0.9 if "Agreed" in message.words else 0.1)
        case Corrects(later=later):
            return yes(0.9 if "No:" in later.words else 0.1)
    return None


class Scripted:
    """Reads what it was told a payload holds."""

    def __init__(self) -> None:
        self.outcomes: dict[bytes, Parsed] = {}
        self.sources: list[Source] = []

    async def read(self, source: Source) -> Parsed:
        self.sources.append(source)
        return self.outcomes[source.data]


class Shelf:
    """Stores in memory, and the two operations that fill them.

    What is handed in is read as the test says, or by `reader`.
    """

    def __init__(self, model: DecisionModel | None = None, reader: ReaderRunner | None = None) -> None:
        self.memory = Memory()
        self.jobs, self.documents = MemoryJobStore(self.memory), MemoryDocumentStore(self.memory)
        self.reader = Scripted()
        shared: Mapping[str, object] = {
            "jobs": self.jobs,
            "documents": self.documents,
            "reader": reader or self.reader,
            "decisions": model,
            "cache": None,
            "clock": ManualClock(),
            "max_questions": 1000,
            "max_tries": 3,
            "lease_seconds": 30.0,
        }
        self.ingesting = IngestDocument(**shared)  # type: ignore[arg-type]  # the fields of both
        self.appending = AppendDocument(**shared)  # type: ignore[arg-type]  # the fields of both

    async def ingest(self, parsed: Parsed | None, data: bytes = b"", **upload: object) -> Job:
        data = self._told(parsed, data)
        accepted = await self.jobs.accept(a_named(data, upload), stream(data), None)
        await self.ingesting.run(accepted.job.id, "worker")
        return await self.jobs.job(accepted.job.id)

    async def append(self, parsed: Parsed | None, data: bytes = b"", **upload: object) -> Job:
        data = self._told(parsed, data)
        accepted = await self.jobs.accept_append(a_named(data, upload), stream(data), None)
        await self.appending.run(accepted.job.id, "worker")
        return await self.jobs.job(accepted.job.id)

    def _told(self, parsed: Parsed | None, data: bytes) -> bytes:
        data = data or f"payload {len(self.reader.outcomes)}".encode()
        if parsed is not None:
            self.reader.outcomes[data] = parsed
        return data

    async def growing(self) -> Growing:
        return await self.documents.growing("default", "manual")

    async def document(self) -> Document:
        return (await self.growing()).stored.document


def a_named(data: bytes, upload: Mapping[str, object]) -> Upload:
    return an_upload(**{"content_hash": data.hex(), "format": "blocks", "declared": True, **upload})


async def stream(data: bytes) -> AsyncIterator[bytes]:
    yield data


def blocks(*content: Block, **data: JsonValue) -> ParsedDocument:
    return ParsedDocument(blocks=content, data=data)


def paragraph(text: str) -> Block:
    return Block(type=BlockType.PARAGRAPH, text=text)


def shown(units: Sequence[Unit]) -> list[tuple[str, str]]:
    return [(unit.id, unit.text) for unit in units]


def told(document: Document) -> set[Link]:
    """The links that nobody was asked about."""
    return {link for link in document.links if link.type in {LinkType.REPLY_TO, LinkType.OUTPUT_OF}}


def counted(document: Document, name: str) -> JsonValue:
    told = document.data["conversation"]
    assert isinstance(told, Mapping)
    return told[name]


def succeeded(job: Job) -> None:
    assert (job.status, job.error) == (JobStatus.SUCCEEDED, None)
