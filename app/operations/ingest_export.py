"""Make every conversation of an export a document of its own (conversations design, f.21; ruling 20)."""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace

from app.documents.block import Conversation, ParsedExport
from app.documents.growth import ExportPart, Origin
from app.documents.job import Claim, Job, JobResult, JobStage, Upload
from app.documents.values import JsonValue
from app.operations.decision_session import DecisionSession
from app.operations.job_lease import JobLease
from app.operations.log_growth import masked
from app.operations.structure_prose import structured
from app.ports.document_store import DocumentStore

#: Characters that a document's id may have.
MAX_ID = 512

_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_DIGEST_CHARS = 16


@dataclass(frozen=True, slots=True)
class _PartSteps:
    """The steps of one conversation as its job shows them: how many conversations are done."""

    lease: JobLease
    done: int
    total: int

    async def enter(self, _stage: JobStage, _done: int = 0, _total: int = 0) -> None:
        """Renew the lease and notice a request to stop."""
        await self.lease.enter(JobStage.STRUCTURE, self.done, self.total)

    def progress(self, stage: JobStage) -> Callable[[int, int], Awaitable[None]]:
        """Return a callback that does the same."""

        async def record(_done: int, _total: int) -> None:
            await self.enter(stage)

        return record


async def ingest_export(
    claim: Claim,
    upload: Upload,
    export: ParsedExport,
    session: DecisionSession,
    lease: JobLease,
    documents: DocumentStore,
    *,
    max_questions: int,
) -> Job:
    """Store each conversation as soon as it is structured, and finish the job.

    What an earlier attempt, or an earlier export, has stored of the same content is left as it is. Documents of
    conversations that this export does not hold stay: it may hold only some of them.
    """
    ids = [part_id(upload.document, conversation.id) for conversation in export.conversations]
    units = unchanged = 0
    for number, (document_id, conversation) in enumerate(zip(ids, export.conversations, strict=True)):
        steps = _PartSteps(lease, number, len(ids))
        await steps.enter(JobStage.STRUCTURE)
        fingerprint = await asyncio.to_thread(_fingerprint, upload, conversation)
        kept = await documents.keep_part(claim, document_id, fingerprint)
        if kept is not None:
            unchanged += kept.made_by != claim.version
            units += kept.units
            continue
        part = await _part(upload, document_id, conversation, fingerprint, session, steps, max_questions=max_questions)
        await documents.put_part(claim, part)
        units += len(part.document.units)
    await lease.enter(JobStage.COMMIT, len(ids), len(ids))
    result = JobResult(
        decisions=session.use,
        degraded=session.degraded,
        warnings=(*upload.warnings, *_warnings(export)),
        documents=tuple(ids),
        unchanged_documents=unchanged,
    )
    return await documents.finish_export(claim, units, result)


def part_id(export: str, conversation: str) -> str:
    """Return the id of a conversation's document: `<export>/<conversation>`.

    Where that is no document id, what can't be in one is left out and a digest of the whole put behind.
    """
    plain = f"{export}/{conversation}"
    allowed = _CONTROL_CHARACTERS.sub("", plain)
    if allowed == plain and len(plain) <= MAX_ID:
        return plain
    digest = hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS]
    return f"{allowed[: MAX_ID - _DIGEST_CHARS - 1]}-{digest}"


async def _part(
    upload: Upload,
    document_id: str,
    conversation: Conversation,
    fingerprint: bytes,
    session: DecisionSession,
    steps: _PartSteps,
    *,
    max_questions: int,
) -> ExportPart:
    own = replace(
        upload,
        document=document_id,
        title=None,
        filename=None,
        metadata={**upload.metadata, **conversation.metadata},
    )
    parsed = await asyncio.to_thread(masked, conversation.document, own)
    document = await structured(own, parsed, session, steps, max_questions=max_questions)
    origin = Origin(config=upload.config, profile=upload.profile, ingestion_version=upload.ingestion_version)
    return ExportPart(document=document, fingerprint=fingerprint, origin=origin)


def _fingerprint(upload: Upload, conversation: Conversation) -> bytes:
    """Return what is the same when a conversation would become the same document again (ruling 14)."""
    told = conversation.document
    blocks: list[JsonValue] = [[block.type, block.text, block.level, dict(block.meta)] for block in told.blocks]
    parts = [blocks, told.title, asdict(conversation)["metadata"], dict(upload.metadata)]
    said = [upload.format, upload.profile, dict(upload.config), upload.ingestion_version]
    return hashlib.sha256(json.dumps([parts, said], sort_keys=True).encode()).digest()


def _warnings(export: ParsedExport) -> tuple[str, ...]:
    told = (warning for conversation in export.conversations for warning in conversation.document.warnings)
    return tuple(dict.fromkeys((*export.warnings, *told)))
