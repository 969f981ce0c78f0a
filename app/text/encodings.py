"""Real tokens: what a text costs in one of OpenAI's encodings (chunking design, "Text rules").

`bpe-openai` brings the vocabularies of the two current ones; the two old ones are downloaded (`app.text.downloads`).
Text that spells a special token counts as the plain text that it is. The library keeps the interpreter lock for a
whole call and refuses long input, so a text is counted in slices. A slice ends where every encoding's first step, the
expression that cuts a text into words, ends a word whatever stands on both sides, which leaves the sum exact.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import regex
from tiktoken.model import encoding_name_for_model

from app.errors import FieldError, InvalidRequest
from app.text.downloads import DownloadFailed, downloaded

DEFAULT_ENCODING = "cl100k_base"
#: Counted without a network.
OFFLINE_ENCODINGS = (DEFAULT_ENCODING, "o200k_base")
ENCODINGS = (*OFFLINE_ENCODINGS, "p50k_base", "r50k_base")

#: Same vocabulary and words, other special tokens: plain text counts the same.
_SAME_COUNT = {"o200k_harmony": "o200k_base", "p50k_edit": "p50k_base", "gpt2": "r50k_base"}

#: Characters of one call. A character is four tokens at most, and the library takes 200,000 tokens.
_SLICE = 50_000

_LETTER = r"A-Za-z\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3"
#: Searched backwards. A word never goes on from a visible character to a blank, nor from a letter to what is neither a
#: letter, a mark nor an apostrophe. Only characters that all versions of Unicode class alike are named.
_WORD_ENDS = regex.compile(
    rf"(?r)\S[ \t\u3000]|[{_LETTER}][\x00-&(-@\[-`{{-\x7f\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]"
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """One way to cut text into tokens."""

    name: str
    _tokens: Callable[[str], list[int]]

    def count(self, text: str) -> int:
        """Return the number of tokens.

        A stretch of more than 50,000 characters with no end of a word (one letter repeated, a file of emoji) is cut
        anywhere, and each such cut can add a token or two to the exact number.
        """
        return sum(len(self._tokens(part)) for part in _slices(text))


def encoding(name: str) -> Encoding:
    """Return the encoding of this name, or the one that the OpenAI model of this name uses.

    Reads the vocabulary on the first call, and may wait some seconds for the download of an old one.

    Raises:
        InvalidRequest: no encoding and no model is called so, or its vocabulary can't be had.
    """
    known = name if name in ENCODINGS else _encoding_of_model(name)
    return _offline(known) if known in OFFLINE_ENCODINGS else _old(known)


def _encoding_of_model(name: str) -> str:
    try:
        found = encoding_name_for_model(name)
    except KeyError:
        detail = f"No encoding or model is called {name!r}. Known: {', '.join(ENCODINGS)}, and OpenAI's model names."
        raise InvalidRequest(detail, errors=(FieldError("/encoding", detail),)) from None
    return _SAME_COUNT.get(found, found)


@cache
def _offline(name: str) -> Encoding:
    import bpe_openai  # noqa: PLC0415 - takes over half a second, and most processes count nothing

    return Encoding(name, bpe_openai.get_encoding(name).encode_ordinary)


def _old(name: str) -> Encoding:
    try:
        return Encoding(name, downloaded(name).encode_ordinary)
    except DownloadFailed as problem:
        offline = " and ".join(OFFLINE_ENCODINGS)
        detail = f"{name} can't be used: {problem}. Without a network there are {offline}."
        raise InvalidRequest(detail, errors=(FieldError("/encoding", detail),)) from problem


def _slices(text: str, longest: int = _SLICE) -> Iterator[str]:
    start = 0
    while len(text) - start > longest:
        # By default this library lets go of the lock, here for microseconds: a thread that wakes up for it finds it
        # taken again each time, and never insists on its turn.
        found = _WORD_ENDS.search(text, start, start + longest, concurrent=False)
        end = found.end() - 1 if found else start + longest
        yield text[start:end]
        start = end
    yield text[start:]
