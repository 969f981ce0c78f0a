"""Speakers that a question names (retrieval design, "Two grains"; conversations design, e)."""

import re
from collections.abc import Iterable

from app.retrieval.common_words import COMMON_WORDS
from app.terms.folded import folded_terms

_WORD = re.compile(r"[^\W_]+")
#: Of a longer name, so many first words are the name: what follows is an office or a place (`Lynne Neagle AM`).
_FIRST_WORDS = 2


def named_speakers(question: str, names: Iterable[str]) -> list[str]:
    """Return the speakers that the question names, in order.

    A name is there when all its words are, whatever their endings (`Industrial Design` names the Industrial Designer).
    A name that is a common word (`Will`) has to be written with its capital.
    """
    asked = frozenset(folded_terms(question, None))
    as_written = frozenset(_WORD.findall(question))
    return [name for name in dict.fromkeys(names) if _is_named(name, asked, as_written)]


def _is_named(name: str, asked: frozenset[str], as_written: frozenset[str]) -> bool:
    words = _WORD.findall(name)
    if len(words) == 1 and words[0].lower() in COMMON_WORDS:
        return words[0] in as_written
    wanted = folded_terms(" ".join(words[:_FIRST_WORDS]) if len(words) > _FIRST_WORDS else name, None)
    return bool(wanted) and asked.issuperset(wanted)
