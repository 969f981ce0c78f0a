"""Where sentences end (chunking design, "Text rules").

Our own, over one expression: of the libraries tried, one is quadratic in a paragraph of Chinese, the Unicode rules cut
after every `Dr.` and `J.`, and the statistical ones drop white space or know no `。`. Every step looks at a bounded
neighbourhood of a candidate, so time is linear.
"""

import re

_MARKS = ".!?…؟۔।॥։።"  # noqa: RUF001 - the marks themselves
_WIDE_MARKS = "。！？｡"  # noqa: RUF001 - the marks themselves
_CLOSERS = "\"'”’»)\\]}›*_」』）》〉】〕"  # noqa: RUF001 - the marks themselves
#: A mark (group 1: all of them in a row) or a line break, the closing marks behind it (2) and white space (3). It
#: starts with a set of characters, which the engine finds fast, and no part can fail late: nothing is scanned twice.
_CANDIDATE = re.compile(
    rf"([{_MARKS}{_WIDE_MARKS}\n](?:(?<=\n)|[{_MARKS}{_WIDE_MARKS}]*+))((?:(?<=\n)|[{_CLOSERS}]*+))(\s*+)"
)
#: What may stand between a boundary and the first letter of the next sentence.
_OPENERS = "\"'“‘„«‹([{¿¡*_-–—"  # noqa: RUF001 - the marks themselves
#: The word in front of a full stop; more than this many characters are no abbreviation.
_LONGEST_ABBREVIATION = 12

#: Never end a sentence: something always follows.
_BEFORE_NAME = frozenset(
    """
    mr mrs ms messrs mx dr prof rev hon gen col maj capt cmdr lt sgt cpl gov sen rep pres st fr sr sra srta mme mlle
    hr herr frau dott dipl ing vs e.g i.e eg ie cf viz approx ca bzw z.b d.h u.a p.ex resp esp incl excl al
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: Abbreviations when a digit (or a lone capital) follows: `Fig. 2`, `Sec. B`.
_BEFORE_NUMBER = frozenset(
    """
    no nos nr fig figs eq eqs sec secs art arts ch chap vol vols p pp para paras pt pts tab abs ziff bd cl ref refs
    ver v jan feb mar apr jun jul aug sep sept oct nov dec
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: May end a sentence or not: the next word tells.
_AMBIGUOUS = frozenset({"inc", "ltd", "co", "corp", "llc", "plc", "jr", "dept", "univ", "assn", "bros"})
#: Words that open a sentence far more often than they carry on a name: `the U.S. The fee is …`, not `the U.S. Army`.
_STARTERS = frozenset(
    """
    a an the this that these those it its he she we they you i there here in on at for from with as if when while
    after before but and or so however what who why how where which no not our their his her my your all some
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Cut a text into sentences: contiguous spans from 0 to its end, each with the white space that follows it.

    Abbreviations, initials, decimals, addresses and dots of omission do not end a sentence unless what follows looks
    like the start of one; a full-width stop such as `。` does so without a space. A blank line ends a sentence too.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _CANDIDATE.finditer(text):
        end = match.end()
        if end == len(text) or not _ends_sentence(text, start, match):
            continue
        if not text[start:end].isspace():
            spans.append((start, end))
            start = end
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether a mark ends a sentence, by the white space and the words on its two sides."""
    mark, space = match[1], match[3]
    if mark == "\n":
        return "\n" in space
    if not mark.isascii() and any(character in _WIDE_MARKS for character in mark):
        return True
    if not space or space.count("\n") > 1:
        return bool(space)
    if _first_letter(text, match.end()).islower():
        return False
    return mark != "." or _full_stop_ends(text, start, match)


def _full_stop_ends(text: str, start: int, match: re.Match[str]) -> bool:
    word = _word_before(text, start, match.start()).lstrip(_OPENERS)
    return not _is_abbreviation(text, word, match) if word else bool(match[2])


def _is_abbreviation(text: str, word: str, match: re.Match[str]) -> bool:
    lower, following = word.lower(), match.end()
    if lower in _BEFORE_NAME:
        return True
    if lower in _BEFORE_NUMBER:
        first, second = _first_letter(text, following), text[following + 1 : following + 2]
        return first.isdigit() or (first.isupper() and not second.isalpha())
    if len(word) == 1 and word.isalpha():
        # An initial, or the first half of `z. B.`
        return word.isupper() or text[following + 1 : following + 2] == "."
    if word.isdigit():
        return _numbers_line(text, match)
    if lower in _AMBIGUOUS or _DOTTED.fullmatch(word):
        return _next_word(text, following).lower() not in _STARTERS
    return False


def _numbers_line(text: str, match: re.Match[str]) -> bool:
    """True for the number of a step, as in `1. Open the lid`: nothing but white space stands before it in its line."""
    line = text[max(0, match.start() - _LONGEST_ABBREVIATION) : match.start()].rpartition("\n")
    return line[2].strip().isdigit() and (bool(line[1]) or match.start() <= _LONGEST_ABBREVIATION)


def _word_before(text: str, start: int, end: int) -> str:
    """Return the run of characters other than white space before `end`, or nothing when it is too long to matter."""
    window = text[max(start, end - _LONGEST_ABBREVIATION - 1) : end]
    word = window.split()[-1] if window and not window[-1].isspace() else ""
    return word if len(word) <= _LONGEST_ABBREVIATION else "…"


def _first_letter(text: str, at: int) -> str:
    """Return the first character at `at` that does not open a quotation or bracket."""
    for character in text[at : at + 4]:
        if character not in _OPENERS:
            return character
    return ""


def _next_word(text: str, at: int) -> str:
    words = text[at : at + 16].lstrip(_OPENERS).split(None, 1)
    return words[0].rstrip(".,;:!?'\u2019") if words else ""
