"""Typed questions to a decision model, and its answers (decisions design).

A question is data: what it asks, and how it reads on the wire. It lives with the feature that asks it and subclasses
`YesNoQuestion` or `ChoiceQuestion`. The hosted adapter renders it; the offline engine has one evaluator per class and
never sees the rendering.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias


@dataclass(frozen=True, slots=True)
class YesNo:
    """Answer of kind `noul`: the probability of yes, 0 to 1."""

    probability: float


@dataclass(frozen=True, slots=True)
class Choice:
    """Answer of kind `choice`: one of the question's labels, and a probability for each."""

    label: str
    confidence: float
    probabilities: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Score:
    """Answer of kind `score`: a level of an ordered rubric, and a probability for each."""

    level: int
    confidence: float
    probabilities: Mapping[int, float]


Answer: TypeAlias = YesNo | Choice | Score


class SharedState:
    """Collects the texts that a batch of questions talks about; equal texts of one group are sent once.

    `put("passages", text)` stores the text and returns its key, such as `p0`, for use in instructions.
    """

    def __init__(self) -> None:
        self._groups: dict[str, dict[str, str]] = {}
        self._keys: dict[tuple[str, str], str] = {}

    def put(self, group: str, text: str) -> str:
        """Store `text` in `group` once and return its key there: the group's first letters and a number."""
        known = self._keys.get((group, text))
        if known is not None:
            return known
        members = self._groups.setdefault(group, {})
        key = f"{group.rstrip('s')}_{len(members)}"
        members[key] = text
        self._keys[group, text] = key
        return key

    def as_json(self) -> dict[str, dict[str, str]]:
        """The `state` object of the wire: group, key, text."""
        return {group: dict(members) for group, members in self._groups.items()}


@dataclass(frozen=True, slots=True)
class WireQuestion:
    """One question as the System One protocol carries it.

    For a choice, `criteria` has one entry per label in the order of `labels`, which maps wire labels back to the
    question's own.
    """

    type: str
    instructions: str
    criteria: Mapping[str, str | None]
    labels: Mapping[str, str] = field(default_factory=dict)


class Question(ABC):
    """A judgement that code needs. Subclasses are frozen dataclasses named for what they ask."""

    __slots__ = ()

    #: Changes when the wording changes, so that cached answers to the old wording are not used.
    version: ClassVar[int] = 1
    #: One sentence for the table of questions under `spec/`.
    asks: ClassVar[str]

    @abstractmethod
    def render(self, state: SharedState) -> WireQuestion:
        """Put this question's share of the state into `state` and return what to ask about it."""


class YesNoQuestion(Question):
    """A question answered by a probability of yes."""

    __slots__ = ()


class ChoiceQuestion(Question):
    """A question answered by one of its labels."""

    __slots__ = ()

    @abstractmethod
    def labels(self) -> Sequence[str]:
        """The labels on offer, in order. A choice without labels is never sent and counts as unanswered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionBatch:
    """What a decision model returned for one request: an answer or None per question, in order."""

    answers: tuple[Answer | None, ...]
    model: str
    input_tokens: int = 0
    #: Requests that went over the wire, retries included.
    requests: int = 1
    #: True when the engine that ships with the product answered; such answers are never kept under another name.
    offline: bool = False
