"""Run an accepted upload: read, structure, decide, index, commit (service design, "Ingestion jobs", steps 3 and 4)."""

import asyncio
from dataclasses import dataclass, replace

from app.conversations.log_copies import pieces_of
from app.documents.block import ParsedDocument, ParsedExport
from app.documents.document import Document, Link, LinkType, Unit, UnitKind
from app.documents.growth import Piece
from app.documents.job import MAY_BE_CHAT, Claim, Job, JobResult, JobStage, JobStatus, Upload
from app.documents.markup import Parsed, ParsedMarkup, Subtree
from app.documents.profile import Detected, DetectedBy, Profile
from app.errors import DocumentNotFound, InvalidRequest
from app.operations.added_blocks import addition
from app.operations.claimed_job import see_through
from app.operations.decision_session import DecisionSession
from app.operations.ingest_export import ingest_export
from app.operations.job_lease import JobLease
from app.operations.log_growth import CHAT_FORMAT, copy_of, masked, new_in, same_but_longer
from app.operations.read_upload import source_of
from app.operations.structure_prose import config_of, structured
from app.ports.clock import Clock
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.document_store import DocumentStore
from app.ports.job_store import JobStore
from app.ports.reader_runner import ReaderRunner, Source
from app.profiling.suspect import suspicion
from app.text.whitespace import squash

NO_TEXT = "The document has no text, so it has no units."


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestDocument:
    """Runs ingestion jobs, one call per attempt."""

    jobs: JobStore
    documents: DocumentStore
    reader: ReaderRunner
    decisions: DecisionModel | None
    cache: DecisionCache | None
    clock: Clock
    #: Decision questions that one job may ask (ruling 11).
    max_questions: int
    max_tries: int
    lease_seconds: float

    async def run(self, job_id: str, worker: str) -> JobStatus | None:
        """Claim a job and run it; return the status it ended with, or None when there was nothing to claim.

        A document that can't be read fails the job at once; a request to stop ends it cancelled. Raises as
        `see_through` says.
        """
        claim = await self.jobs.claim(job_id, worker, lease_seconds=self.lease_seconds)
        if claim is None:
            return None
        lease = JobLease(self.jobs, claim, self.clock, lease_seconds=self.lease_seconds)
        return await see_through(
            self.jobs, claim, lease, lambda lease: self._ingest(claim, lease), max_tries=self.max_tries
        )

    async def _ingest(self, claim: Claim, lease: JobLease) -> Job:
        session = DecisionSession(self.decisions, self.cache, max_questions=self.max_questions)
        await lease.enter(JobStage.READ)
        data = b"".join([part async for part in self.jobs.payload(claim)])
        source = source_of(claim.upload, data, profile=claim.upload.profile)
        parsed = await self.reader.read(source)
        upload = _as_read(claim.upload, parsed)
        if isinstance(parsed, ParsedExport):
            if config_of(upload).split_conversations:
                limit = self.max_questions
                return await ingest_export(claim, upload, parsed, session, lease, self.documents, max_questions=limit)
            parsed = parsed.joined()
        pieces: tuple[Piece, ...] = ()
        if isinstance(parsed, ParsedMarkup):
            await lease.enter(JobStage.INDEX)
            document = await asyncio.to_thread(_assemble_markup, upload, parsed)
        else:
            if upload.format == CHAT_FORMAT:
                grown = await self._grown(claim, upload, parsed, source, session, lease)
                if grown is not None:
                    return grown
                parsed = await asyncio.to_thread(masked, parsed, upload)
                pieces = await asyncio.to_thread(pieces_of, data)
            document = await structured(upload, parsed, session, lease, max_questions=self.max_questions)
        await lease.enter(JobStage.COMMIT)
        warnings = (*upload.warnings, *parsed.warnings, *(() if document.units else (NO_TEXT,)))
        result = JobResult(decisions=session.use, degraded=session.degraded, warnings=warnings, pieces=pieces)
        return await self.documents.replace(claim, document, result)

    async def _grown(
        self,
        claim: Claim,
        upload: Upload,
        parsed: ParsedDocument,
        source: Source,
        session: DecisionSession,
        lease: JobLease,
    ) -> Job | None:
        """Add what a longer copy of the stored log has more, and finish the job; None when it is to be ingested anew.

        So it is when the copy changes or withdraws something, or when the stored log became another one meanwhile.
        """
        try:
            growing = await self.documents.growing(upload.collection, upload.document)
        except DocumentNotFound:
            return None
        copy = await asyncio.to_thread(copy_of, growing, source.data) if same_but_longer(upload, growing) else None
        new = None if copy is None else await new_in(copy, parsed, source, self.reader)
        if new is None:
            return None
        new = replace(new, parsed=await asyncio.to_thread(masked, new.parsed, upload))
        added = await addition(upload, growing, new, session, lease, max_questions=self.max_questions)
        await lease.enter(JobStage.COMMIT)
        warnings = (*upload.warnings, *new.parsed.warnings)
        result = JobResult(decisions=session.use, degraded=session.degraded, warnings=warnings)
        return await self.documents.append(claim, added, result)


def _as_read(upload: Upload, parsed: Parsed) -> Upload:
    """Return an upload with the format that its content told, where nobody named it.

    Raises:
        InvalidRequest: it is data, and the profile that was named for it is one of text.
    """
    if not isinstance(parsed, ParsedMarkup):
        return replace(upload, format=CHAT_FORMAT) if upload.format in MAY_BE_CHAT else upload
    if upload.profile not in (None, Profile.MARKUP):
        raise InvalidRequest(f"This is no chat log but data, which has the profile markup, not {upload.profile}.")
    return upload


def _assemble_markup(upload: Upload, parsed: ParsedMarkup) -> Document:
    """Put a data file together: subtrees are numbered from 1 in the order cut (markup design, section 1)."""
    title = upload.title or upload.document
    return Document(
        id=upload.document,
        profile=Profile.MARKUP,
        detected=Detected(Profile.MARKUP, None, DetectedBy.FORMAT),
        units=tuple(_subtree(number, title, subtree) for number, subtree in enumerate(parsed.subtrees, start=1)),
        links=tuple(
            Link(type=LinkType.REF, source=f"s{source + 1}", target=f"s{target + 1}") for source, target in parsed.links
        ),
        data=parsed.data,
        title=title,
        format=upload.format,
        encoding=parsed.encoding,
        metadata=upload.metadata,
    )


def _subtree(number: int, title: str, subtree: Subtree) -> Unit:
    text = f"{squash(title)}: {subtree.label}\n{subtree.text}"
    return Unit(
        id=f"s{number}",
        kind=UnitKind.SUBTREE,
        text=text,
        path=subtree.path,
        meta={**subtree.meta, "profile": Profile.MARKUP.value, **suspicion(text)},
    )
