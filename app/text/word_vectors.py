"""Static word vectors: those of `wordllama`, whose weights ship inside its wheel (decisions design)."""

import functools
import logging
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import threadpoolctl

Matrix: TypeAlias = npt.NDArray[np.float32]

#: Length of a vector.
DIMENSIONS = 256
#: Words whose tokens are remembered, at about 150 bytes each.
_KNOWN_WORDS = 1 << 16
_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class WordVectors:
    """A tokenizer and the vector of each of its tokens. Threads may share it."""

    tokenizer: Any
    #: Half precision keeps the table at 16 MB.
    table: npt.NDArray[np.float16]
    #: Tokens of words seen lately: tokenizing takes longer than everything else. Entries never change, they only go.
    known: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def of_words(self, words: Sequence[str]) -> Matrix:
        """Return one vector per word, the sum of its tokens' vectors.

        A word is taken as written or with a capital, whichever makes fewer tokens: names are whole tokens only with
        theirs. The length of a vector tells how much the word says; that of `the` is a tenth of `refund`'s.
        """
        if not words:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        tokens = self._tokens(words)
        starts = np.cumsum([0, *(len(ids) for ids in tokens[:-1])])
        rows: Matrix = self.table[np.concatenate(tokens)].astype(np.float32)
        return np.add.reduceat(rows, starts, axis=0)

    def _tokens(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        known = {word: self.known.get(word) for word in words}
        new = [word for word, ids in known.items() if ids is None]
        if new:
            read = dict(zip(new, self._tokenize(new), strict=True))
            if len(self.known) > _KNOWN_WORDS:
                self.known.clear()
            self.known.update(read)
            known |= read
        # A word without any token stands for the unknown one, so that every word has a row.
        return [known[word] or (0,) for word in words]

    def _tokenize(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        forms = [*words, *(word.capitalize() for word in words)]
        ids = [tuple(encoding.ids) for encoding in self.tokenizer.encode_batch(forms, add_special_tokens=False)]
        lower, capital = ids[: len(words)], ids[len(words) :]
        return [name if len(name) < len(word) else word for word, name in zip(lower, capital, strict=True)]


def load() -> WordVectors:
    """Return the vectors, read from the package once per process."""
    with _loading:
        return _load()


@functools.cache
def _load() -> WordVectors:
    # The matrices are small: the linear algebra library's threads would spin longer than they work.
    threadpoolctl.threadpool_limits(limits=1, user_api="blas")
    # Single words are not worth threads, and the tokenizer complains in processes that fork after it used them.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    root, guard = logging.getLogger(), logging.NullHandler()
    # On import the package sets up the root logger, unless that has a handler.
    root.addHandler(guard)
    try:
        import wordllama  # noqa: PLC0415 - who asks a hosted model need not wait for it
    finally:
        root.removeHandler(guard)
    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, dim=DIMENSIONS, disable_download=True)
    model.tokenizer.no_padding()
    return WordVectors(tokenizer=model.tokenizer, table=model.embedding.astype(np.float16))
