"""Whether a passage answers a question, which one does best, and whether several do so in full.

Evidence is how much of the question is found (by word, by near words, close together, under the heading), how near the
vectors are, and whether a question about time meets one. Other cues by the kind of answer (a number for `how many`, a
name for `who`, a reason for `why`) were tried on the development questions and told nothing: most passages hold one.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import regex

from app.adapters.decisions.offline.evaluator import choice, yes_no
from app.adapters.decisions.offline.texts import Floats, Numbers, Text, Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic, number, softmax
from app.documents.decision import Answer
from app.retrieval.questions import Answers, BestPassage, IsComplete

#: Columns of `passage_features`; all but the last are 0 to 1.
FEATURES = (
    "coverage",  # weighted share of the question's terms that the passage holds
    "window",  # the same of its best two sentences
    "rarest",  # whether it holds the rarest term
    "missing",  # weight of the rarest term that it lacks, beside the rarest of all
    "near",  # coverage, with the nearest word of the passage standing in for a missing one
    "pairs",  # share of neighbouring terms that stand within three words of each other
    "heading",  # coverage by its heading
    "cosine",  # of question and passage
    "sentence_cosine",  # of question and nearest sentence
    "terms",  # how many terms the question has, up to eight: few matched terms of few prove little
    "time",  # asked about time: 1 when the best window holds one, -1 when not, else 0
)
_MANY_TERMS = 8
_REACH = 3

_SPELLED = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|sixty|ninety|hundred"
_SPAN = r"(?:second|minute|hour|day|week|month|quarter|year|decade)s?|centur(?:y|ies)"
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_AUXILIARY = "is|was|were|are|did|does|do|will|can|must|has|have|should"
#: A question word further in than five words belongs to a clause, not to what is asked.
_ASKS_TIME = regex.compile(
    rf"(?i)^\W*(?:\w+\W+){{0,4}}?(?:how (?:long|soon|quickly)|when (?:{_AUXILIARY})|"
    r"(?:what|which) (?:year|date|day|month|century|decade))\b"
)
_TIME = regex.compile(
    rf"\b(?:1\d{{3}}|20\d\d)\b|\b(?:{_MONTH})\b|(?i:(?:\d|\b(?:{_SPELLED})\b)[^.]{{0,30}}\b(?:{_SPAN})\b)"
)

Flags: TypeAlias = npt.NDArray[np.bool_]


class AnswersEvaluator:
    """Does this passage state the answer?"""

    def texts(self, question: Answers) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.passage)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[Answers]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [passage_features(vocabulary, each.question, each.passage) for each in questions]
        return [yes_no(share) for share in logistic(_score(rows))]


class BestPassageEvaluator:
    """Which passage answers best? The same evidence as for each alone, sharpened into shares."""

    def texts(self, question: BestPassage) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, *question.passages)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[BestPassage]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        return [self._choose(vocabulary, question) for question in questions]

    def _choose(self, vocabulary: Vocabulary, question: BestPassage) -> Answer | None:
        if not question.passages:
            return None
        features = [passage_features(vocabulary, question.question, passage) for passage in question.passages]
        shares = softmax(_score(features) * number("best_passage", "sharpness"))
        return choice(dict(zip(question.labels(), shares, strict=True)))


class IsCompleteEvaluator:
    """Do the passages together hold the whole answer? They do as far as they hold all that the question names."""

    NAMES = ("coverage", "near")

    def texts(self, question: IsComplete) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, *question.passages)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[IsComplete]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [self._union(vocabulary, question) for question in questions]
        scores = linear("is_complete", self.NAMES).score(np.array(rows, dtype=np.float32))
        return [yes_no(share) for share in logistic(scores)]

    def _union(self, vocabulary: Vocabulary, question: IsComplete) -> list[float]:
        asked = Asked.of(vocabulary, question.question)
        held = [vocabulary.text(passage).words for passage in question.passages]
        words = np.unique(np.concatenate(held)) if held else np.zeros(0, dtype=np.intp)
        if not len(words) or not len(asked.terms):
            return [0.0, 0.0]
        return [
            float(asked.weights @ asked.exact[:, words].any(axis=1)),
            float(asked.weights @ asked.near[:, words].max(axis=1)),
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question, ready to be compared with passages of the same vocabulary."""

    #: Numbers of the words that carry it, one per stem; all its words when none does.
    terms: Numbers
    #: Their weights, which sum to 1.
    weights: Floats
    #: Per term and word of the vocabulary: is it the same stem, and how near is it.
    exact: Flags
    near: Floats
    direction: Floats
    about_time: bool

    @classmethod
    def of(cls, vocabulary: Vocabulary, question: str) -> "Asked":
        """Read one of the vocabulary's texts as a question, once."""
        key = (cls, question)
        if key not in vocabulary.notes:
            vocabulary.notes[key] = cls._read(vocabulary, question)
        asked: Asked = vocabulary.notes[key]
        return asked

    @classmethod
    def _read(cls, vocabulary: Vocabulary, question: str) -> "Asked":
        text = vocabulary.text(question)
        _, first = np.unique(vocabulary.stem[text.words], return_index=True)
        distinct = text.words[np.sort(first)]
        carrying = distinct[vocabulary.weight[distinct] > 0]
        terms = carrying if len(carrying) else distinct
        weights = vocabulary.weight[terms] if len(carrying) else np.ones(len(terms), dtype=np.float32)
        exact = vocabulary.stem[terms][:, None] == vocabulary.stem[None, :]
        # Squared, because words of one language are all a little alike.
        near = np.clip(vocabulary.directions[terms] @ vocabulary.directions.T, 0.0, 1.0) ** 2
        return cls(
            terms=terms,
            weights=weights / max(float(weights.sum()), 1e-9),
            exact=exact,
            near=np.where(exact, np.float32(1.0), near),
            direction=vocabulary.direction(text),
            about_time=_ASKS_TIME.search(question) is not None,
        )


