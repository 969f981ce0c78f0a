"""What linking asks about pairs of passages (retrieval design, "Links of prose")."""

from dataclasses import dataclass
from typing import ClassVar

from app.documents.decision import SharedState, WireQuestion, YesNoQuestion


@dataclass(frozen=True, slots=True)
class NeedsPrevious(YesNoQuestion):
    """Does a reader of this passage need the passage before it?"""

    asks: ClassVar[str] = "Does a reader of this passage need the passage before it?"
    #: Last 300 characters of the passage before.
    previous: str
    #: First 300 characters of the passage.
    passage: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        previous, passage = state.put("passages", self.previous), state.put("passages", self.passage)
        return WireQuestion(
            type="noul",
            instructions=f"passages.{previous} ends right before passages.{passage} begins. Somebody is shown only the "
            "later one as the answer to a question. Must they see the earlier one too?",
            criteria={
                "true": "Without the earlier passage the later one misleads or can't be understood: it is an example, "
                "an exception, a continuation or a step of what was said there.",
                "false": "The later passage stands by itself.",
            },
        )


@dataclass(frozen=True, slots=True)
class DefinesTerms(YesNoQuestion):
    """Does this passage define terms?"""

    asks: ClassVar[str] = "Does this passage define terms that other passages use?"
    #: First 500 characters of the passage, headings included.
    passage: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        passage = state.put("passages", self.passage)
        return WireQuestion(
            type="noul",
            instructions=f"passages.{passage} is the beginning of a passage of a contract, policy or regulation. Does "
            "it say what a term means wherever the document uses it?",
            criteria={
                "true": "It fixes the meaning of at least one term: it stands under definitions, or says that a word "
                "or name means, includes or stands for something.",
                "false": "It uses terms, grants rights, sets duties or tells facts, and fixes no meaning.",
            },
        )


@dataclass(frozen=True, slots=True)
class UsesDefinedTerm(YesNoQuestion):
    """Does this passage use a term that the other one defines?"""

    asks: ClassVar[str] = "Does this passage use a term that the other passage defines?"
    #: 500 characters of the passage around a word that both hold.
    passage: str
    #: 700 characters of the other one around that word.
    definition: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        definition, passage = state.put("definitions", self.definition), state.put("passages", self.passage)
        return WireQuestion(
            type="noul",
            instructions=f"definitions.{definition} and passages.{passage} are from one document. Does "
            f"passages.{passage} use a term in the very meaning that definitions.{definition} gives it?",
            criteria={
                "true": "It uses a term that is defined there, so its reader may have to know the definition.",
                "false": "What both mention is an ordinary word or is not defined there, or the passage does not use "
                "it.",
            },
        )
