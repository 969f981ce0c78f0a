"""What kind of text a section is, told from marks of the genre in its title, headings and opening."""

import functools
from collections.abc import Iterable, Sequence

import numpy as np
import regex

from app.adapters.decisions.offline.evaluator import choice
from app.adapters.decisions.offline.texts import Floats, Vocabulary
from app.adapters.decisions.offline.weights import linear, softmax
from app.documents.decision import Answer
from app.profiling.questions import SectionProfile

_IMPERATIVES = (
    "add|align|apply|attach|avoid|call|change|check|choose|clean|click|close|configure|connect|copy|create|cut|delete|"
    "disable|disconnect|do not|download|drill|edit|enable|ensure|enter|export|fasten|fill|follow|go to|hang|hold|"
    "import|insert|install|keep|launch|leave|log in|make sure|mark|measure|mount|move|navigate|never|open|pack|paste|"
    "place|plug|press|pull|push|put|read|release|remove|repeat|replace|reset|restart|restore|run|save|scroll|secure|"
    "select|send|set|sign in|start|stop|switch|tap|test|tighten|turn|type|unplug|update|upgrade|upload|use|verify|wait|"
    "write"
)
_START = r"(?:^|[.!?:]\s+|\n)\s*(?:[-*\u2022]\s+|\(?\d{1,2}[.)]\s+|step \d+\W+)?"

#: Marks found in the title or a heading: 1 or 0.
TITLE_CUES = {
    "title_procedural": r"\b(?:install\w*|set\W?up|getting started|quick\W?start|tutorial|how to|configur\w+|upgrad\w+|"
    r"deploy\w*|migrat\w+|runbook|procedures?|steps?|troubleshoot\w*|maintenance|assembly|build(?:ing)?|walkthrough)\b",
    "title_guidance": r"\b(?:faqs?|help|guides?|guidelines|tips?|best practices|questions|overview|introduction|about|"
    r"support|advice|returns?|refunds?|shipping|billing|welcome)\b",
    "title_normative": r"\b(?:terms|polic(?:y|ies)|agreement|licen[cs]e|contract|regulations?|act|by-?laws|code of|"
    r"standard|rules|clauses?|articles?|schedule|privacy|conditions|requirements|definitions|indemni\w+|liabilit\w+|"
    r"warrant\w+|termination|governing law|confidentiality)\b",
    "title_narrative": r"\b(?:history|report|case study|stor(?:y|ies)|article|review|biography|background|essay|news|"
    r"early life|legacy|reception|aftermath|culture|results|discussion|abstract|address|speech)\b",
    "title_reference": r"\b(?:api|reference|glossary|parameters|commands?|options|catalog(?:ue)?|specifications?|"
    r"error codes|endpoints?|functions?|methods|class(?:es)?|attributes|settings|changelog|release notes|properties|"
    r"appendix|index|price list|models?|version \d[\d.]*|changed|fixed|known issues|fault codes|technical data|scope of"
    r" delivery|dimensions)\b",
}
#: Marks counted in the text: how many make it full, and the pattern.
TEXT_CUES = {
    "imperatives": (4, rf"{_START}(?:please )?(?:{_IMPERATIVES})\b"),
    "numbered": (3, r"(?m)^\s*(?:step \d+|\d{1,2}[.)])\s+\w"),
    "then_next": (3, r"\b(?:then|next|finally|once (?:the|you|it)|after (?:that|the|you)|before you)\b"),
    "you": (4, r"\b(?:you|your|you're)\b"),
    "we": (3, r"\b(?:we|our|us)\b"),
    "questions": (2, r"\?(?:\s|$)"),
    "shall": (2, r"\b(?:shall|hereby|herein\w*|thereof|hereof|hereunder|hereto|pursuant|notwithstanding|whereas)\b"),
    "must": (
        2,
        r"\b(?:must|may not|is required to|are required to|is prohibited|are prohibited|is entitled|are entitled)\b",
    ),
    "parties": (
        2,
        r"\b(?:part(?:y|ies)|agreement|licen[cs]ee|licen[cs]or|customer agrees|undersigned|liable|warrant\w*)\b",
    ),
    "clauses": (2, r"(?:\b(?:section|clause|article|paragraph|regulation|schedule) \(?\d|§|^\s*\(?[a-z]\)\s)"),
    "defines": (1, r"[\"\u201c\u201d][^\"\u201c\u201d]{2,40}[\"\u201c\u201d]?\s+(?:means|shall mean|refers to)\b"),
    "past": (
        4,
        r"\b(?:was|were|had|did|became|began|went|came|made|took|wrote|led|held|said|found|moved|died|lived|won|lost)\b",
    ),
    "participles": (6, r"\b\p{L}{3,}ed\b"),
    "years": (2, r"\b(?:1[5-9]\d\d|20\d\d|\d{1,2}th century)\b"),
    "he_she": (2, r"\b(?:he|she|his|her|him)\b"),
    "names": (8, r"(?-i:(?<=\p{Ll}[, ] ?)\p{Lu}\p{Ll}+)"),
    "calls": (2, r"[\w.]+\([^()\n]{0,80}\)\s*(?:->|:|$)|`[^`\n]+`"),
    "flags": (2, r"(?:^|\s)--?[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"),
    "types": (
        2,
        r"\b(?:string|integer|boolean|default|optional|required|returns|parameters?|type|deprecated|object|array)\b",
    ),
    "terms": (3, r"(?m)^\s*(?:[-*\u2022]\s+)?(?:\*\*|`)?[\w .()/-]{2,40}(?:\*\*|`)?\s*(?::|\u2014|\u2013| - )\s+\S"),
    "table": (3, r"(?m)^\s*\|.*\||\t\S+\t"),
    "code": (1, r"```|^\s{4,}(?:\$|import |def |pip |npm |curl )"),
}
CUES = (*TITLE_CUES, *TEXT_CUES)


@functools.cache
def _pattern(cue: str) -> regex.Pattern[str]:
    """Compile a cue when it is first looked for: together they take a fifth of a second."""
    return regex.compile(f"(?i){TITLE_CUES[cue] if cue in TITLE_CUES else TEXT_CUES[cue][1]}")


class SectionProfileEvaluator:
    """What kind of text is this section?"""

    def texts(self, question: SectionProfile) -> Iterable[str]:
        """See `Evaluator.texts`. Cues are looked for in the section as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[SectionProfile]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [_choose(question) for question in questions]


def section_features(question: SectionProfile) -> list[float]:
    """Return how much of each cue a section has, 0 to 1, in the order of `CUES`."""
    titles = "\n".join((question.title, *question.headings))
    return [
        *(float(_pattern(cue).search(titles) is not None) for cue in TITLE_CUES),
        *(min(len(_pattern(cue).findall(question.opening)), full) / full for cue, (full, _) in TEXT_CUES.items()),
    ]


def _choose(question: SectionProfile) -> Answer | None:
    features: Floats = np.array([section_features(question)], dtype=np.float32)
    labels = question.labels()
    scores = [float(linear("section_profile", CUES, label).score(features)[0]) for label in labels]
    return choice(dict(zip(labels, softmax(scores), strict=True)))
