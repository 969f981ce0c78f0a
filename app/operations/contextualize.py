"""Ask a chat model for a retrieval note per chunk (chunking design, "Contextualize"; rulings 6 and 23)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass

from app.documents.budget import APPROXIMATE, Embed, Unit
from app.documents.chat import ChatUsage
from app.documents.chunk import composed
from app.documents.contextualizing import (
    NotedChunk,
    NotedChunks,
    NoteEstimate,
    NoteFailure,
    NoteOptions,
    NoteTask,
    Outcome,
)
from app.documents.values import JsonObject, JsonValue
from app.errors import ChatModelNotConfigured, ChatModelUnavailable, NoteFailed
from app.operations.note_prompt import Excerpts, check_template, places, prompt
from app.operations.note_text import cut, refused, tidied
from app.ports.chat_model import ChatModel
from app.text.encodings import encoding
from app.text.tokens import approximate_tokens

#: Chunks in a row that the model does not answer for, before it is left alone.
GIVE_UP_AFTER = 8

NOT_CONFIGURED = "No chat model is configured: set CHAT_BASE_URL and CHAT_MODEL."

#: Told of every answer of the model, with the chunk's position and how many chunks are done with.
OnOutcome = Callable[[int, Outcome, int], Awaitable[None]]


async def _ignore(_position: int, _outcome: Outcome, _done: int) -> None:
    return


@dataclass(frozen=True, slots=True, kw_only=True)
class Contextualize:
    """Writes notes; nothing is stored."""

    #: None when none is configured.
    model: ChatModel | None
    #: Chunks of one task that are asked about at once.
    concurrency: int

    def check(self, task: NoteTask) -> None:
        """Refuse a task that could not be done; may wait for the download of an old encoding.

        Raises:
            ChatModelNotConfigured: there is nobody to ask.
            InvalidRequest: the template or the encoding is unknown.
        """
        if self.model is None:
            raise ChatModelNotConfigured(NOT_CONFIGURED)
        if task.options.template is not None:
            check_template(task.options.template)
        _counter(task.options)

    def estimate(self, task: NoteTask) -> NoteEstimate:
        """Reckon what a task will take."""
        calls = tokens = 0
        shown_before, shown_tokens = "", 0
        for _, chunk, shown in _asked(task, without=frozenset()):
            if shown != shown_before:
                shown_before, shown_tokens = shown, approximate_tokens(shown)
            without_document = prompt(chunk, "", task.options)
            calls += 1
            tokens += shown_tokens + approximate_tokens(without_document.system + without_document.user)
        return NoteEstimate(calls=calls, input_tokens=tokens)

    async def run(
        self, task: NoteTask, *, kept: Mapping[int, Outcome] | None = None, on_outcome: OnOutcome = _ignore
    ) -> NotedChunks:
        """Return the chunks with their notes; those without are listed and keep the context that they had.

        Args:
            task: One that `check` lets pass.
            kept: Outcomes of an earlier run, by position; these chunks are not asked about again.
            on_outcome: Told of every answer; what it raises ends the run.

        Raises:
            ChatModelNotConfigured: there is nobody to ask.
            ChatModelUnavailable: no prompt would be answered, as the key or the model's name is refused.
            NoteFailed: a chunk got no note, and the task is to fail at the first.
        """
        if self.model is None:
            raise ChatModelNotConfigured(NOT_CONFIGURED)
        outcomes = dict(kept or {})
        run = _Run(self.model, task, outcomes, on_outcome)
        await run.ask_all(self.concurrency)
        return await asyncio.to_thread(_result, task, outcomes)


class _Run:
    """One run over the chunks of a task."""

    def __init__(self, model: ChatModel, task: NoteTask, outcomes: dict[int, Outcome], on_outcome: OnOutcome) -> None:
        self._model = model
        self._task = task
        self._outcomes = outcomes
        self._on_outcome = on_outcome
        self._unanswered_in_a_row = 0

    async def ask_all(self, concurrency: int) -> None:
        """Ask about every chunk that has no outcome yet."""
        waiting = await asyncio.to_thread(_asked, self._task, without=frozenset(self._outcomes))

        async def take() -> None:
            for position, chunk, shown in waiting:
                await self._ask(position, chunk, shown)

        tasks = [asyncio.create_task(take()) for _ in range(concurrency)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, position: int, chunk: NotedChunk, shown: str) -> None:
        if self._unanswered_in_a_row >= GIVE_UP_AFTER:
            reason = f"Not asked: the chat model did not answer for {GIVE_UP_AFTER} chunks in a row."
            self._outcomes[position] = Outcome(reason=reason)
            return
        try:
            reply = await self._model.complete(prompt(chunk, shown, self._task.options))
        except ChatModelUnavailable as error:
            if error.lasting:
                raise
            self._unanswered_in_a_row += 1
            outcome = Outcome(reason=error.detail, usage=ChatUsage(requests=error.requests))
            self._outcomes[position] = outcome
        else:
            self._unanswered_in_a_row = 0
            refusal = refused(reply)
            note = tidied(reply.text) if refusal is None else ""
            outcome = Outcome(note=note, reason=refusal or "", usage=reply.usage)
            self._outcomes[position] = outcome
            await self._on_outcome(position, outcome, len(self._outcomes))
        if outcome.reason and self._task.options.fail_fast:
            raise NoteFailed(f"Chunk {position} got no note. {outcome.reason}")


def _asked(task: NoteTask, *, without: frozenset[int]) -> Iterator[tuple[int, NotedChunk, str]]:
    """Return position, chunk and the shown part of the document for each chunk to ask about; texts are made late."""
    chunks = [NotedChunk.of(chunk) for chunk in task.chunks]
    excerpts = Excerpts(task.document, task.options.document_max_chars)
    found = places(task.document, chunks)
    return (
        (position, chunk, excerpts.at(place, len(chunk.content)))
        for position, (chunk, place) in enumerate(zip(chunks, found, strict=True))
        if position not in without and task.wants(chunk)
    )


def _result(task: NoteTask, outcomes: Mapping[int, Outcome]) -> NotedChunks:
    chunks, failures = [], []
    for position, chunk in enumerate(task.chunks):
        outcome = outcomes.get(position, Outcome())
        chunks.append(_with_note(chunk, outcome.note, task.options))
        if outcome.reason:
            name = chunk.get("id")
            failures.append(
                NoteFailure(index=position, id=name if isinstance(name, str) else None, reason=outcome.reason)
            )
    usage = sum((outcome.usage for outcome in outcomes.values()), ChatUsage())
    return NotedChunks(chunks=tuple(chunks), failures=tuple(failures), usage=usage)


def _counter(options: NoteOptions) -> Callable[[str], int]:
    if options.encoding == APPROXIMATE:
        return lambda text: approximate_tokens(text, options.chars_per_token)
    return encoding(options.encoding).count


def _with_note(chunk: JsonObject, note: str, options: NoteOptions) -> JsonObject:
    """Return a chunk with its text built again, and measured; without a new note its own stays."""
    known = NotedChunk.of(chunk)
    count = _counter(options)

    def text_with(context: str) -> str:
        return composed(
            known.embed,
            header=known.header,
            context=context,
            overlap=known.overlap_text,
            content=known.content,
        )

    def fits(context: str) -> bool:
        text = text_with(context)
        return (
            options.chunk_size is None
            or (len(text) if options.unit is Unit.CHARS else count(text)) <= options.chunk_size
        )

    context = note or known.context
    if note and options.reserved and known.embed is not Embed.CONTENT:
        context = cut(note, fits) or note
    text = text_with(context)
    noted: dict[str, JsonValue] = {
        **chunk,
        "context": context,
        "text": text,
        "length": len(text),
        "tokens": count(text),
    }
    return noted if options.chunk_size is None else {**noted, "over_budget": not fits(context)}
