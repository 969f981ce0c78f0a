"""Who says what in the cues of captions (readers design, section 6.2)."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import regex

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers.caption_cues import Cue
from app.readers.cleaning import prose
from app.readers.speaker_names import Prefix, caption_prefix_of, with_role

#: An utterance goes on with the sentence of the one before within so many seconds. Longer after it, a line that is
#: there again was said again.
_PAUSE = 5.0
#: What a tag is: text such as `3 < 4` is none. Of ruby, only the base is text, as in every format.
_MARKUP = re.compile(
    r"(?P<line>\n)"
    r"|(?P<voice><v(?:\.[^\s<>]*)?(?:\s+(?P<name>[^<>]*))?>)"
    r"|(?P<unvoice></v>)"
    r"|(?P<tag><rt\b[^<>]*>[^<>\n]{0,200}</rt>|</?[^\W\d_][^<>]*>|<[\d:.,]+>|</?>)"
    r"|(?P<chevron>(?:>|&gt;){2,3})"
    r"|(?P<style>\{\\[^{}\n]*\})"
)
_DASH = re.compile(r"[-\u2013\u2014] (?=\S)")
#: Without a space after it, only where several lines of a cue open so.
_TIGHT_DASH = regex.compile(r"[-\u2013\u2014](?=\p{L})")
_SENTENCE_END = regex.compile("[.?!\u2026\u3002\uff01\uff1f\u061f\u0964][\"'\u201d\u2019\u00bb)\\]]*$")
#: So many characters before `>>` tell whether a sentence ended there.
_LOOK_BACK = 40
_TRAILING_OFF = ("...", "\u2026")
#: `[Music]`, `(applause)`, notes and what is sung between them; a sentence in brackets is speech.
_BRACKETED = r"(?:[^\[\]().?!]{0,60}|\w{1,20}[.!])"
_SOUND = re.compile(
    rf"(?:\[{_BRACKETED}\]|\({_BRACKETED}\)|\uff08[^\uff08\uff09]{{0,20}}\uff09|[\u2669-\u266c][^\u2669-\u266c]*|[\s.,-])++"
)


@dataclass(slots=True)
class _Fragment:
    """A piece of one line that one person says."""

    line: int
    voice: str | None
    #: Counts the voices of a cue: two of one name stay two.
    voice_number: int
    start: int
    #: True when a dash or `>>` says that somebody else speaks.
    opens: bool = False
    #: What stands between the tags.
    written: list[str] = field(default_factory=list)
    text: str = ""
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The last utterance: whose it is, when it was said, and how its text ends."""

    speaker: JsonObject
    start: float
    end: float
    text: str


def utterances(source: str, cues: Sequence[Cue], *, styles: bool) -> Iterator[Block]:
    r"""Return a paragraph for each utterance, in the order of the file.

    Args:
        source: The normalized source.
        cues: Where it holds cues.
        styles: True when `{\...}` is markup.
    """
    speaker: JsonObject = {}
    last: _Spoken | None = None
    previous: list[_Fragment] = []
    previous_end = 0.0
    for cue in cues:
        fragments = list(_fragments(source, cue, styles=styles))
        rolls = cue.start - previous_end <= _PAUSE
        repeated = {(part.voice, part.text) for part in previous} if rolls else set()
        fresh = [part for part in fragments if (part.voice, part.text) not in repeated]
        previous, previous_end = fragments, max(cue.start, cue.end)
        _take_dashes(fresh)
        if _SOUND.fullmatch(" ".join(part.text for part in fresh)):
            continue
        for parts in _grouped(fresh):
            speaker, text = _speaker(parts, speaker)
            meta = {**speaker, "time": _clock(cue.start)}
            if not parts[0].opens and _goes_on(last, speaker, text, cue.start):
                meta["continues"] = True
            yield Block(type=BlockType.PARAGRAPH, text=text, meta=meta, start=parts[0].start, end=parts[-1].end)
            last = _Spoken(speaker, cue.start, max(cue.start, cue.end), text)


