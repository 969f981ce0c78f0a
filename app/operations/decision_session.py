"""Asks typed questions for one job or request: once each, all together, counted (decisions design, "Asking well")."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from app.documents.decision import Answer, DecisionBatch, Question
from app.documents.job import DecisionUse
from app.errors import DecisionModelUnavailable
from app.operations.decision_batches import Batches, Request, bounded, prepare
from app.ports.decision_model import DecisionCache, DecisionModel

#: Called with the distinct questions done and in all.
Progress: TypeAlias = Callable[[int, int], Awaitable[None]]

#: What a hosted model costs; the offline engine reports no tokens (decisions design, "The wire").
USD_PER_INPUT_TOKEN = 0.042 / 1_000_000
#: A stage is given up after so many unanswered requests in a row: a dead server must not hold up a job for hours.
GIVE_UP_AFTER = 3


class DecisionSession:
    """Asks a decision model on behalf of one job or request, and keeps count. Its stages are asked one after another.

    Args:
        model: Who answers, or None when judging is off: then nothing is ever answered.
        cache: Earlier answers, or None to ask again.
        max_questions: Distinct questions that the session may ask, answers from the cache included.
    """

    def __init__(self, model: DecisionModel | None, cache: DecisionCache | None, *, max_questions: int) -> None:
        self._model = model
        self._cache = cache if model is not None and model.cacheable else None
        self._max_questions = max_questions
        self._taken = 0
        self._use = DecisionUse()
        # Dictionaries stand for ordered sets: names and stages are reported in the order in which they came up.
        self._answered_by: dict[str, None] = {}
        self._degraded: dict[str, None] = {}
        self._offline = model is not None and model.offline
        self._failure: str | None = None

    @property
    def model_name(self) -> str | None:
        """Who answered so far, joined by ` + ` if several did; before any answer, who is asked."""
        if self._answered_by:
            return " + ".join(self._answered_by)
        return self._model.name if self._model is not None else None

    @property
    def offline(self) -> bool:
        """True when the offline engine gave answers of the newest stage that got any (ruling 24)."""
        return self._offline

    @property
    def use(self) -> DecisionUse:
        """What asking took so far."""
        return replace(self._use, model=self.model_name, cost_usd=self._use.input_tokens * USD_PER_INPUT_TOKEN)

    @property
    def degraded(self) -> tuple[str, ...]:
        """Stages of which a whole request, or everything, stayed unanswered."""
        return tuple(self._degraded)

    @property
    def failure(self) -> str | None:
        """Why the last unanswered request or skipped stage has no answers."""
        return self._failure

    async def ask(
        self, stage: str, batches: Sequence[Sequence[Question]], on_progress: Progress | None = None
    ) -> list[tuple[Answer | None, ...]]:
        """Answer every question of every batch, in order; None stands for no answer.

        Equal questions are asked once. All requests go out together, each with questions of one batch. A stage that
        would pass `max_questions` is skipped whole (ruling 11). What `on_progress` raises stops the stage.
        """
        model = self._model
        prepared = prepare(model.name if model is not None else "", batches)
        answers: dict[str, Answer] = {}
        if model is None:
            self._note_failure(stage, "no decision model is configured")
        elif self._taken + prepared.count > self._max_questions:
            self._note_failure(
                stage,
                f"the stage takes {prepared.count} decision questions and "
                f"{self._max_questions - self._taken} are left of the limit of {self._max_questions}",
            )
        else:
            self._taken += prepared.count
            await self._collect(model, stage, prepared, answers, on_progress)
        results = [tuple(None if key is None else answers.get(key) for key in keys) for keys in prepared.keys]
        self._count(unanswered=_unanswered(prepared, answers))
        return results

    async def _collect(
        self,
        model: DecisionModel,
        stage: str,
        prepared: Batches,
        answers: dict[str, Answer],
        on_progress: Progress | None,
    ) -> None:
        answers.update(await self._cached(model, prepared))
        done = len(answers)
        requests = [part for request in prepared.requests for part in bounded(request, without=answers)]
        if done and on_progress is not None:
            await on_progress(done, prepared.count)
        tasks = {asyncio.create_task(self._send(model, stage, request)): request for request in requests}
        unanswered_in_a_row = 0
        offline = False
        try:
            while tasks and unanswered_in_a_row < GIVE_UP_AFTER:
                finished, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in finished:
                    batch, request = task.result(), tasks.pop(task)
                    unanswered_in_a_row = unanswered_in_a_row + 1 if batch is None else 0
                    if batch is not None:
                        offline = offline or batch.offline
                        answers.update(await self._receive(request, batch, offline=offline))
                    done += len(request)
                    if on_progress is not None:
                        await on_progress(done, prepared.count)
        finally:
            await _cancel(tasks)

    async def _cached(self, model: DecisionModel, prepared: Batches) -> dict[str, Answer]:
        if self._cache is None:
            return {}
        known = dict(await self._cache.get([key for request in prepared.requests for key in request]))
        if known:
            self._count(cached=len(known))
            self._note_answers(model.name, offline=model.offline)
        return known

    async def _send(self, model: DecisionModel, stage: str, request: Request) -> DecisionBatch | None:
        """Return what came back, or None when none of the questions got an answer."""
        try:
            batch = await model.answer([prepared.question for prepared in request.values()])
        except DecisionModelUnavailable as error:
            self._count(requests=1, questions=len(request))
            self._note_failure(stage, error.detail)
            return None
        self._count(requests=batch.requests, questions=len(request), input_tokens=batch.input_tokens)
        if all(answer is None for answer in batch.answers):
            self._note_failure(stage, f"{batch.model} gave no usable answer")
            return None
        return batch

    async def _receive(self, request: Request, batch: DecisionBatch, *, offline: bool) -> dict[str, Answer]:
        fresh = {key: answer for key, answer in zip(request, batch.answers, strict=True) if answer is not None}
        self._note_answers(batch.model, offline=offline)
        # A fallback's answers are its own: kept under the hosted model's key they would pass for that model's.
        if self._cache is not None and not batch.offline:
            await self._cache.put(fresh)
        return fresh

    def _note_answers(self, name: str, *, offline: bool) -> None:
        self._answered_by[name] = None
        self._offline = offline

    def _note_failure(self, stage: str, why: str) -> None:
        self._degraded[stage] = None
        self._failure = why

    def _count(
        self, *, requests: int = 0, questions: int = 0, cached: int = 0, unanswered: int = 0, input_tokens: int = 0
    ) -> None:
        use = self._use
        self._use = replace(
            use,
            requests=use.requests + requests,
            questions=use.questions + questions,
            cached=use.cached + cached,
            unanswered=use.unanswered + unanswered,
            input_tokens=use.input_tokens + input_tokens,
        )


def _unanswered(prepared: Batches, answers: dict[str, Answer]) -> int:
    never_sent = sum(keys.count(None) for keys in prepared.keys)
    return never_sent + sum(key not in answers for request in prepared.requests for key in request)


async def _cancel(tasks: Iterable[asyncio.Task[DecisionBatch | None]]) -> None:
    """Stop what is still running and wait for it, so that nothing outlives the stage."""
    running = list(tasks)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
