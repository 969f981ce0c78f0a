"""How two neighbouring stretches of text belong together: the same subject, or the second leaning on the first.

The subject is judged by vectors and shared terms. Leaning is told by how the second opens: words that point back, words
that carry on an argument, a list or a step that goes on; and by a first that announces something.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
import regex

from app.adapters.decisions.offline.evaluator import yes_no
from app.adapters.decisions.offline.texts import Floats, Text, Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic
from app.chunking.questions import ContinuesSubject, DependsOn
from app.documents.decision import Answer
from app.linking.questions import NeedsPrevious

#: Columns of `pair_features`.
FEATURES = (
    "cosine",  # of the two
    "nearest_sentences",  # of their two nearest sentences
    "shared",  # weight of the terms they share, beside the lighter one's
    "points_back",  # the second opens with a word that stands for something said before
    "carries_on",  # … with a word that goes on with an argument, an example or an exception
    "next_item",  # … as a further item or step
    "lower_case",  # … in the middle of a sentence
    "announced",  # the first ends with a colon or an opening such as "as follows"
    "short",  # the shorter of the two has few words: one of eight or more is 0, an empty one 1
)
_FEW_WORDS = 8

_QUOTES = r"[\s\"'\u201c\u2018(\[*_>]*"
_POINTS_BACK = regex.compile(
    rf"(?i)^{_QUOTES}(?:this|that|these|those|it|they|its|their|he|she|his|her|such|both|neither|either|here|there|"
    r"the (?:above|same|former|latter|following|resulting)|doing so|if (?:so|not|it|this|that|they)|"
    r"in (?:this|that|these|such|either|both) (?:case|way|event|example|situation|mode)s?)\b"
)
_CARRIES_ON = regex.compile(
    rf"(?i)^{_QUOTES}(?:however|but|therefore|thus|hence|so|consequently|accordingly|as a result|then|next|finally|"
    r"for (?:example|instance)|e\.g\.|i\.e\.|in other words|that is|more specifically|specifically|in particular|"
    r"also|moreover|furthermore|additionally|in addition|besides|likewise|similarly|conversely|instead|otherwise|"
    r"on the other hand|by contrast|in contrast|nevertheless|nonetheless|notwithstanding|still|yet|meanwhile|again|"
    r"afterwards?|after (?:that|this)|and|or|nor|unless|except|exceptions?|provided that|note that)\b"
)
_ITEM = regex.compile(rf"(?i)^{_QUOTES}(?:step \d+|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]\s|[-*\u2022\u2013]\s)")
_FIRST_ITEM = regex.compile(rf"(?i)^{_QUOTES}(?:step 1\b|\(?(?:1|a|i)[.)]\s)")
_LOWER = regex.compile(r"^\s*\p{Ll}")
_ANNOUNCES = regex.compile(r"(?i)(?::|as follows\.?|the following\.?|these steps\.?)\s*$")

Pair = TypeVar("Pair", ContinuesSubject, DependsOn, NeedsPrevious)


class _PairEvaluator(Generic[Pair]):
    """A yes or no about two neighbouring texts, from one group of weights."""

    def __init__(self, group: str) -> None:
        self._group = group

    def answer(self, vocabulary: Vocabulary, questions: Sequence[Pair]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        features = pair_features(vocabulary, [self.pair(question) for question in questions])
        return [yes_no(share) for share in logistic(linear(self._group, FEATURES).score(features))]

    def texts(self, question: Pair) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return self.pair(question)

    def pair(self, question: Pair) -> tuple[str, str]:
        """Return the earlier text and the later one."""
        match question:
            case NeedsPrevious():
                return question.previous, question.passage
            case _:
                return question.first, question.second


class ContinuesSubjectEvaluator(_PairEvaluator[ContinuesSubject]):
    """Is the second about the same specific subject?"""

    def __init__(self) -> None:
        super().__init__("continues_subject")


class DependsOnEvaluator(_PairEvaluator[DependsOn]):
    """Does the second need the first?"""

    def __init__(self) -> None:
        super().__init__("depends_on")


class NeedsPreviousEvaluator(_PairEvaluator[NeedsPrevious]):
    """Does a reader of the second need the first?"""

    def __init__(self) -> None:
        super().__init__("needs_previous")


def pair_features(vocabulary: Vocabulary, pairs: Sequence[tuple[str, str]]) -> Floats:
    """Return the evidence for each pair of neighbours, one column per name in `FEATURES`."""
    rows = [_row(vocabulary, vocabulary.text(first), vocabulary.text(second)) for first, second in pairs]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES))


def _row(vocabulary: Vocabulary, first: Text, second: Text) -> list[float]:
    later = second.raw
    return [
        *_nearness(vocabulary, first, second),
        _shared(vocabulary, first, second),
        float(_POINTS_BACK.search(later) is not None),
        float(_CARRIES_ON.search(later) is not None),
        float(_ITEM.search(later) is not None and _FIRST_ITEM.search(later) is None),
        float(_LOWER.search(later) is not None),
        float(_ANNOUNCES.search(first.raw) is not None),
        1.0 - min(len(first.words), len(second.words), _FEW_WORDS) / _FEW_WORDS,
    ]


def _nearness(vocabulary: Vocabulary, first: Text, second: Text) -> tuple[float, float]:
    if not len(first.words) or not len(second.words):
        return 0.0, 0.0
    sentences = vocabulary.sentence_directions(first) @ vocabulary.sentence_directions(second).T
    return float(vocabulary.direction(first) @ vocabulary.direction(second)), float(sentences.max())


def _shared(vocabulary: Vocabulary, first: Text, second: Text) -> float:
    one, other = _stems(vocabulary, first), _stems(vocabulary, second)
    lighter = min(sum(one.values()), sum(other.values()))
    return sum(one[stem] for stem in one.keys() & other.keys()) / lighter if lighter > 0 else 0.0


def _stems(vocabulary: Vocabulary, text: Text) -> dict[int, float]:
    return dict(zip(vocabulary.stem[text.words].tolist(), vocabulary.weight[text.words].tolist(), strict=True))
