"""Passages that try to instruct an AI (retrieval design, "Beyond the seed": prompt-injection screen).

What is looked for is text that addresses the model which will read it as context: it overrides its instructions, gives
it another role, asks for its prompt, tells it to keep something from the user, imitates the marks between turns, or
hides words in characters without width. A guide that quotes such a sentence is marked as well: quotation marks and code
stop no model from following it, a mark drops nothing, and whoever asks for marked units gets them.
"""

import re
import unicodedata

import regex

from app.documents.values import JsonValue
from app.profiling.suspect_signs import SIGNS


def is_suspect(text: str) -> bool:
    """Tell whether a text tries to instruct the AI that reads it."""
    if text.isascii():
        return _instructs(text.lower())
    return _smuggles(text) or _instructs(_folded(text))


def suspicion(text: str) -> dict[str, JsonValue]:
    """Return the unit meta that marks a suspect text; nothing for any other."""
    return {"suspect": True} if is_suspect(text) else {}


def _instructs(folded: str) -> bool:
    return any(sign.pattern.search(folded) for sign in SIGNS if any(needle in folded for needle in sign.needles))


# Hidden characters

#: A flag of a region is a black flag followed by tags and the tag that cancels: no message.
_REGION_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_TAG = re.compile("[\U000e0000-\U000e007f]")
#: Bits written without width, or bytes as variation selectors: no script has so many in a row.
_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]{8,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_WITHOUT_WIDTH = regex.compile(r"[\p{Cf}\p{Variation_Selector}]+")
#: Letters of other alphabets that pass for Latin ones inside a Latin word.
_FOREIGN, _SEEM = "авеёкморстухіѕјһԁԛԝοαενρ", "abeekmopctyxisjhdqwoaevp"
_LOOK_ALIKES = str.maketrans(_FOREIGN, _SEEM)
_WITH_LOOK_ALIKES = re.compile(f"(?<![a-z{_FOREIGN}])[a-z]*+[{_FOREIGN}][a-z{_FOREIGN}]*+")
_LATIN = re.compile("[a-z]")


def _smuggles(text: str) -> bool:
    # One character over and over fills lines of e-mails; a message needs two.
    written = any(len(set(run[0])) > 1 for run in _RUN.finditer(text))
    return written or bool(_TAG.search(_REGION_FLAG.sub("", text)))


def _folded(text: str) -> str:
    """Return a text as a model reads it: compatibility forms and case folded, characters without width gone."""
    folded = unicodedata.normalize("NFKC", _WITHOUT_WIDTH.sub("", text)).lower().replace("\u2019", "'")
    return _WITH_LOOK_ALIKES.sub(_latin, folded)


def _latin(word: re.Match[str]) -> str:
    return word[0].translate(_LOOK_ALIKES) if _LATIN.search(word[0]) else word[0]
