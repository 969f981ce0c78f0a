"""From what a chat model answers to a note: what is none is told why, the rest is tidied and bounded."""

import re
from collections.abc import Callable, Iterator

from app.documents.chat import ChatReply
from app.documents.contextualizing import MAX_NOTE_CHARS
from app.text.sentences import sentence_spans
from app.text.whitespace import squash

#: Characters of an answer that are looked at; no note is longer, and what is behind them is dropped.
_MOST_READ = 20_000
#: What some models think aloud in front of their answer.
_THINKING, _THOUGHT = "<think>", "</think>"
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
#: A line that only opens or closes a code fence.
_FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*")
#: How models decline in plain words, where a note would name its subject.
_DECLINED = re.compile(
    r"(?:i['\u2019]?m (?:really |very |so )?sorry|i am sorry|sorry,|i apologi[sz]e|i (?:can ?not|can['\u2019]t|"
    r"won['\u2019]t|will not)\b|i['\u2019]?m (?:unable|not able)|i am (?:unable|not able)|as an ai\b)",
    re.IGNORECASE,
)
#: Ends of terms in the last line, and of words.
_TERM_END = re.compile(r"(?=[,;])")
_WORD_END = re.compile(r"(?= )")


def refused(reply: ChatReply) -> str | None:
    """Tell why an answer is no note, or None when it may be one."""
    if reply.refusal or reply.finish_reason == "content_filter":
        return "The chat model declined to answer."
    if reply.finish_reason == "length":
        return "The chat model's answer was cut off."
    if reply.finish_reason not in {"", "stop"}:
        return "The chat model ended its answer in an unexpected way."
    text = tidied(reply.text)
    if not text:
        return "The chat model's answer was empty."
    return "The chat model declined to answer." if _DECLINED.match(text) else None


def tidied(text: str) -> str:
    """Return the note of an answer: its sentences on one line, its terms on the next, nothing unprintable."""
    text = text[:_MOST_READ].lstrip()
    if text.startswith(_THINKING):
        text = text.partition(_THOUGHT)[2]
    lines = [_UNPRINTABLE.sub("", line) for line in text.splitlines() if not _FENCE.fullmatch(line)]
    *sentences, last = [squashed for line in lines if (squashed := squash(line))] or [""]
    note = f"{' '.join(sentences)}\n{last}" if sentences else last
    return note if len(note) <= MAX_NOTE_CHARS else cut(note, lambda part: len(part) <= MAX_NOTE_CHARS)


def cut(note: str, fits: Callable[[str], bool]) -> str:
    """Return as much of a note as fits: terms go first, then sentences, then words; "" when no word fits.

    `fits` must hold for all that is shorter than what it holds for.
    """
    if fits(note):
        return note
    return _longest(note, list(_ends(note)), fits) or _longest(
        note, [m.start() for m in _WORD_END.finditer(note)], fits
    )


def _ends(note: str) -> Iterator[int]:
    """Places where a note may end, ascending: behind each sentence, and behind each term of the last line."""
    sentences, line_break, terms = note.partition("\n")
    yield from (end for _, end in sentence_spans(sentences))
    if line_break:
        terms_start = len(sentences) + 1
        yield from (terms_start + match.start() for match in _TERM_END.finditer(terms))


def _longest(note: str, ends: list[int], fits: Callable[[str], bool]) -> str:
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(note[: ends[middle - 1]].rstrip()):
            low = middle
        else:
            high = middle - 1
    return note[: ends[low - 1]].rstrip() if low else ""