def _fragments(source: str, cue: Cue, *, styles: bool) -> Iterator[_Fragment]:
    """Return the pieces of a cue that have text, tags taken out and character references read."""
    for part in _raw_fragments(source, cue, styles=styles):
        part.text = prose("".join(html.unescape(written) for written in part.written))
        if part.text:
            written = source[part.start : part.end]
            part.start += len(written) - len(written.lstrip())
            part.end -= len(written) - len(written.rstrip())
            yield part


def _raw_fragments(source: str, cue: Cue, *, styles: bool) -> Iterator[_Fragment]:
    part = _Fragment(0, None, 0, cue.text_start)
    at = cue.text_start
    for match in _MARKUP.finditer(source, cue.text_start, cue.text_end):
        start, end = match.span()
        if match["chevron"] and not _opens_here(source[max(part.start, start - _LOOK_BACK) : start]):
            continue
        if match["style"] and not styles:
            continue
        part.written.append(source[at:start])
        part.end = end if match["unvoice"] else start
        at = end
        if match["tag"] or match["style"]:
            continue
        yield part
        part = _Fragment(part.line, part.voice, part.voice_number, end)
        if match["line"]:
            part.line += 1
        elif match["chevron"]:
            part.start, part.opens = start, True
        else:
            part.voice_number += 1
            part.voice = prose(html.unescape(match["name"] or "")) or None
            part.start = start if match["voice"] else end
    part.written.append(source[at : cue.text_end])
    part.end = cue.text_end
    yield part


def _opens_here(written: str) -> bool:
    """True at the start of a line and after a sentence."""
    before = html.unescape(_MARKUP.sub("", written)).rstrip()
    return not before or _SENTENCE_END.search(before) is not None


def _take_dashes(parts: list[_Fragment]) -> None:
    """Take the dashes that open lines away, and note that somebody else speaks."""
    opening = [part for at, part in enumerate(parts) if at == 0 or parts[at - 1].line != part.line]
    found = [_DASH.match(part.text) or _TIGHT_DASH.match(part.text) for part in opening]
    several = sum(match is not None for match in found) > 1
    for part, match in zip(opening, found, strict=True):
        if match and (several or match[0].endswith(" ")):
            part.text, part.opens = part.text[match.end() :], True


def _grouped(parts: list[_Fragment]) -> Iterator[list[_Fragment]]:
    """Put the pieces of each utterance together."""
    group: list[_Fragment] = []
    for part in parts:
        if group and (part.opens or part.voice_number != group[-1].voice_number or _is_named(part)):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _is_named(part: _Fragment) -> bool:
    return part.voice is None and _prefix(part) is not None


def _prefix(part: _Fragment) -> Prefix | None:
    """Return the name that a line opens with; it may stand there alone, with what is said on the next line."""
    return caption_prefix_of(f"{part.text} ...")


def _speaker(parts: Sequence[_Fragment], last: JsonObject) -> tuple[JsonObject, str]:
    """Return who says an utterance, as meta, and its text without the name in front."""
    first, text = parts[0], " ".join(part.text for part in parts)
    if first.voice is not None:
        name, full = with_role(first.voice)
    elif (prefix := _prefix(first)) and prefix.length < len(text):
        name, full, text = prefix.name, prefix.full, text[prefix.length :]
    else:
        return ({} if first.opens else last), text
    return {"speaker": name, **({"speaker_full": full} if full else {})}, text


def _goes_on(last: _Spoken | None, speaker: JsonObject, text: str, start: float) -> bool:
    """True when an utterance goes on with an unfinished sentence of the same speaker."""
    if last is None or last.speaker.get("speaker") != speaker.get("speaker"):
        return False
    if start < last.start or start - last.end > _PAUSE:
        return False
    if last.text.endswith(_TRAILING_OFF):
        return text[0].islower()
    return _SENTENCE_END.search(last.text) is None


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
