"""Scoring messages by themselves and by what was said around them (retrieval design, "Two grains", chats).

A message is short: it says what is asked for, while the messages beside it say what it is about. So it is scored by its
own words and by those of its window, each by BM25 and by the cosine of static vectors. The name of a speaker tells
whose words are meant rather than what they say: it is taken out of the question, and that speaker's messages are
raised.
"""

import bisect
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import regex

from app.documents.document import UnitHit
from app.retrieval.conversation_speakers import named_speakers
from app.retrieval.conversation_units import (
    body,
    document_of,
    is_message,
    is_short,
    is_spoken,
    name_of_speaker,
    speaker_of,
)
from app.terms.bm25 import K1, B, idf
from app.terms.folded import folded_terms
from app.terms.languages import folding_language
from app.text import word_vectors

#: A window reaches so many messages to either side, and further while that takes at most so many characters of them:
#: in a meeting, messages of a word (`Mm-hmm.`) stand between those that say something.
WINDOW_MESSAGES, WINDOW_CHARS = 2, 600
#: What a message's own words count beside those of its window, and what one of the named speaker is raised by
#: (measured on the development questions, `benchmarks/conversations.py`).
OWN_WEIGHT, SPEAKER_BONUS = 0.5, 0.3
#: Messages whose words and vectors are remembered, at about 4 KB each.
_REMEMBERED = 4_000
#: What a text counts as when it is asked whether it is short.
CHARS_PER_TOKEN = 4.0

_WORD = regex.compile(r"[\p{L}\p{N}']+")

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.intp]
Flags: TypeAlias = npt.NDArray[np.bool_]


def score_messages(question: str, nearby: Sequence[UnitHit]) -> list[UnitHit]:
    """Return units of conversations best first, each with its score for one question: 1 for the best.

    Args:
        question: without its common words.
        nearby: what the search found with what stands around it, in document order, each unit once.
    """
    if not nearby:
        return []
    speakers = [name for hit in nearby for name in (speaker_of(hit), name_of_speaker(hit)) if name is not None]
    named = frozenset(named_speakers(question, speakers))
    words = _without_names(question, named)
    own, windows = _read_all(words, nearby)
    asked = _unit(_vector(words)[np.newaxis].astype(np.float64))[0]
    scores = OWN_WEIGHT * _share(own.bm25()) + _share(windows.bm25())
    scores += OWN_WEIGHT * (_unit(own.vectors) @ asked) + _unit(windows.vectors) @ asked
    is_meant = [not named.isdisjoint((speaker_of(hit), name_of_speaker(hit))) for hit in nearby]
    scores += SPEAKER_BONUS * np.array(is_meant)
    order = np.argsort(-scores, kind="stable")
    most = max(float(scores[order[0]]), 1e-9)
    return [replace(nearby[at], score=max(float(scores[at]), 0.0) / most) for at in order]


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """Texts as numbers, a row each: how often they hold each term of the question, their lengths, and their vectors."""

    counts: Floats
    lengths: Floats
    vectors: Floats

    def bm25(self) -> Floats:
        """BM25 among these texts, whose document frequencies tell words apart as well as the collection's do."""
        texts = len(self.lengths)
        weights = [idf(texts, int(df)) for df in np.count_nonzero(self.counts, axis=0)]
        norms = K1 * (1 - B + B * self.lengths / max(float(self.lengths.mean()), 1.0))
        scores: Floats = (self.counts * (K1 + 1) / (self.counts + norms[:, np.newaxis])) @ np.array(weights)
        return scores

    def around(self, reach: "_Reach") -> "_Texts":
        """The windows of these texts."""
        return _Texts(reach.sums(self.counts), reach.sums(self.lengths), reach.sums(self.vectors))


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """Which texts make up the window of each: those from `first` to before `last` that say a little, and itself.

    Only messages count as steps. Of the outputs between them the short ones, such as the captions of pictures, belong
    to the window; a long one, a tool's result, would drown what was said.
    """

    first: Numbers
    last: Numbers
    says_a_little: Flags

    @classmethod
    def of(cls, hits: Sequence[UnitHit]) -> "_Reach":
        """The windows of units in document order, as far as their neighbours are at hand."""
        first, last = [0] * len(hits), [0] * len(hits)
        says = [is_message(hit) or is_short([hit], CHARS_PER_TOKEN) for hit in hits]
        chars = [len(body(hit)) if little else 0 for hit, little in zip(hits, says, strict=True)]
        stretches = itertools.groupby(range(len(hits)), key=lambda at: (document_of(hits[at]), hits[at].ordinal - at))
        for _, stretch in stretches:
            places = list(stretch)
            number = list(itertools.accumulate(int(is_message(hits[at])) for at in places))
            ends = list(itertools.accumulate(chars[at] for at in places))
            starts = [end - chars[at] for at, end in zip(places, ends, strict=True)]
            for at, own, start, end in zip(places, number, starts, ends, strict=True):
                from_number = bisect.bisect_left(number, own - WINDOW_MESSAGES)
                to_number = bisect.bisect_right(number, own + WINDOW_MESSAGES)
                first[at] = places[0] + min(from_number, bisect.bisect_left(starts, start - WINDOW_CHARS))
                last[at] = places[0] + max(to_number, bisect.bisect_right(ends, end + WINDOW_CHARS))
        return cls(np.array(first), np.array(last), np.array(says))

    def sums(self, rows: Floats) -> Floats:
        """The sum of each window's rows."""
        counted = rows * self.says_a_little.reshape(-1, *[1] * (rows.ndim - 1))
        up_to = np.concatenate([np.zeros_like(rows[:1]), np.cumsum(counted, axis=0)])
        sums: Floats = up_to[self.last] - up_to[self.first] + (rows - counted)
        return sums


