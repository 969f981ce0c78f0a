"""How close two texts are by their words: cosine of raw term counts (conversations design, c.2 and e)."""

import math
from collections import Counter
from functools import lru_cache

from app.terms.exact import exact_terms

#: Texts whose counts are remembered: of one question, its own and those of many messages.
_REMEMBERED = 2_000


def closeness(one: str, other: str) -> float:
    """0 for texts without a common term, 1 for the same counts."""
    (first, first_length), (second, second_length) = _counts(one), _counts(other)
    shared = sum(count * second[term] for term, count in first.items())
    return shared / (first_length * second_length) if shared else 0.0


@lru_cache(maxsize=_REMEMBERED)
def _counts(text: str) -> tuple[Counter[str], float]:
    counts = Counter(exact_terms(text))
    return counts, math.sqrt(sum(count * count for count in counts.values()))
