"""What retrieval asks about the entries of reference documents (retrieval design, "Retrieval", step 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.documents.decision import ChoiceQuestion, SharedState, WireQuestion, YesNoQuestion
from app.documents.entry_property import Property


@dataclass(frozen=True, slots=True)
class IsEntryAskedFor(YesNoQuestion):
    """Is this entry, whose name the question holds, one that it asks about?"""

    asks: ClassVar[str] = "Is this entry, whose name stands in the question, one of those that it asks about?"
    question: str
    name: str
    #: Heading path and text, cut to `passage_chars`.
    passage: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question, passage = state.put("questions", self.question), state.put("passages", self.passage)
        name = state.put("names", self.name)
        return WireQuestion(
            type="noul",
            instructions=f"passages.{passage} is the entry named names.{name}. Is it one of the things that "
            f"questions.{question} asks about?",
            criteria={
                "true": "The question means this entry: it asks about it, or compares it with others.",
                "false": "The name only happens to stand in the question, or means something else there.",
            },
        )


@dataclass(frozen=True, slots=True)
class PropertyAskedFor(ChoiceQuestion):
    """Which property do the entries have that the question asks for? Labels are positions, and `none`."""

    NONE: ClassVar[str] = "none"

    asks: ClassVar[str] = "Which property do the entries have that the question asks for?"
    question: str
    properties: tuple[Property, ...]

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [*(str(position) for position in range(len(self.properties))), self.NONE]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        question = state.put("questions", self.question)
        criteria: dict[str, str | None] = {}
        labels: dict[str, str] = {}
        for position, one in enumerate(self.properties):
            many = "1 entry has" if one.entries == 1 else f"{one.entries} entries have"
            label = state.put("values", f"{one.field}: {one.value}")
            criteria[label] = f"{many} it."
            labels[label] = str(position)
        return WireQuestion(
            type="choice",
            instructions=f"questions.{question} may ask for all entries that have one of these values. Which?",
            criteria={**criteria, self.NONE: "It asks for no entries by a property, or by none of these."},
            labels={**labels, self.NONE: self.NONE},
        )
