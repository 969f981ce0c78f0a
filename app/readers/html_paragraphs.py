"""The texts that a paragraph of HTML makes, by its line breaks (readers design, sections 6.3 and 10)."""

import re
from collections.abc import Iterator

from app.readers.cleaning import prose
from app.readers.speaker_names import parts_at_names

#: Stands for a line break until its paragraph is whole; no text holds NUL.
BREAK = "\0"
_PARAGRAPH_BREAK = re.compile(r"\0(?:\s*\0)+")


def paragraph_texts(text: str, *, at_names: bool) -> Iterator[str]:
    """Yield the texts of the paragraphs that a text makes, each on one line; two line breaks in a row part them.

    Args:
        text: As it is, with `BREAK` for line breaks.
        at_names: Also part it where its lines open with names of speakers.
    """
    if BREAK not in text:
        yield prose(text)
        return
    for piece in _PARAGRAPH_BREAK.split(text):
        lines = [prose(line) for line in piece.split(BREAK)] if at_names and BREAK in piece else []
        parts = parts_at_names(lines)
        if parts:
            yield from (" ".join(lines[first:last]) for first, last in parts)
        else:
            yield prose(piece.replace(BREAK, " "))
