"""What profiling asks about a section (retrieval design, "Sections")."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.documents.decision import ChoiceQuestion, SharedState, WireQuestion
from app.documents.profile import Profile

CRITERIA: dict[Profile, str] = {
    Profile.GUIDANCE: "Helps people do or know something: help article, guide, FAQ, advice.",
    Profile.NORMATIVE: "Binds somebody: terms, licence, policy, contract, regulation, standard.",
    Profile.NARRATIVE: "Tells or reports: article, history, report, case study, essay.",
    Profile.PROCEDURAL: "Gives steps to carry out in order: installation guide, manual, runbook, tutorial.",
    Profile.REFERENCE: "Lists entries to look up: API reference, glossary, catalogue, specification table.",
}


@dataclass(frozen=True, slots=True)
class SectionProfile(ChoiceQuestion):
    """What kind of text is this section?"""

    asks: ClassVar[str] = "What kind of text is this section?"
    title: str
    #: The first 600 characters of the section.
    opening: str
    #: Up to 20 deeper headings.
    headings: tuple[str, ...] = ()

    def labels(self) -> Sequence[str]:
        """See `ChoiceQuestion.labels`."""
        return [profile.value for profile in CRITERIA]

    def render(self, state: SharedState) -> WireQuestion:
        """See `Question.render`."""
        headings = f"\nHeadings: {'; '.join(self.headings)}" if self.headings else ""
        section = state.put("sections", f"Title: {self.title}{headings}\n\n{self.opening}")
        return WireQuestion(
            type="choice",
            instructions=f"What kind of text is sections.{section}? Judge by what it is for, not by its subject.",
            criteria={profile.value: description for profile, description in CRITERIA.items()},
            labels={profile.value: profile.value for profile in CRITERIA},
        )
