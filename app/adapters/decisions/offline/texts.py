"""Texts of one batch as numbers: words, sentences and vectors, each distinct word worked out once."""

import functools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import regex

from app.adapters.decisions.offline.words import fold_case, stem, weight, words
from app.text import word_vectors
from app.text.word_vectors import Matrix

Numbers: TypeAlias = npt.NDArray[np.intp]
Floats: TypeAlias = npt.NDArray[np.float32]

#: Where a window may begin. Rougher than `app.text.sentences` on purpose: a window is evidence, nothing is cut there.
_BREAK = regex.compile(r"(?<=[.!?;:])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
#: Characters of a text that can be its heading, when a blank line follows.
_HEADING_CHARS = 300


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """One text: the numbers of its words in the vocabulary, and its sentences."""

    raw: str
    words: Numbers
    #: The sentence that each word stands in.
    sentence_of_word: Numbers
    #: The sentences that have words, as written.
    sentences: tuple[str, ...]
    #: Words of the heading that opens it, 0 when it has none.
    heading_words: int


class Vocabulary:
    """The distinct words of a batch, and its texts as numbers into it.

    Everything about a word is an array by its number: `stem` (equal for words of one stem), `weight` (0 for a word that
    says nothing to 1 for a rare one) and `vectors`.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        numbers: dict[str, int] = {}
        self._texts = {raw: _read(raw, numbers) for raw in dict.fromkeys(texts)}
        self._words = list(numbers)
        #: What evaluators worked out about these texts and may need again.
        self.notes: dict[Hashable, Any] = {}
        stem_numbers: dict[str, int] = {}
        self.stem: Numbers = np.array(
            [stem_numbers.setdefault(stem(word), len(stem_numbers)) for word in self._words], dtype=np.intp
        )
        self.weight: Floats = np.array([weight(word) for word in self._words], dtype=np.float32)

    @functools.cached_property
    def vectors(self) -> Matrix:
        """One row per word, longer for words that say more."""
        return word_vectors.load().of_words(self._words)

    @functools.cached_property
    def directions(self) -> Matrix:
        """The vectors, each of length 1."""
        return unit(self.vectors)

    def text(self, raw: str) -> Text:
        """Return one of the texts that the vocabulary was made of."""
        return self._texts[raw]

    def direction(self, text: Text) -> Floats:
        """Return the vector of a whole text, of length 1 (of length 0 when it has no words)."""
        direction: Floats = unit(self.vectors[text.words].sum(axis=0, keepdims=True))[0]
        return direction

    def sentence_directions(self, text: Text) -> Matrix:
        """Return a vector of length 1 per sentence."""
        distinct, which = np.unique(text.words, return_inverse=True)
        shape = (len(text.sentences), len(distinct))
        counts = np.bincount(text.sentence_of_word * len(distinct) + which, minlength=shape[0] * shape[1])
        return unit(counts.reshape(shape).astype(np.float32) @ self.vectors[distinct])


def unit(rows: Matrix) -> Matrix:
    """Return the rows with length 1; a row of zeros stays."""
    lengths: Matrix = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, np.maximum(lengths, 1e-9), dtype=np.float32)


def _read(raw: str, numbers: dict[str, int]) -> Text:
    found: list[int] = []
    counts: list[int] = []
    sentences: list[str] = []
    for sentence in _BREAK.split(raw):
        own = [numbers.setdefault(word, len(numbers)) for word in words(fold_case(sentence))]
        if own:
            found.extend(own)
            counts.append(len(own))
            sentences.append(sentence)
    heading_end = raw.find("\n\n", 0, _HEADING_CHARS)
    return Text(
        raw=raw,
        words=np.array(found, dtype=np.intp),
        sentence_of_word=np.repeat(np.arange(len(counts)), counts),
        sentences=tuple(sentences),
        heading_words=len(words(fold_case(raw[:heading_end]))) if heading_end > 0 else 0,
    )
