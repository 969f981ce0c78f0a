"""How much of the documents a question needs, told from its words alone."""

from collections.abc import Iterable, Sequence

import numpy as np
import regex

from app.adapters.decisions.offline.evaluator import choice
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import linear, softmax
from app.documents.decision import Answer
from app.retrieval.questions import AnswerScope

#: What speaks for several places, each as a pattern that is found in the question or not.
CUES = {
    "lists": r"\b(?:list|enumerate|name all|summari[sz]e|overview|outline)\b",
    "all": r"\b(?:all|every|each|any other|various|different (?:kinds|types|ways))\b",
    "compares": r"\b(?:compar\w+|differ\w*|versus|vs\.?|better|contrast\w*|distinguish\w*|similarit\w+|advantages?)\b",
    "plural": r"^\W*(?:what|which)\s+(?:(?:\w+\s+){0,2}\w+s\s+(?:are|were|do|did|have|can)|are|were)\b",
    "two": r"\b(?:two|three|four|both|several|multiple)\b",
    "parts": r"\b(?:and (?:what|how|when|where|why|who|which)|as well as)\b",
    "ways": r"^\W*(?:how (?:can|do|does|should|to)|in what ways?)\b",
    "single": r"^\W*(?:when|where|who|whose|is|are|does|do|can|may|must|how (?:much|many|long|old|far|soon|often))\b",
}
_PATTERNS = {name: regex.compile(f"(?i){pattern}") for name, pattern in CUES.items()}
_ONE = "one passage"


class AnswerScopeEvaluator:
    """How much does a full answer take? One passage, unless the question's words speak for more."""

    def texts(self, question: AnswerScope) -> Iterable[str]:
        """See `Evaluator.texts`. Cues are looked for in the question as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[AnswerScope]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [_choose(question) for question in questions]


def _choose(question: AnswerScope) -> Answer | None:
    labels = question.labels()
    if not labels:
        return None
    features = np.array([[float(bool(pattern.search(question.question))) for pattern in _PATTERNS.values()]])
    several = float(linear("answer_scope", tuple(CUES)).score(features.astype(np.float32))[0])
    shares = softmax([0.0 if label == _ONE else several for label in labels])
    return choice(dict(zip(labels, shares, strict=True)))
