"""What chunking asks about a seam between two passages (chunking design, strategy `topic`, rule 2)."""

from dataclasses import dataclass
from typing import ClassVar

from app.documents.decision import SharedState, WireQuestion, YesNoQuestion


@dataclass(frozen=True, slots=True)
class ContinuesSubject(YesNoQuestion):
    """Is the second passage about the same specific subject as the first?"""

    asks: ClassVar[str] = "Is the second passage about the same specific subject as the first?"
    #: End of the text before the seam.
    first: str
    #: Start of the text after it.
    second: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        first, second = state.put("passages", self.first), state.put("passages", self.second)
        return WireQuestion(
            type="noul",
            instructions=f"Read passages.{first} and passages.{second}, which follow each other in one document. "
            "Do they treat the same specific subject?",
            criteria={
                "true": "The second goes on about the specific subject of the first.",
                "false": "The second turns to another subject, even if the wider theme stays.",
            },
        )


@dataclass(frozen=True, slots=True)
class DependsOn(YesNoQuestion):
    """Does the second passage need the first to be understood?"""

    asks: ClassVar[str] = "Does the second passage need the first to be understood?"
    #: End of the text before the seam.
    first: str
    #: Start of the text after it.
    second: str

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        first, second = state.put("passages", self.first), state.put("passages", self.second)
        return WireQuestion(
            type="noul",
            instructions=f"Would a reader who sees only passages.{second} miss something that passages.{first}, "
            "which stands right before it, provides?",
            criteria={
                "true": "The second refers back to the first: an example of its rule, a step it introduces, a word "
                "such as 'this' that points there.",
                "false": "The second can be understood by itself.",
            },
        )
