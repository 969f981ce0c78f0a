"""Run an accepted upload: read, structure, decide, index, commit (service design, "Ingestion jobs", steps 3 and 4)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.documents.block import BlockType, ParsedDocument
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.documents.document import Document, Link, LinkType, Unit, UnitKind
from app.documents.job import Claim, Job, JobResult, JobStage, JobStatus, Upload
from app.documents.markup import ParsedMarkup, Subtree
from app.documents.problem import problem, problem_object
from app.documents.profile import Detected, DetectedBy, Profile
from app.errors import BadInput, JobCancelled, LeaseLost, Unavailable
from app.operations.decision_session import DecisionSession
from app.operations.job_lease import JobLease
from app.operations.link_passages import PassageLink, link_passages
from app.operations.prose_units import prose_units
from app.operations.topic_chunks import chunk_by_topic
from app.ports.clock import Clock
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.document_store import DocumentStore
from app.ports.job_store import JobStore
from app.ports.reader_runner import ReaderRunner, Source
from app.profiling.asides import fold_asides
from app.profiling.profiles import Profiles, from_answers, named_by_caller
from app.profiling.sections import sections
from app.profiling.suspect import suspicion
from app.text.whitespace import squash

#: Seconds that one attempt may take. Every step has a limit of its own; this one ends what hangs all the same.
ATTEMPT_SECONDS = 3600.0

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

        A document that can't be read fails the job at once; a request to stop ends it cancelled.

        Raises:
            LeaseLost: another worker has the job by now, and the rest is up to it.
            Unavailable: a dependency does not answer; the job went back to the queue without losing an attempt.
            CancelledError: this worker shuts down; the job went back likewise.
            Exception: something unforeseen; the job went back to the queue, or failed if this was its last attempt.
        """
        claim = await self.jobs.claim(job_id, worker, lease_seconds=self.lease_seconds)
        if claim is None:
            return None
        lease = JobLease(self.jobs, claim, self.clock, lease_seconds=self.lease_seconds)
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                job = await lease.hold(self._ingest(claim, lease))
        except BadInput as error:
            await self.jobs.finish(claim, JobStatus.FAILED, error=problem(error))
            return JobStatus.FAILED
        except JobCancelled:
            await self.jobs.finish(claim, JobStatus.CANCELLED)
            return JobStatus.CANCELLED
        except LeaseLost:
            raise
        except (Unavailable, asyncio.CancelledError):
            await self.jobs.release(claim, count_attempt=False)
            raise
        except Exception:
            await self._give_back(claim)
            raise
        return job.status

    async def _give_back(self, claim: Claim) -> None:
        """Return a job after an unforeseen failure, or end it when its attempts are used up."""
        if claim.job.attempt < self.max_tries:
            await self.jobs.release(claim)
            return
        detail = f"Ingestion failed unexpectedly {claim.job.attempt} times. The upload is kept; the logs say more."
        await self.jobs.finish(
            claim, JobStatus.FAILED, error=problem_object("ingestion-failed", "Ingestion failed", 500, detail)
        )

    async def _ingest(self, claim: Claim, lease: JobLease) -> Job:
        upload = claim.upload
        session = DecisionSession(self.decisions, self.cache, max_questions=self.max_questions)
        await lease.enter(JobStage.READ)
        parsed = await self.reader.read(await self._source(claim))
        if isinstance(parsed, ParsedMarkup):
            await lease.enter(JobStage.INDEX)
            document = await asyncio.to_thread(_assemble_markup, upload, parsed)
        else:
            document = await self._structured(upload, parsed, session, lease)
        await lease.enter(JobStage.COMMIT)
        warnings = (*upload.warnings, *parsed.warnings, *(() if document.units else (NO_TEXT,)))
        result = JobResult(decisions=session.use, degraded=session.degraded, warnings=warnings)
        return await self.documents.replace(claim, document, result)

    async def _structured(
        self, upload: Upload, parsed: ParsedDocument, session: DecisionSession, lease: JobLease
    ) -> Document:
        """Cut, profile and link prose."""
        await lease.enter(JobStage.STRUCTURE)
        parsed = await asyncio.to_thread(_without_asides, parsed)
        chunking = await chunk_by_topic(parsed, _config(upload), session, lease.progress(JobStage.DECIDE))
        title = title_of(upload, parsed)
        profiles = await self._profiles(upload, chunking, title, session, lease)
        links = await link_passages(
            chunking.chunks,
            profiles.chunks,
            session,
            lease.progress(JobStage.DECIDE),
            max_questions=self.max_questions,
        )
        await lease.enter(JobStage.INDEX)
        return await asyncio.to_thread(_assemble, upload, parsed, title, chunking, profiles, links)

    async def _source(self, claim: Claim) -> Source:
        data = b"".join([part async for part in self.jobs.payload(claim)])
        return Source(
            data=data,
            format=claim.upload.format,
            filename=claim.upload.filename,
            subtrees=_config(claim.upload).subtree_sizes,
        )

    async def _profiles(
        self, upload: Upload, chunking: Chunking, title: str, session: DecisionSession, lease: JobLease
    ) -> Profiles:
        found = await asyncio.to_thread(sections, chunking, title)
        if upload.profile is not None:
            return named_by_caller(Profile(upload.profile), found)
        if not found:
            return from_answers((), (), by=DetectedBy.DEFAULT)
        questions = [section.question() for section in found]
        (answers,) = await session.ask("profiles", [questions], lease.progress(JobStage.DECIDE))
        return from_answers(found, answers, by=DetectedBy.OFFLINE if session.offline else DetectedBy.JEV)


def title_of(upload: Upload, parsed: ParsedDocument) -> str:
    """Return the caller's title, else the reader's, else the first heading, else the file's name, else the id."""
    heading = next((block.text for block in parsed.blocks if block.type is BlockType.HEADING), None)
    return upload.title or parsed.title or heading or upload.filename or upload.document


def _without_asides(parsed: ParsedDocument) -> ParsedDocument:
    return replace(parsed, blocks=fold_asides(parsed.blocks))


def _config(upload: Upload) -> Config:
    return Config(**upload.config)  # type: ignore[arg-type]  # names and types were checked when it was accepted


def _assemble(
    upload: Upload,
    parsed: ParsedDocument,
    title: str,
    chunking: Chunking,
    profiles: Profiles,
    links: Sequence[PassageLink],
) -> Document:
    """Put the parts together: links are between passages, whatever became an entry has none."""
    made = prose_units(parsed.blocks, chunking, profiles, title, _config(upload))
    return Document(
        id=upload.document,
        profile=profiles.document,
        detected=profiles.detected,
        units=made.units,
        links=tuple(
            Link(type=link.type, source=made.passages[link.source], target=made.passages[link.target])
            for link in links
            if link.source in made.passages and link.target in made.passages
        ),
        data={
            "outline": [
                {"block": heading.block, "title": heading.title, "level": heading.level} for heading in chunking.outline
            ],
            "sections": {title: profile.value for title, profile in profiles.sections.items()},
        },
        title=title,
        format=upload.format,
        language=parsed.language,
        encoding=parsed.encoding,
        metadata=upload.metadata,
    )


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
