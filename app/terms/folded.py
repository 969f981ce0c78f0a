"""Folded terms: words without their inflections and accents, unspaced scripts as pairs, identifiers in parts.

Documents design, "Terms", "Folded terms". What is folded alike here is found by search alike: a question and a unit
go through the same function.
"""

import re
import threading
import unicodedata
from functools import lru_cache

import regex
import Stemmer

from app.terms.languages import STEMMERS, folding_language

#: A word, or an identifier: words joined by one hyphen, one full stop or underscores.
_TOKEN = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:[-.\u2010]|_+)[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*")
#: Every ASCII byte that occurs in no token becomes a space; bytes of longer characters stay.
_BLANKED = bytes(
    ord(" ") if chr(byte).isascii() and not chr(byte).isalnum() and chr(byte) not in "-._" else byte
    for byte in range(256)
)
_JOINERS = re.compile(r"[-._\u2010]+")
#: Scripts that put no space between words. Marks and the long-vowel sign count with the script that uses them.
_UNSPACED = regex.compile(
    r"([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)"
)
_CAMEL = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+")
_SOFT_HYPHEN = "\u00ad"

#: No word of any language is longer; what is longer is not stemmed, and not remembered.
_LONGEST_WORD = 64
#: Identifiers longer than this have their parts only.
_LONGEST_COMPOUND = 100
#: Combining classes up to this one belong to letters (viramas, nuktas, kana voicing); higher ones are accents.
_LAST_LETTER_CLASS = 9

_local = threading.local()


def folded_terms(text: str, language: str | None) -> list[str]:
    """Return the folded terms of a text in order, repeats included.

    Args:
        text: any text.
        language: BCP 47 tag of the text, or None when unknown; decides the stemmer.
    """
    folding = folding_language(language)
    normal = unicodedata.normalize("NFKC", text).replace(_SOFT_HYPHEN, "")
    # Blanking bytes and splitting is several times faster than the pattern, which then sees each new piece once.
    pieces = normal.encode("utf-8", "surrogatepass").translate(_BLANKED).decode("utf-8", "surrogatepass").split()
    terms: list[str] = []
    for piece in pieces:
        terms.extend(_fold_known(piece, folding) if len(piece) <= _LONGEST_WORD else _fold(piece, folding))
    return terms


def _fold(piece: str, folding: str) -> tuple[str, ...]:
    """The terms of a text without spaces."""
    return tuple(term for token in _TOKEN.findall(piece) for term in _fold_token(token, folding))


#: Words repeat: most of a text is folded by looking it up.
_fold_known = lru_cache(maxsize=1 << 16)(_fold)


def _fold_token(token: str, folding: str) -> list[str]:
    """The terms of a word or identifier: its parts, then the whole where there is more than one part."""
    parts = _JOINERS.split(token)
    terms = [term for part in parts for term in _fold_part(part, folding)]
    if len(parts) > 1 and len(token) <= _LONGEST_COMPOUND:
        terms.append(_without_accents(token.replace("\u2010", "-").lower()))
    return terms


def _fold_part(part: str, folding: str) -> list[str]:
    if part.isascii() or not _UNSPACED.search(part):
        return _fold_run(part, folding)
    terms: list[str] = []
    # Splitting by a pattern with one group yields spaced and unspaced runs by turns.
    for number, run in enumerate(_UNSPACED.split(part)):
        if number % 2:
            terms.extend(_pairs(run))
        elif run:
            terms.extend(_fold_run(run, folding))
    return terms


def _pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single character stands for itself."""
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


def _fold_run(run: str, folding: str) -> list[str]:
    """The words of a run of letters and digits: one, or the humps of `camelCase` and the whole."""
    if run.islower() or run.isupper() or run[1:].islower():
        humps = [run]
    else:
        humps = _CAMEL.findall(run)
        if len(humps) > 1 and len(run) <= _LONGEST_COMPOUND:
            humps.append(run)
    return [_fold_word(hump, folding) for hump in humps if len(hump) > 1 or not _is_cased(hump)]


def _is_cased(character: str) -> bool:
    """True for a letter of an alphabet with capitals: alone it is no word, but an initial or what an elision leaves."""
    return character.lower() != character.upper()


def _fold_word(word: str, folding: str) -> str:
    lowered = word.lower()
    if len(lowered) <= _LONGEST_WORD:
        lowered = _stemmer(folding).stemWord(lowered)
    return _without_accents(lowered)


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    kept = [character for character in decomposed if unicodedata.combining(character) <= _LAST_LETTER_CLASS]
    return unicodedata.normalize("NFC", "".join(kept))


def _stemmer(folding: str) -> Stemmer.Stemmer:
    """This thread's stemmer: one is not safe to share."""
    stemmers: dict[str, Stemmer.Stemmer] = _local.__dict__
    if folding not in stemmers:
        stemmers[folding] = Stemmer.Stemmer(STEMMERS[folding], maxCacheSize=0)
    return stemmers[folding]
