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

    def tolerance(self, size: int) -> int:
        """Return how many characters a stretch of this size may miss by, so that it is counted a few times only."""
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

    def tolerance(self, _size: int) -> int:
        """See `Measure`."""
        return 0


@dataclass(frozen=True, slots=True)
class Characters:
    """Counts code points."""

    def size(self, text: str) -> int:
        """See `Measure`."""
        return len(text)

    def usual_characters(self, size: int) -> int:
        """See `Measure`."""
        return max(1, size)

    def tolerance(self, _size: int) -> int:
        """See `Measure`."""
        return 0


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

    def tolerance(self, size: int) -> int:
        """See `Measure`."""
        return size // 8


def longest_prefix(text: str, start: int, end: int, limit: int, measure: Measure) -> int:
    """Return the end of the longest stretch of `text[start:end]` from its start that has at most the size `limit`.

    At least one character is taken, however small the limit. Only a stretch in proportion to the limit is looked at.
    Where counting is slow, a stretch shorter by some per cent will do (`Measure.tolerance`).
    """
    fits, over = min(start + 1, end), end + 1
    probe = max(fits, min(end, start + measure.usual_characters(limit)))
    tolerance = measure.tolerance(limit)
    steps = 0
    while over - fits > 1 + tolerance:
        size = measure.size(text[start:probe])
        if size <= limit:
            fits = probe
        else:
            over = probe
        steps += 1
        # By proportion, which is nearly right at once; by halves when the text is too uneven for that. What lies behind
        # the first stretch that is over stays unread, however long it is.
        probe = start + (probe - start) * limit // max(1, size)
        if over > end:
            probe = max(probe, fits + tolerance + 1)
        elif steps % 3 == 0:
            probe = (fits + over) // 2
        probe = min(max(probe, fits + 1), over - 1)
    return fits
