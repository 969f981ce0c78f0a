"""Cut, profile and link blocks (service design, "Ingestion jobs", step 3); shared by ingestion, exports and appends."""

import asyncio
from dataclasses import replace
from typing import Protocol

from app.conversations.appending import NOTHING, Behind
from app.documents.block import BlockType, ParsedDocument
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.documents.document import Document
from app.documents.job import JobStage, Upload
from app.documents.profile import DetectedBy, Profile
from app.operations.decision_session import DecisionSession, Progress
from app.operations.link_conversation import ConversationLinks, link_conversation
from app.operations.link_passages import link_passages
from app.operations.prose_document import Prose, prose_document
from app.operations.speech import Speech, find_speech, speech_behind, without_speech
from app.operations.topic_chunks import chunk_by_topic
from app.profiling.asides import fold_asides
from app.profiling.profiles import Profiles, from_answers, named_by_caller
from app.profiling.sections import sections


class Steps(Protocol):
    """Who is told what a job is busy with. Each call raises when the job is to stop, see `JobLease`."""

    async def enter(self, stage: JobStage, done: int = 0, total: int = 0) -> None:
        """Begin a stage."""
        ...

    def progress(self, stage: JobStage) -> Progress:
        """Return a callback that is told how far a stage is."""
        ...


async def structured(
    upload: Upload,
    parsed: ParsedDocument,
    session: DecisionSession,
    steps: Steps,
    *,
    max_questions: int,
    behind: Behind = NOTHING,
) -> Document:
    """Return the document that blocks become, or what they add to one.

    Args:
        upload: What was said about them.
        parsed: The blocks.
        session: Who is asked.
        steps: Who is told how far this is.
        max_questions: The session's limit.
        behind: What is stored already of the document. It is pointed at, and nothing is asked about it.
    """
    await steps.enter(JobStage.STRUCTURE)
    config, asking = config_of(upload), steps.progress(JobStage.DECIDE)
    parsed = await asyncio.to_thread(without_asides, parsed)
    title = title_of(upload, parsed)
    named = None if upload.profile is None else Profile(upload.profile)
    if behind.lead is None:
        speech = await asyncio.to_thread(find_speech, parsed.blocks, title, named)
    else:
        speech = await asyncio.to_thread(speech_behind, parsed.blocks, title, behind.lead)
    chunking = await chunk_by_topic(
        replace(parsed, blocks=without_speech(parsed.blocks, speech)), config, session, asking
    )
    profiles = await _profiles(named, chunking, speech, session, asking)
    links = await link_passages(chunking.chunks, profiles.chunks, session, asking, max_questions=max_questions)
    turns = ConversationLinks((), frozenset(), {})
    if speech.parts:
        moved = (replace(part, turn=part.turn + len(behind.parts)) for part in speech.parts)
        turns = await link_conversation((*behind.parts, *moved), session, asking, config=config)
    await steps.enter(JobStage.INDEX)
    prose = Prose(parsed, title, chunking, profiles, speech)
    return await asyncio.to_thread(prose_document, upload, config, prose, links, turns, behind)


def title_of(upload: Upload, parsed: ParsedDocument) -> str:
    """Return the caller's title, else the reader's, else the first heading, else the file's name, else the id."""
    heading = next((block.text for block in parsed.blocks if block.type is BlockType.HEADING), None)
    return upload.title or parsed.title or heading or upload.filename or upload.document


def without_asides(parsed: ParsedDocument) -> ParsedDocument:
    """Return a document whose headings that only announce an aside are paragraphs."""
    return replace(parsed, blocks=fold_asides(parsed.blocks))


def config_of(upload: Upload) -> Config:
    """Return the configuration of an upload, with its defaults."""
    return Config(**upload.config)  # type: ignore[arg-type]  # names and types were checked when it was accepted


async def _profiles(
    named: Profile | None, chunking: Chunking, speech: Speech, session: DecisionSession, asking: Progress
) -> Profiles:
    found = await asyncio.to_thread(sections, chunking, speech.division, speech.tokens)
    if named is not None:
        return named_by_caller(named, found)
    questions = [section.question() for section in found if not section.spoken]
    if not questions:
        return from_answers(found, (), by=DetectedBy.DEFAULT)
    (answers,) = await session.ask("profiles", [questions], asking)
    return from_answers(found, answers, by=DetectedBy.OFFLINE if session.offline else DetectedBy.JEV)