def passage_features(vocabulary: Vocabulary, question: str, passage: str) -> list[float]:
    """Return the evidence that a passage answers a question, in the order of `FEATURES`."""
    key = (question, passage)
    if key not in vocabulary.notes:
        vocabulary.notes[key] = _evidence(vocabulary, Asked.of(vocabulary, question), vocabulary.text(passage))
    features: list[float] = vocabulary.notes[key]
    return features


def _evidence(vocabulary: Vocabulary, asked: Asked, text: Text) -> list[float]:
    if not len(text.words) or not len(asked.terms):
        return [0.0] * len(FEATURES)
    weights = asked.weights
    hits = asked.exact[:, text.words]
    found = np.any(hits, axis=1)
    windows: Floats = weights @ _windows(hits, text)
    best = int(windows.argmax())
    heading = np.any(hits[:, : text.heading_words], axis=1)
    return [
        float(weights @ found),
        float(windows[best]),
        float(found[weights.argmax()]),
        float((weights * ~found).max() / weights.max()),
        float(weights @ asked.near[:, np.unique(text.words)].max(axis=1)),
        _pairs(hits),
        float(weights @ heading),
        float(asked.direction @ vocabulary.direction(text)),
        float((vocabulary.sentence_directions(text) @ asked.direction).max()),
        min(len(asked.terms), _MANY_TERMS) / _MANY_TERMS,
        _time(text.sentences[best : best + 2]) if asked.about_time else 0.0,
    ]


def _score(rows: list[list[float]]) -> Floats:
    return linear("answers", FEATURES).score(np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES)))


def _windows(hits: Flags, text: Text) -> Flags:
    """Per term and window of two sentences (one, when there is no second): is it there?"""
    held = np.zeros((len(hits), len(text.sentences)), dtype=bool)
    term, position = np.nonzero(hits)
    held[term, text.sentence_of_word[position]] = True
    return held if held.shape[1] == 1 else held[:, :-1] | held[:, 1:]


def _pairs(hits: Flags) -> float:
    if len(hits) < 2:  # noqa: PLR2004 - two terms make a pair
        return 0.0
    close = 0
    for first, second in itertools.pairwise(hits):
        places, others = np.nonzero(first)[0], np.nonzero(second)[0]
        if len(places) and len(others):
            after = np.searchsorted(others, places)
            gaps = np.minimum(
                np.abs(others[np.minimum(after, len(others) - 1)] - places),
                np.abs(places - others[np.maximum(after - 1, 0)]),
            )
            close += bool(gaps.min() <= _REACH)
    return close / (len(hits) - 1)


def _time(window: Sequence[str]) -> float:
    return 1.0 if _TIME.search(" ".join(window)) else -1.0
