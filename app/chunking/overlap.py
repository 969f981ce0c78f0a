"""What a chunk repeats of the one before (chunking design, "Text rules" and strategy `topic`, rule 5)."""

import re

from app.chunking.pieces import Measure
from app.text.sentences import sentence_spans

_WORD_START = re.compile(r"(?<=\s)\S")


def overlap_tail(text: str, limit: int, measure: Measure) -> str:
    """Return the end of `text` of at most `limit` tokens that begins at a sentence, else at a word; "" if none does."""
    if limit <= 0:
        return ""
    begin = max(0, len(text) - int(limit * measure.chars_per_token))
    # Only the last characters matter: a sentence that begins before them is too long anyway.
    window = text[begin:]
    starts = [start for start, _ in sentence_spans(window)]
    if begin > 0:
        starts = starts[1:] + [match.start() for match in _WORD_START.finditer(window)]
    for start in starts:
        tail = window[start:].strip()
        if measure.tokens(tail) <= limit:
            return tail
    return ""
