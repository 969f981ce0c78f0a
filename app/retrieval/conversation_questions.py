"""What retrieval asks about conversations beside what it asks about passages (conversations design, e)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.documents.decision import ChoiceQuestion, SharedState, WireQuestion, YesNoQuestion
from app.retrieval.questions import Answers

#: Characters of a speaker's slug.
SLUG_CHARS = 30

_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class MessageAnswers(Answers):
    """Does this message state the answer to the question?"""

    asks: ClassVar[str] = "Does this message, one of a conversation, state the answer to the question, or a part of it?"

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question, message = state.put("questions", self.question), state.put("passages", self.passage)
        return WireQuestion(
            type="noul",
            instructions=f"passages.{message} is a message of a conversation; its first line says who wrote it, and "
            f"when. Does it state the answer to questions.{question}, or a part of it?",
            criteria={
                "true": "It states what is asked for, fully or in part, whatever else it says.",
                "false": "It is only about the same subject, or somebody else's life, or about something else.",
            },
        )


@dataclass(frozen=True, slots=True)
class WhoseWords(ChoiceQuestion):
    """Whose words does the question ask for? Labels are slugs of the speakers' names, and `nobody`."""

    NOBODY: ClassVar[str] = "nobody"

    asks: ClassVar[str] = "Whose words does the question ask for, if one person's?"
    question: str
    #: Full names, each once.
    speakers: tuple[str, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [*slugs(self.speakers, taken=self.NOBODY), self.NOBODY]

    def speaker(self, label: str) -> int | None:
        """The position of the speaker whose label was chosen, or None for nobody."""
        return None if label == self.NOBODY else self.labels().index(label)

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        labels = self.labels()
        return WireQuestion(
            type="choice",
            instructions=f"Does questions.{question} ask for what one of these people said, wanted or thinks? Whom?",
            criteria=dict(zip(labels, (*self.speakers, "Nobody in particular."), strict=True)),
            labels={label: label for label in labels},
        )


@dataclass(frozen=True, slots=True)
class AddsToAnswer(YesNoQuestion):
    """Does this message add to the answer?"""

    asks: ClassVar[str] = "Does this message add a point of its own to the answer?"
    question: str
    #: With its header line, cut.
    message: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question, message = state.put("questions", self.question), state.put("passages", self.message)
        return WireQuestion(
            type="noul",
            instructions=f"A full answer to questions.{question} is gathered from what many messages say. Does "
            f"passages.{message} add a point to it?",
            criteria={
                "true": "It states something that a full answer would tell.",
                "false": "It says nothing about what is asked, or only carries the talk on.",
            },
        )


def slugs(names: Iterable[str], *, taken: str) -> list[str]:
    """Short labels for names, in order, all different from each other and from the one that is taken."""
    known = {taken}
    made: list[str] = []
    for name in names:
        base = _NO_WORD.sub("-", name.lower()).strip("-")[:SLUG_CHARS].rstrip("-") or "speaker"
        slug, number = base, 1
        while slug in known:
            number += 1
            slug = f"{base[: SLUG_CHARS - len(str(number)) - 1]}-{number}"
        known.add(slug)
        made.append(slug)
    return made
