"""Which entries, or which property of entries, a question asks for."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import regex

from app.adapters.decisions.offline.answering import FEATURES, Asked, passage_features
from app.adapters.decisions.offline.evaluator import choice, yes_no
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic, softmax
from app.documents.decision import Answer
from app.documents.entry_property import Property
from app.retrieval.reference_questions import IsEntryAskedFor, PropertyAskedFor

#: How a question speaks of the fields that ingestion reads from members; other fields are spoken of by their names.
_SPOKEN: Mapping[str, str] = {
    "parameters": r"parameters?|arguments?|options?|keywords?|accept\w*|tak(?:e|es|ing)|pass\w*",
    "versions": r"versions?|releases?|since|new|added|introduced|changed|deprecated|removed",
    "exceptions": r"exceptions?|errors?|rais\w+|throw\w*|fail\w*|warnings?",
}
#: Not an everyday word: two words or more, a digit, a mark, or a capital inside.
_UNUSUAL = regex.compile(r"\s|[\d_.:#$]|(?<=\w)\p{Lu}")


class IsEntryAskedForEvaluator:
    """Does the question mean the entry whose name it holds? An unusual name is meant; an everyday word may not be."""

    NAMES = ("unusual", "coverage", "cosine")

    def texts(self, question: IsEntryAskedFor) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.passage)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[IsEntryAskedFor]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [self._features(vocabulary, question) for question in questions]
        scores = linear("is_entry_asked_for", self.NAMES).score(np.array(rows, dtype=np.float32))
        return [yes_no(share) for share in logistic(scores)]

    def _features(self, vocabulary: Vocabulary, question: IsEntryAskedFor) -> list[float]:
        evidence = passage_features(vocabulary, question.question, question.passage)
        unusual = float(bool(_UNUSUAL.search(question.name)))
        return [unusual, evidence[FEATURES.index("coverage")], evidence[FEATURES.index("cosine")]]


class PropertyAskedForEvaluator:
    """Which property does the question ask for? The one whose field it speaks of, and that makes up most of it."""

    NAMES = ("field", "share", "several")

    def texts(self, question: PropertyAskedFor) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, *(one.value for one in question.properties))

    def answer(self, vocabulary: Vocabulary, questions: Sequence[PropertyAskedFor]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        return [self._choose(vocabulary, question) for question in questions]

    def _choose(self, vocabulary: Vocabulary, question: PropertyAskedFor) -> Answer | None:
        asked = Asked.of(vocabulary, question.question)
        rows = [
            [_speaks_of(question.question, one.field), _share(vocabulary, asked, one), float(one.entries > 1)]
            for one in question.properties
        ]
        features = np.array(rows, dtype=np.float32).reshape(len(rows), len(self.NAMES))
        scores = linear("property_asked_for", self.NAMES).score(features)
        return choice(dict(zip(question.labels(), softmax([*scores.tolist(), 0.0]), strict=True)))


def _speaks_of(question: str, field: str) -> float:
    spoken = _SPOKEN.get(field)
    pattern = spoken or "|".join(regex.escape(word) for word in regex.findall(r"\w{3,}", field)) or r"\Z\A"
    return float(bool(regex.search(rf"(?i)\b(?:{pattern})", question)))


def _share(vocabulary: Vocabulary, asked: Asked, one: Property) -> float:
    """The weighted share of the question's terms that the value holds."""
    held = vocabulary.text(one.value).words
    if not len(held) or not len(asked.terms):
        return 0.0
    return float(asked.weights @ asked.exact[:, held].any(axis=1))
