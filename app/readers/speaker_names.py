"""Names in front of what somebody says (readers design, section 6; conversations design, section b)."""

import re
from dataclasses import dataclass
from itertools import pairwise

import regex

_JOINER = r"(?:of|for|the|and|de|du|des|del|della|di|da|do|dos|das|la|le|les|van|von|der|den|zu|y|e)"
_REST = r"[\p{L}\p{M}'\u2019.-]{0,40}"
_WORD = rf"[\p{{Lu}}\p{{Lt}}]{_REST}"
#: One to four capitalised words with joiners between them, maybe ending as in `Chair of meeting`.
_CASED = rf"{_WORD}(?:[ ](?:{_JOINER}[ ]){{0,2}}{_WORD}){{0,3}}(?:[ ](?:{_JOINER}[ ]){{1,2}}\p{{Ll}}{_REST})?"
_UNCASED = r"[\p{Lo}\p{Lm}][\p{Lo}\p{Lm}\p{M}]{0,15}"
_ROLE = r"(?:[ ]?[(\uff08](?P<role>[^()\uff08\uff09\n]{1,80})[)\uff09])?"
#: French sets a space in front.
_COLON = r"(?:[ \u00a0\u202f]?:[ \t\u00a0]+|\uff1a\s*)"
_TIME = r"(?:(?:\[(?P<time>\d{1,2}:\d{2}(?::\d{2})?)\]|(?P<time>\d{1,2}:\d{2}(?::\d{2})?))[ ]+)?"
_PREFIX = regex.compile(
    rf"{_TIME}(?:(?P<name>{_CASED}){_ROLE}(?:{_COLON}|\.[ ][\u2013\u2014-][ ])"
    rf"|(?P<name>{_UNCASED}){_ROLE}[:\uff1a]\s*"
    rf"|[\u25cb\u25ef\u25ce\u25cf][ ]?(?P<name>{_UNCASED}){_ROLE}(?:[:\uff1a]\s*|[ \u3000]+)"
    # As people write who paste Markdown into plain text.
    rf"|(?P<bold>\*\*|__)(?P<name>{_CASED}|{_UNCASED}){_ROLE}"
    rf"(?:[ ]?[:\uff1a](?P=bold)|(?P=bold){_ROLE}[ ]?[:\uff1a])\s+)(?=\S)"
)
#: What stands behind a name, or in front of one.
_SEPARATOR = re.compile("[:\uff1a\u25cb\u25ef\u25ce\u25cf]|\\. [\u2013\u2014-]")
_LONGEST_PREFIX = 300
#: A single line with a name in front may be a label.
_LEAST_LINES = 2
#: What speech recognition calls people that it can't name.
_LABEL = (
    r"(?i:speaker|participant|guest|host|person|voice|caller|interviewer|interviewee|respondent|moderator|panelist"
    r"|attendee|sprecher|locuteur|intervenant|hablante|orador)[ _-]?\d{1,3}"
)
_CAPTION_PREFIX = regex.compile(rf"(?P<name>{_LABEL}|{_CASED}){_ROLE}{_COLON}(?=\S)")
_NAME_WITH_ROLE = regex.compile(r"(?P<name>.*?\S)[ ]?[(\uff08](?P<role>[^()\uff08\uff09]{1,80})[)\uff09]")
#: Of messenger exports: `[05/03/2025, 10:14:33] ` and `05/03/2025, 10:15 - `. The comma tells them from machines' logs.
_INVISIBLE = r"[\u200e\u200f\u202a\u202c]*"
_STAMPED = r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},\s\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_LONGEST_DATE = 24
_STAMP = regex.compile(rf"{_INVISIBLE}(?:\[(?P<time>{_STAMPED})\]\s|(?P<time>{_STAMPED})\s-\s){_INVISIBLE}")
#: Behind a stamp anything may be a name.
_SENDER = regex.compile(r"(?P<name>[^\s:\uff1a\"\u201c][^:\uff1a\"\u201c\n]{0,60}+)(?::\s+|\uff1a\s*)(?=\S)")
_NOT_NAMES = frozenset(
    """
    note notes tip warning caution important example examples answer question summary result results source sources
    see definition update edit info hint step action actions decision resolved agreed outcome status date time
    location attendees present apologies subject re to from cc title author version q a danger error figure table
    remarque nota hinweis anmerkung beispiel exemple ejemplo esempio réponse antwort respuesta risposta résumé
    zusammenfassung resumen quelle fuente fonte attention achtung atención attenzione 注 例 注意 備考
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """Who speaks, as the text says in front of the words themselves."""

    name: str
    #: Name with role, when a role is given.
    full: str | None
    #: As written, when a time is given.
    time: str | None
    #: How many characters of the text it takes.
    length: int


def may_open_with_name(text: str) -> bool:
    """False for most texts that open with no name and no stamp; quicker to tell than which name it is."""
    return _SEPARATOR.search(text, 0, _LONGEST_PREFIX) is not None


def prefix_of(text: str) -> Prefix | None:
    """Return the name that a paragraph or line opens with: `Ann: hi`, `[10:02] Dr. Rao (chair): yes`.

    Labels such as `Note: mind the step` are no names, nor are single letters and what is not capitalised.
    """
    return _named(_PREFIX.match(text)) if may_open_with_name(text) else None


def caption_prefix_of(text: str) -> Prefix | None:
    """Return the name that a caption's line opens with, labels such as `Speaker 1: ` and `SPEAKER_02: ` included."""
    return _named(_CAPTION_PREFIX.match(text))


def stamp_length(text: str) -> int:
    """Return how many characters the date and time in front of a messenger's message take; 0 when there is none."""
    match = _STAMP.match(text) if text.find(",", 0, _LONGEST_DATE) >= 0 else None
    return match.end() if match else 0


def sender_of(text: str) -> Prefix | None:
    """Return who sent a messenger's message; None without a stamp, and for notices, which nobody sent."""
    stamp = _STAMP.match(text)
    match = _SENDER.match(text, stamp.end()) if stamp else None
    if stamp is None or match is None:
        return None
    time = " ".join(stamp["time"].split())
    return Prefix(name=match["name"].strip(), full=None, time=time, length=match.end())


def with_role(written: str) -> tuple[str, str | None]:
    """Part `Ada Lund (chair)` into the short name and the full one; the full is None without a role."""
    match = _NAME_WITH_ROLE.fullmatch(written)
    return (match["name"], written) if match else (written, None)


def parts_at_names(lines: list[str]) -> list[tuple[int, int]]:
    """Return the ranges of lines that paragraphs make when two or more lines open with a name, else nothing.

    Of a messenger's export a line opens with a stamp; those without one go on with the message before.
    """
    starts = [index for index, line in enumerate(lines) if stamp_length(line)]
    if len(starts) < _LEAST_LINES:
        starts = [index for index, line in enumerate(lines) if prefix_of(line)]
    if len(starts) < _LEAST_LINES:
        return []
    return list(pairwise(sorted({0, *starts, len(lines)})))


def _named(match: regex.Match[str] | None) -> Prefix | None:
    if match is None:
        return None
    name: str = match["name"]
    words = name.lower().split(" ", 1)
    if name.lower() in _NOT_NAMES or words[0] in _NOT_NAMES or (len(name) == 1 and name.upper() != name.lower()):
        return None
    role = match["role"]
    full = f"{name} ({role.strip()})" if role and role.strip() else None
    time = match.groupdict().get("time")
    return Prefix(name=name, full=full, time=time, length=match.end())
