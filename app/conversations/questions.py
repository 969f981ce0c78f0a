"""What linking asks about the messages of a conversation (conversations design, c.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.documents.decision import ChoiceQuestion, SharedState, WireQuestion, YesNoQuestion

#: The label of a choice that none of the messages on offer fits.
NONE = "none"


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it is shown: who said it, when that is known, and its words, cut to what the question allows."""

    who: str | None
    words: str

    @property
    def line(self) -> str:
        """Return both as one text."""
        return self.words if self.who is None else f"{self.who}: {self.words}"


@dataclass(frozen=True, slots=True)
class ReplyTo(ChoiceQuestion):
    """Which earlier message does this one take up? Labels are positions in `earlier`, and `none`."""

    asks: ClassVar[str] = "Which earlier message does this one directly answer, agree or disagree with, or take up?"
    #: First 400 characters of each.
    message: Said
    #: The nearest first.
    earlier: tuple[Said, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return _labels(self.earlier)

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`. Equal messages share a wire label, which then stands for the nearest of them."""
        message, labels = state.put("messages", self.message.line), _positions(state, self.earlier)
        return WireQuestion(
            type="choice",
            instructions=f"In a conversation messages.{message} came after the messages on offer, of which the first "
            "is the latest. Which one of them does it respond to: whose question does it answer, with whom does it "
            "agree or disagree, or whose point does it take further?",
            criteria={**dict.fromkeys(labels), NONE: "It responds to none of them: it opens a new point."},
            labels={**labels, NONE: NONE},
        )


@dataclass(frozen=True, slots=True)
class RecordsOutcome(YesNoQuestion):
    """Does this message record an outcome?"""

    asks: ClassVar[str] = "Does this message record what was decided, agreed, accepted, rejected or concluded?"
    #: All of it up to 600 characters, else the first and last 300.
    message: Said

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        message = state.put("messages", self.message.line)
        return WireQuestion(
            type="noul",
            instructions=f"messages.{message} is from a conversation. Does it put on record how a matter was settled?",
            criteria={
                "true": "It states what was decided, agreed, accepted, rejected or concluded.",
                "false": "It argues, asks, proposes, informs or comments, and the matter stays open or is no matter to "
                "be settled.",
            },
        )


@dataclass(frozen=True, slots=True)
class SettlesWhat(ChoiceQuestion):
    """Which earlier message does this outcome settle? Labels are positions in `earlier`, and `none`."""

    asks: ClassVar[str] = "Which earlier message does this outcome settle?"
    #: All of it up to 800 characters, else the first and last 400.
    outcome: Said
    #: First 400 characters of each.
    earlier: tuple[Said, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return _labels(self.earlier)

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`. Equal messages share a wire label, which then stands for the first of them."""
        outcome, labels = state.put("outcomes", self.outcome.line), _positions(state, self.earlier)
        return WireQuestion(
            type="choice",
            instructions=f"outcomes.{outcome} records how a matter was settled. In which earlier message was that "
            "matter raised: the proposal, request, motion or question that it settles?",
            criteria={**dict.fromkeys(labels), NONE: "None of these messages raised what it settles."},
            labels={**labels, NONE: NONE},
        )


@dataclass(frozen=True, slots=True)
class Corrects(YesNoQuestion):
    """Does the later message correct the earlier one?"""

    asks: ClassVar[str] = (
        "Does the later message say that a fact, figure or position of the earlier one is wrong, incomplete, outdated "
        "or withdrawn?"
    )
    #: All of each up to 500 characters, else the first and last 250.
    later: Said
    earlier: Said

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        later, earlier = state.put("messages", self.later.line), state.put("messages", self.earlier.line)
        return WireQuestion(
            type="noul",
            instructions=f"messages.{later} came later in a conversation than messages.{earlier}. Does it correct or "
            f"update what messages.{earlier} says?",
            criteria={
                "true": "By the later one a fact, figure or position of the earlier one is wrong, incomplete, out of "
                "date or withdrawn.",
                "false": "It agrees, adds, answers, asks, or is about something else: what the earlier one says still "
                "holds.",
            },
        )


def _labels(earlier: Sequence[Said]) -> list[str]:
    return [*(str(position) for position in range(len(earlier))), NONE]


def _positions(state: SharedState, earlier: Sequence[Said]) -> dict[str, str]:
    """Wire labels of messages by their positions; equal ones share the label of the first."""
    labels: dict[str, str] = {}
    for position, each in enumerate(earlier):
        labels.setdefault(state.put("messages", each.line), str(position))
    return labels
