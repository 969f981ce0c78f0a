"""A decision model that knows the right answers to the golden questions, and tells them over the wire."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.fakes.systemone_server import answers
from tests.golden.question_documents import JsonDict, squashed

#: A probability, a label, an answer as it stands on the wire, or None for no answer.
Told: TypeAlias = float | str | JsonDict | None
#: What is told, or who tells it of what is asked.
Telling: TypeAlias = "Told | Callable[[Asked], Told]"

_REFERENCE = re.compile(r"\b([a-z]+)\.([a-z]+_\d+)")


@dataclass
class Truth:
    """What is true of one document and of the questions to it, see `questions/README.md`.

    Raises StopIteration when it is asked something that it does not understand.
    """

    document: JsonDict
    #: What is answered in place of the truth by kind of question, the keys of `_SPOKEN`.
    instead: Mapping[str, Telling] = field(default_factory=dict)
    #: Kinds of question that were asked, one for each.
    asked: list[str] = field(default_factory=list)

    def answer(self, body: JsonDict) -> bytes:
        """Answer every question of a request."""
        said = {name: self._answer(question, body["state"]) for name, question in body["questions"].items()}
        return answers(**{name: answer for name, answer in said.items() if answer is not None})

    def _answer(self, question: JsonDict, state: Mapping[str, Mapping[str, str]]) -> JsonDict | None:
        kind = next(kind for kind, pattern in _SPOKEN.items() if pattern in question["instructions"])
        self.asked.append(kind)
        asked = Asked(question, state, self.document)
        telling = self.instead.get(kind, _TOLD[kind])
        told = telling(asked) if callable(telling) else telling
        if told is None or isinstance(told, dict):
            return told
        if isinstance(told, float):
            return {"type": "noul", "noul": told}
        labels = list(question["criteria"])
        shares = dict.fromkeys(labels, 0.1 / max(1, len(labels) - 1)) | {told: 0.9 if len(labels) > 1 else 1.0}
        return {"type": "choice", "choice": told, "confidence": shares[told], "probabilities": shares}


class Asked:
    """One question on the wire with what it is about."""

    def __init__(self, question: JsonDict, state: Mapping[str, Mapping[str, str]], document: JsonDict) -> None:
        self.labels: list[str] = list(question["criteria"])
        self.state, self.document = state, document
        named = _REFERENCE.findall(question["instructions"])
        #: Texts that the instructions name, in order, by group.
        self.texts = {group: [state[group][key] for of, key in named if of == group] for group, _ in named}
        own = self.texts.get("questions", [""])[0]
        self.truth: JsonDict = next((one for one in document.get("questions", ()) if one["ask"] == own), {})

    def passage_with(self, quotes: list[str], otherwise: str) -> str:
        """The label of the first passage that holds one of the quotes, in the order of these."""
        for quote in quotes:
            for label in self.labels:
                if quote in squashed(self.state["passages"].get(label, "")):
                    return label
        return otherwise

    def holds(self, quotes: Collection[str], *, place: int = 0, group: str = "passages") -> float:
        """0.9 when the text at a place holds one of the quotes, else 0.05."""
        text = squashed(self.texts[group][place])
        return 0.9 if any(quote in text for quote in quotes) else 0.05

    def states(self) -> float:
        """How sure it is that a passage answers: a little less for each that answers better."""
        text = squashed(self.texts["passages"][0])
        for place, quote in enumerate(self.truth.get("states", ())):
            if quote in text:
                return 0.9 - 0.02 * place
        return 0.45 if any(quote in text for quote in self.truth.get("weak", ())) else 0.05

    def profile(self) -> str:
        """The profile of a section, by the title that its text opens with."""
        sections = self.document["sections"]
        if isinstance(sections, str):
            return sections
        text = self.texts["sections"][0]
        return next(str(profile) for title, profile in sections.items() if title in text.split("\n\n")[0])

    def scope(self) -> str:
        """The scope of a full answer, where it is on offer."""
        wanted = str(self.truth.get("scope"))
        return wanted if wanted in self.labels else self.labels[0]

    def property(self) -> str:
        """The value that the question asks for."""
        wanted = ": ".join(self.truth.get("property", ()))
        return next((label for label in self.labels if self.state["values"].get(label) == wanted), "none")

    def terms(self) -> list[str]:
        """The document's terms that a definition defines."""
        return [term for term in self.document.get("terms", ()) if term in self.texts["definitions"][0]]

    def linked(self) -> list[str]:
        """What the answer needs of what is referred to."""
        return [*self.truth.get("linked", ()), *self.truth.get("linked_further", ())]


#: What is characteristic of each kind of question.
_SPOKEN = {
    "answers": "state the answer to",
    "scope": "How much text does a full answer",
    "best": "best by itself",
    "profile": "What kind of text is",
    "same subject": "treat the same specific subject",
    "depends": "miss something that",
    "needs": "Must they see the earlier one too",
    "defines": "is the beginning of a passage of a contract",
    "uses term": "use a term in the very meaning",
    "complete": "hold everything that a full answer",
    "named step": "Which passage is the step that it names",
    "direction": "which step does it ask for",
    "beside": "Is it the step that is asked for",
    "linked": "refers to the other",
    "definition": "turn on that definition",
    "deciding": "defines the term that decides",
    "named entry": "is the entry named",
    "property": "may ask for all entries",
}

_TOLD: Mapping[str, Callable[[Asked], Told]] = {
    "answers": Asked.states,
    "scope": Asked.scope,
    "best": lambda asked: asked.passage_with(asked.truth.get("states", []), asked.labels[0]),
    "profile": Asked.profile,
    "same subject": lambda _: 0.9,
    "depends": lambda _: 0.1,
    "needs": lambda asked: asked.holds(asked.document.get("needs", ()), place=1),
    "defines": lambda asked: asked.holds(asked.document.get("defines", ())),
    "uses term": lambda asked: asked.holds(asked.terms()),
    "complete": lambda asked: 0.9 if asked.truth.get("complete", True) else 0.1,
    "named step": lambda asked: asked.passage_with([asked.truth["named"]] if "named" in asked.truth else [], "none"),
    "direction": lambda asked: str(asked.truth.get("direction", "next")),
    "beside": lambda asked: asked.holds(asked.truth.get("beside", ())),
    "linked": lambda asked: asked.holds(asked.linked(), place=-1),
    "definition": lambda asked: asked.holds(asked.truth.get("turns_on", ()), place=1),
    "deciding": lambda _: "none",
    "named entry": lambda asked: 0.9 if asked.texts["names"][0] in asked.truth.get("named_entries", ()) else 0.1,
    "property": Asked.property,
}
