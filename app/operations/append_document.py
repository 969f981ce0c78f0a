"""Run an accepted append: read the new part, structure it behind what is stored, commit (conversations design, d)."""

import asyncio
from dataclasses import dataclass, replace

from app.conversations import appending, log_copies
from app.documents.block import ParsedDocument, ParsedExport
from app.documents.growth import Growing
from app.documents.job import MAY_BE_CHAT, Claim, Job, JobKind, JobResult, JobStage, JobStatus, Upload
from app.documents.markup import Parsed
from app.errors import CannotAppend
from app.operations.added_blocks import NewBlocks, addition
from app.operations.claimed_job import see_through
from app.operations.decision_session import DecisionSession
from app.operations.job_lease import JobLease
from app.operations.log_growth import CHAT_FORMAT, copy_of, item_count, masked, new_in
from app.operations.read_upload import source_of
from app.ports.clock import Clock
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.document_store import DocumentStore
from app.ports.job_store import JobStore
from app.ports.reader_runner import ReaderRunner

NOTHING_NEW = "There was nothing new to append."
CUT_LINE = "The last line is cut short: it was left out, and is to be sent again whole."


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendDocument:
    """Runs appends, one call per attempt. Those to one document come one after the other."""

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

        An append is not to be had before its turn. Fails and raises as `see_through` says.
        """
        claim = await self.jobs.claim(job_id, worker, lease_seconds=self.lease_seconds, kind=JobKind.APPEND)
        if claim is None:
            return None
        lease = JobLease(self.jobs, claim, self.clock, lease_seconds=self.lease_seconds)
        return await see_through(
            self.jobs, claim, lease, lambda lease: self._append(claim, lease), max_tries=self.max_tries
        )

    async def waiting_behind(self, job_id: str) -> str | None:
        """Return the append whose turn it is once this one has ended, if any waits."""
        return await self.jobs.next_append(job_id)

    async def _append(self, claim: Claim, lease: JobLease) -> Job:
        session = DecisionSession(self.decisions, self.cache, max_questions=self.max_questions)
        data = b"".join([part async for part in self.jobs.payload(claim)])
        while True:
            await lease.enter(JobStage.READ)
            growing = await self.documents.growing(claim.upload.collection, claim.upload.document)
            upload = _as_stored(claim.upload, growing)
            new = await self._read(upload, growing, data)
            added = await addition(upload, growing, new, session, lease, max_questions=self.max_questions)
            await lease.enter(JobStage.COMMIT)
            warnings = (*upload.warnings, *new.parsed.warnings, *(() if added.units else (NOTHING_NEW,)))
            result = JobResult(decisions=session.use, degraded=session.degraded, warnings=warnings)
            job = await self.documents.append(claim, added, result)
            # A longer copy of the log may have been ingested meanwhile: what was found is not true any more.
            if job is not None:
                return job

    async def _read(self, upload: Upload, growing: Growing, data: bytes) -> NewBlocks:
        """Return the new blocks: all that was sent, or what a longer copy of the stored log has more."""
        is_log = _may_be_log(upload) and await asyncio.to_thread(log_copies.is_line_log, data)
        complete = await asyncio.to_thread(log_copies.complete_size, data) if is_log else len(data)
        # Conversations of an export go behind each other here: there is one document.
        source = replace(source_of(upload, data[:complete], profile=growing.origin.profile), split_conversations=False)
        parsed = _as_one(await self.reader.read(source))
        if complete < len(data):
            parsed = replace(parsed, warnings=(*parsed.warnings, CUT_LINE))
        copy = await asyncio.to_thread(copy_of, growing, source.data) if is_log else None
        if copy is not None:
            new = await new_in(copy, parsed, source, self.reader)
            if new is None:
                raise CannotAppend("This copy of the log changes what is stored of it: ingest it again whole.")
            return replace(new, parsed=await asyncio.to_thread(_masked, new.parsed, upload))
        return await asyncio.to_thread(_fitted, upload, growing, parsed, source.data, is_log=is_log)


def _as_stored(upload: Upload, growing: Growing) -> Upload:
    """Return what was handed in as it is to be read: what may be a chat log is one behind a chat log."""
    config = {**growing.origin.config, **upload.config}
    if upload.read_as != upload.format and growing.stored.document.format == CHAT_FORMAT:
        return replace(upload, config=config, format=CHAT_FORMAT, declared=True)
    return replace(upload, config=config)


def _may_be_log(upload: Upload) -> bool:
    return upload.format == CHAT_FORMAT or upload.format in MAY_BE_CHAT


def _as_one(parsed: Parsed) -> ParsedDocument:
    """Return what was read as blocks.

    Raises:
        CannotAppend: it is data.
    """
    if isinstance(parsed, ParsedDocument):
        return parsed
    if isinstance(parsed, ParsedExport):
        return parsed.joined()
    raise CannotAppend("A data file can't be appended: ingest it as a document of its own.")


def _masked(parsed: ParsedDocument, upload: Upload) -> ParsedDocument:
    return masked(parsed, upload) if _may_be_log(upload) else parsed


def _fitted(upload: Upload, growing: Growing, parsed: ParsedDocument, data: bytes, *, is_log: bool) -> NewBlocks:
    """Return new lines without what is stored already, named on from there."""
    parsed = _masked(parsed, upload)
    stored = growing.stored.document
    blocks = appending.moved_on(parsed.blocks, item_count(stored.data), item_count(parsed.data))
    parts, _ = appending.stored_parts(stored.units)
    pieces = log_copies.extended(growing.origin.pieces, data) if is_log else ()
    return NewBlocks(parsed=replace(parsed, blocks=appending.fitted(blocks, parts)), pieces=pieces)
