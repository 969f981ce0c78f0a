"""The words by which a question and a table's names and values are compared (tabular design, rule G9)."""

import re
from collections.abc import Iterable

#: From this length on, the beginning of a word matches it.
PREFIX = 4
_WORD = re.compile(r"[^\W_]{3,}")

#: Articles, question words, auxiliaries, comparison and command words: they say what to do, not about what.
STOP_WORDS = frozenset(
    """
    the and for from with without into onto over under per than that this these those there their them they its his
    her our your you are was were been being has have had does did doing done can could may might must shall should
    will would what which who whom whose when where why how much many more most less least fewer few all any each
    every both either neither not nor but only also just other another same such some none one ones about above
    after again before below between during except excluding including inclusive exclusive until since while within
    out off per total totals sum sums overall altogether combined average mean median count list show shows give
    gives tell find get display calculate compute compare compared maximum minimum max min highest lowest largest
    smallest biggest greatest top bottom first last rank ranked change changed percent please
    """.split()  # noqa: SIM905  # a list of quoted words would take a screen
)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, each once, in order: lower-case runs of three or more letters or digits."""
    return tuple(dict.fromkeys(word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS))


def matches(word: str, other: str) -> bool:
    """Tell whether two words are equal or, from 4 characters on each side, one is the beginning of the other."""
    if word == other:
        return True
    return len(word) >= PREFIX and len(other) >= PREFIX and (word.startswith(other) or other.startswith(word))


def shared(words: Iterable[str], text: str) -> int:
    """Return how many of these words match a word of the text."""
    own = [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]
    return sum(any(matches(word, other) for other in own) for word in words)
