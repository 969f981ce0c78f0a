"""Cues of WebVTT and SRT: when something is said, and where its text stands (readers design, section 18)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from app.errors import MalformedDocument

#: A fraction may be missing only from a time with hours: `12:30 --> 13:00` in a text is no cue.
_CLOCK = r"(?:(\d{1,4}):)?(\d{1,3}):(\d{2})[.,](\d{1,6})|(\d{1,4}):(\d{2}):(\d{2})"
_TIMING = re.compile(rf"[ \t]*(?:{_CLOCK})[ \t]*-->(?:[ \t]*(?:{_CLOCK}))?")
_CLOCK_GROUPS = 7
_TITLE = re.compile(r"WEBVTT[ \t]+[-\u2013\u2014][ \t]+(.*)")
_LANGUAGE = re.compile(r"Language[ \t]*:[ \t]*(\S+)", re.IGNORECASE)
_DROPPED = re.compile(r"NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$")
_INDEX = re.compile(r"\s*(\d{1,9})\s*")


class Cue(NamedTuple):
    """A cue: its times in seconds, and the offsets of its text."""

    start: float
    end: float
    text_start: int
    text_end: int


@dataclass(frozen=True, slots=True)
class Captions:
    """The cues of a file in its order, and what its header says."""

    cues: tuple[Cue, ...]
    title: str = ""
    language: str | None = None
    warnings: tuple[str, ...] = ()


class _Line(NamedTuple):
    text: str
    start: int
    #: Start and end in seconds, of a timing line.
    times: tuple[float, float] | None

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def vtt_captions(source: str) -> Captions:
    """Find the cues of WebVTT as browsers do: a timing line starts a cue wherever it stands, an empty line ends it.

    Raises:
        MalformedDocument: the first line is not `WEBVTT`.
    """
    lines = _lines(source)
    first = next(lines).text
    if not re.match(r"WEBVTT(?:[ \t]|$)", first):
        raise MalformedDocument("The first line of a WebVTT file is WEBVTT, maybe with text after a space.")
    title = _TITLE.match(first)
    language = None
    reading = _VttCues()
    in_header = True
    for number, line in enumerate(lines, start=2):
        in_header = in_header and bool(line.text) and line.times is None
        if in_header:
            language = language or _LANGUAGE.match(line.text)
        else:
            reading.take(number, line)
    reading.close()
    return Captions(
        cues=tuple(reading.cues),
        title=title[1].strip() if title else "",
        language=language[1] if language else None,
        warnings=reading.warnings(),
    )


def srt_captions(source: str) -> Captions:
    """Find the cues of SRT: each runs from its timing line to the next one, blank lines included."""
    cues: list[Cue] = []
    timing: _Line | None = None
    #: Lines since the last timing line that are not blank, and whether a blank one follows them.
    written: list[_Line] = []
    is_apart = False
    index = 0
    for line in _lines(source):
        if line.times is not None:
            index = _take_index(written, index, is_apart=is_apart)
            cues += _cue(timing, written)
            timing, written, is_apart = line, [], False
        elif line.text.strip():
            written.append(line)
            is_apart = False
        else:
            is_apart = True
    cues += _cue(timing, written)
    warnings = () if timing or not source.strip() else ("No timing line was found, so nothing was read.",)
    return Captions(cues=tuple(cues), warnings=warnings)


def has_timing_line(text: str, lines: int) -> bool:
    """True when one of the first lines of a text is a cue's timing line."""
    return any(_TIMING.match(line) for line in text.split("\n", lines)[:lines])


class _VttCues:
    """Takes lines in order; what a line means depends on the block that is open."""

    def __init__(self) -> None:
        self.cues: list[Cue] = []
        self._timing: _Line | None = None
        self._text: list[_Line] = []
        self._in_dropped = False
        #: A line that may turn out to be an identifier, and how many before it turned out to be nothing.
        self._waiting: int | None = None
        self._stray: list[int] = []

    def take(self, number: int, line: _Line) -> None:
        if line.times is not None:
            self._open(line)
        elif not line.text:
            self.close()
        elif self._timing is not None:
            self._text.append(line)
        elif self._in_dropped:
            return
        elif self._waiting is None and _DROPPED.match(line.text):
            self._in_dropped = True
        else:
            self._give_up_waiting()
            self._waiting = number

    def close(self) -> None:
        if self._timing is not None:
            self.cues += _cue(self._timing, self._text)
        self._give_up_waiting()
        self._timing, self._text, self._in_dropped = None, [], False

    def warnings(self) -> tuple[str, ...]:
        if not self._stray:
            return ()
        return (f"Lines outside of cues were left out: {len(self._stray)}, the first is line {self._stray[0]}.",)

    def _open(self, timing: _Line) -> None:
        if self._timing is not None and self._text and _INDEX.fullmatch(self._text[-1].text):
            # No empty line between two cues: the number is the second one's identifier.
            self._text.pop()
        self._waiting = None
        self.close()
        self._timing = timing

    def _give_up_waiting(self) -> None:
        if self._waiting is not None:
            self._stray.append(self._waiting)
            self._waiting = None


def _lines(source: str) -> Iterator[_Line]:
    at = 0
    for text in source.split("\n"):
        yield _Line(text, at, _times(text) if "-->" in text else None)
        at += len(text) + 1


def _times(text: str) -> tuple[float, float] | None:
    match = _TIMING.match(text)
    if match is None:
        return None
    clock = match.groups()
    start = _seconds(clock[:_CLOCK_GROUPS])
    ends = any(part is not None for part in clock[_CLOCK_GROUPS:])
    return start, _seconds(clock[_CLOCK_GROUPS:]) if ends else start


def _seconds(clock: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction, *whole = clock
    if whole[0] is not None:
        hours, minutes, seconds, fraction = whole[0], whole[1], whole[2], None
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0) + float(f"0.{fraction or 0}")


def _cue(timing: _Line | None, text: list[_Line]) -> Iterator[Cue]:
    if timing is not None and timing.times is not None and text:
        yield Cue(*timing.times, text[0].start, text[-1].end)


def _take_index(written: list[_Line], last: int, *, is_apart: bool) -> int:
    """Take the index of the cue that starts here away from the text before it; return it, or the last one.

    It is a line of digits. Across blank lines, only the number after that of the cue before is an index.
    """
    match = _INDEX.fullmatch(written[-1].text) if written else None
    if match is None or (is_apart and int(match[1]) != last + 1):
        return last
    written.pop()
    return int(match[1])
