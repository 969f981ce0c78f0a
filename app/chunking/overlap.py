"""What a chunk repeats of the one before (chunking design, "Text rules")."""

import re
from bisect import bisect_left

from app.chunking.measure import Measure
from app.text.sentences import sentence_spans

#: Where a word begins; a combining mark goes with the white space in front of it.
_WORD_START = re.compile(r"(?<=\s)[^\s\u0300-\u036f\u200d\ufe00-\ufe0f]")


def overlap_tail(text: str, limit: int, measure: Measure) -> str:
    """Return the end of `text`, of the size `limit` at most, from a sentence's start, else a word's; "" if none."""
    if limit <= 0:
        return ""
    begin = max(0, len(text) - measure.usual_characters(limit))
    # Only the last characters matter: a sentence that begins before them is too long anyway.
    window = text[begin:]
    sentences = [start for start, _ in sentence_spans(window)]
    words = [match.start() for match in _WORD_START.finditer(window)] if begin > 0 else []
    return _longest_tail(window, sentences[1:] if begin > 0 else sentences, limit, measure) or _longest_tail(
        window, words, limit, measure
    )


def _longest_tail(window: str, starts: list[int], limit: int, measure: Measure) -> str:
    """Return the longest tail that begins at one of `starts`, ascending, and fits."""

    def excess(start: int) -> int:
        return -max(0, measure.size(window[start:].strip()) - limit)

    first = bisect_left(starts, 0, key=excess)
    return window[starts[first] :].strip() if first < len(starts) else ""
