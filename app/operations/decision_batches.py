"""Preparing typed questions for a decision model: one key per distinct question, requests of bounded size."""

import hashlib
import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.documents.decision import ChoiceQuestion, Question, SharedState

#: Characters of state, instructions and criteria that one request carries at most; a longer question goes alone.
MAX_BATCH_CHARS = 60_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question with what it puts on the wire."""

    question: Question
    #: (group, text) pairs that it needs in the state; a request sends equal ones once.
    texts: frozenset[tuple[str, str]]
    #: Characters of its instructions, criteria and labels.
    prompt_chars: int


#: Distinct questions by key, in the order in which they were first seen.
Request: TypeAlias = dict[str, Prepared]


@dataclass(frozen=True, slots=True)
class Batches:
    """What a stage asks, with equal questions merged."""

    #: Per batch, per question: its key, or None for a choice without labels, which is never sent.
    keys: tuple[tuple[str | None, ...], ...]
    #: Per batch, the questions that no earlier batch holds.
    requests: tuple[Request, ...]

    @property
    def count(self) -> int:
        """Distinct questions."""
        return sum(len(request) for request in self.requests)


def prepare(model: str, batches: Sequence[Sequence[Question]]) -> Batches:
    """Give every question its key for the decision model of that name, and find the distinct ones."""
    seen: set[str] = set()
    keys, requests = [], []
    for batch in batches:
        batch_keys: list[str | None] = []
        request: Request = {}
        for question in batch:
            if isinstance(question, ChoiceQuestion) and not question.labels():
                batch_keys.append(None)
                continue
            key, prepared = _prepare_question(model, question)
            batch_keys.append(key)
            if key not in seen:
                seen.add(key)
                request[key] = prepared
        keys.append(tuple(batch_keys))
        requests.append(request)
    return Batches(keys=tuple(keys), requests=tuple(requests))


def bounded(request: Request, *, without: Container[str]) -> Iterator[Request]:
    """Leave out the questions whose key is in `without`, and cut the rest into requests of `MAX_BATCH_CHARS`."""
    part: Request = {}
    texts: set[tuple[str, str]] = set()
    chars = 0
    for key, prepared in request.items():
        if key in without:
            continue
        growth = prepared.prompt_chars + _chars(prepared.texts - texts)
        if part and chars + growth > MAX_BATCH_CHARS:
            yield part
            part, texts, chars = {}, set(), 0
            growth = prepared.prompt_chars + _chars(prepared.texts)
        part[key] = prepared
        texts |= prepared.texts
        chars += growth
    if part:
        yield part


def _prepare_question(model: str, question: Question) -> tuple[str, Prepared]:
    state = SharedState()
    wire = question.render(state)
    groups = state.as_json()
    prompt = [wire.type, wire.instructions, dict(wire.criteria), dict(wire.labels)]
    identity = [model, type(question).__name__, type(question).version, groups, *prompt]
    key = hashlib.sha256(json.dumps(identity).encode("ascii")).hexdigest()
    texts = frozenset((group, text) for group, members in groups.items() for text in members.values())
    prompt_chars = len(wire.instructions) + _criteria_chars(wire.criteria)
    return key, Prepared(question=question, texts=texts, prompt_chars=prompt_chars)


def _criteria_chars(criteria: Mapping[str, str | None]) -> int:
    return sum(len(label) + len(description or "") for label, description in criteria.items())


def _chars(texts: frozenset[tuple[str, str]]) -> int:
    return sum(len(text) for _, text in texts)
