"""What sizes are counted in: approximate tokens, characters, or real tokens (chunking design, "Text rules").

A size is monotone enough to search by: a longer stretch of a text is never smaller by more than a token.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from app.text.tokens import approximate_tokens


class Measure(Protocol):
    """Counts text."""

    def size(self, text: str) -> int:
        """Return the size of a text."""
        ...

    def usual_characters(self, size: int) -> int:
        """Return how many characters usually have this size: where a search begins."""
        ...


@dataclass(frozen=True, slots=True)
class ApproximateTokens:
    """Counts approximate tokens."""

    chars_per_token: float

    def size(self, text: str) -> int:
        """See `Measure`."""
        return approximate_tokens(text, self.chars_per_token)

    def usual_characters(self, size: int) -> int:
        """See `Measure`."""
        return max(1, int(size * self.chars_per_token))


@dataclass(frozen=True, slots=True)
class Characters:
    """Counts code points."""

    def size(self, text: str) -> int:
        """See `Measure`."""
        return len(text)

    def usual_characters(self, size: int) -> int:
        """See `Measure`."""
        return max(1, size)


@dataclass(frozen=True, slots=True)
class RealTokens:
    """Counts the tokens of a model's vocabulary."""

    count: Callable[[str], int]

    def size(self, text: str) -> int:
        """See `Measure`."""
        return self.count(text)

    def usual_characters(self, size: int) -> int:
        """See `Measure`."""
        return max(1, 4 * size)


def longest_prefix(text: str, start: int, end: int, limit: int, measure: Measure) -> int:
    """Return the end of the longest stretch of `text[start:end]` from its start that has at most the size `limit`.

    At least one character is taken, however small the limit. Only a stretch in proportion to the limit is looked at.
    """
    low = min(start + 1, end)
    high = min(end, start + measure.usual_characters(limit))
    while high > low and measure.size(text[start:high]) <= limit:
        low, high = high, min(end, start + 2 * (high - start))
    while low < high:
        middle = (low + high + 1) // 2
        if measure.size(text[start:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return low