def _read_all(question: str, hits: Sequence[UnitHit]) -> tuple[_Texts, _Texts]:
    """The units by themselves, and their windows."""
    asked = {language: frozenset(folded_terms(question, language)) for language in {hit.language for hit in hits}}
    columns = sorted(frozenset().union(*asked.values()))
    read = [_read(body(hit), folding_language(hit.language)) for hit in hits]
    own = _Texts(
        counts=np.array(
            [
                [one.terms[term] if term in asked[hit.language] else 0 for term in columns]
                for hit, one in zip(hits, read, strict=True)
            ],
            dtype=np.float64,
        ),
        lengths=np.array([one.terms.total() for one in read], dtype=np.float64),
        vectors=np.array([one.vector for one in read], dtype=np.float64),
    )
    return own, own.around(_Reach.of(hits))


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """The folded terms of a text, and the sum of its words' vectors."""

    terms: Counter[str]
    vector: word_vectors.Matrix


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str, folding: str) -> _Read:
    return _Read(Counter(folded_terms(text, folding)), _vector(text))


def _vector(text: str) -> word_vectors.Matrix:
    words = [word.lower() for word in _WORD.findall(text)]
    vector: word_vectors.Matrix = word_vectors.load().of_words(words).sum(axis=0)
    return vector


def _without_names(question: str, named: frozenset[str]) -> str:
    """The question without the words of the names in it; all of it when it holds nothing else."""
    of_names = frozenset(term for name in named for term in folded_terms(name, None))
    kept = [word for word in question.split() if not of_names.issuperset(folded_terms(word, None) or [""])]
    return " ".join(kept) or question


def _share(scores: Floats) -> Floats:
    shares: Floats = scores / max(float(scores.max()), 1e-9)
    return shares


def _unit(rows: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    directions: Floats = rows / np.maximum(lengths, 1e-9)
    return directions


def in_their_places(ordered: Sequence[UnitHit], messages: Sequence[UnitHit]) -> list[UnitHit]:
    """Put messages, best first, into the places that units of conversations have among others, and the rest behind.

    How they stand to passages is up to the order that they come in, whose scores compare both.
    """
    scored = {(hit.document, hit.unit.id) for hit in messages}
    others = (hit for hit in ordered if is_spoken(hit) and (hit.document, hit.unit.id) not in scored)
    best = itertools.chain(messages, others)
    placed = [next(best, hit) if is_spoken(hit) else hit for hit in ordered]
    return [*placed, *best]
