"""Words of a text, how they are folded, and how much each says (ruling 9: nobody's collection is looked at)."""

import functools
import json
import math
import unicodedata
from collections.abc import Mapping
from importlib import resources

import regex

from app.terms.folded import folded_terms

#: Scripts that put no space between words: their words are pairs of neighbouring characters.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"(?V1)[{_UNSPACED}]+|[\p{{L}}--[{_UNSPACED}]]+(?:'[\p{{L}}--[{_UNSPACED}]]+)*|\p{{N}}+(?:[.,]\p{{N}}+)*"
)
_RUN = regex.compile(rf"[{_UNSPACED}]")
_MARKS = regex.compile(r"\p{Mn}+")

#: Words that ask or join and say nothing about what is asked.
FUNCTION_WORDS = frozenset(
    """
    a about above according after again against all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each
    else ever every few for from further get gets give given gives got had has have having he her here hers him his how
    however i if in into is isn't it it's its itself just let's made make makes many may me might more most much must my
    name named no nor not of off on once one only or other our out over own please same say said shall she should so
    some such tell than that that's the their them then there these they this those through to too two under until up
    upon us use used using very was wasn't we were weren't what what's when where whether which while who who's whom
    whose why will with within without won't would you your
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: Words whose stem and weight are remembered, at about 200 bytes each.
_REMEMBERED = 1 << 16


def fold_case(text: str) -> str:
    """Return a text in lower case, with plain apostrophes and without accents."""
    text = text.casefold()
    if text.isascii():
        return text
    return _MARKS.sub("", unicodedata.normalize("NFKD", text.replace("\u2019", "'")))


def words(folded: str) -> list[str]:
    """Return the words and numbers of a text that `fold_case` returned, in order."""
    found: list[str] = _WORD.findall(folded)
    if folded.isascii():
        return found
    return [part for word in found for part in (_pairs(word) if _RUN.match(word) else (word,))]


@functools.lru_cache(maxsize=_REMEMBERED)
def stem(word: str) -> str:
    """Return what a word is compared by: search's own folding, so that what it finds is recognised here."""
    return " ".join(folded_terms(word, None)) or word


@functools.lru_cache(maxsize=_REMEMBERED)
def weight(word: str) -> float:
    """Return how much a word says: 0 for function words, near 0 for common ones, 1 for one never seen."""
    return 0.0 if word in FUNCTION_WORDS else _rarity().get(stem(word), 1.0)


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


@functools.cache
def _rarity() -> Mapping[str, float]:
    """The rarity of each stem in `background.json`, which `benchmarks/background.py` wrote; it names its sources."""
    data = json.loads(resources.files(__package__).joinpath("background.json").read_text(encoding="utf-8"))
    counts: dict[str, int] = {}
    for word, count in data["counts"].items():
        counts[stem(word)] = counts.get(stem(word), 0) + count
    commonest = math.log1p(max(counts.values()))
    return {known: 1.0 - math.log1p(count) / commonest for known, count in counts.items()}
