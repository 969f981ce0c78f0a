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
