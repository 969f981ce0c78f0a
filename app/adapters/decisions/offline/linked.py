"""Whether an answer needs a text that the passage beside it refers to, or whose term it uses.

Evidence is what of the question the linked text holds, most of all what the passage lacks, and for a definition whether
the question uses the defined term. References to a number (`Section 3.1`) share few words with what they lead to, so
these answers stay near the middle more often than others.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import regex

from app.adapters.decisions.offline.answering import FEATURES, Asked, passage_features
from app.adapters.decisions.offline.evaluator import choice, yes_no
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic, softmax
from app.adapters.decisions.offline.words import fold_case
from app.documents.decision import Answer
from app.retrieval.questions import DecidingDefinition, NeedsLinked, TurnsOnDefinition

#: Columns for a reference; a definition has one more.
LINKED = ("coverage", "adds", "cosine")
DEFINITION = (*LINKED, "asked_term")

#: A term in quotation marks or emphasis.
_TERM = regex.compile(
    r"[\"\u201c\u2018\u00ab]([^\"\u201d\u2019\u00bb\n]{3,60})[\"\u201d\u2019\u00bb]|\*{1,2}([^*\n]{3,60})\*{1,2}"
)


class NeedsLinkedEvaluator:
    """Does the answer need what is referred to?"""

    def texts(self, question: NeedsLinked) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.passage, question.linked)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[NeedsLinked]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [_features(vocabulary, each.question, each.passage, each.linked) for each in questions]
        scores = linear("needs_linked", LINKED).score(np.array(rows, dtype=np.float32))
        return [yes_no(share) for share in logistic(scores)]


class TurnsOnDefinitionEvaluator:
    """Does the answer turn on the definition?"""

    def texts(self, question: TurnsOnDefinition) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.passage, question.definition)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[TurnsOnDefinition]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [
            [
                *_features(vocabulary, each.question, each.passage, each.definition),
                _asked_term(each.question, each.definition),
            ]
            for each in questions
        ]
        scores = linear("turns_on_definition", DEFINITION).score(np.array(rows, dtype=np.float32))
        return [yes_no(share) for share in logistic(scores)]


class DecidingDefinitionEvaluator:
    """Which definition decides? The one that does most by itself, if any is more likely than not to."""

    def texts(self, question: DecidingDefinition) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, *question.definitions)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[DecidingDefinition]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        return [self._choose(vocabulary, question) for question in questions]

    def _choose(self, vocabulary: Vocabulary, question: DecidingDefinition) -> Answer | None:
        rows = [
            [*_features(vocabulary, question.question, None, each), _asked_term(question.question, each)]
            for each in question.definitions
        ]
        features = np.array(rows, dtype=np.float32).reshape(len(rows), len(DEFINITION))
        scores = linear("turns_on_definition", DEFINITION).score(features)
        return choice(dict(zip(question.labels(), softmax([*scores.tolist(), 0.0]), strict=True)))


def _features(vocabulary: Vocabulary, question: str, passage: str | None, linked: str) -> list[float]:
    evidence = dict(zip(FEATURES, passage_features(vocabulary, question, linked), strict=True))
    return [evidence["coverage"], _adds(vocabulary, question, passage, linked), evidence["cosine"]]


def _adds(vocabulary: Vocabulary, question: str, passage: str | None, linked: str) -> float:
    """Weight of the question's terms that the linked text holds and the passage lacks; of none when it is unknown."""
    if passage is None:
        return 0.0
    asked = Asked.of(vocabulary, question)
    held, known = (asked.exact[:, vocabulary.text(each).words].any(axis=1) for each in (linked, passage))
    return float(asked.weights @ (held & ~known))


def _asked_term(question: str, definition: str) -> float:
    """1 when the question uses a term that the text puts in quotation marks or emphasis, else 0."""
    asked = fold_case(question)
    terms = (found[1] or found[2] for found in _TERM.finditer(definition))
    return float(any(fold_case(term).strip() in asked for term in terms))
