"""References to numbered parts of a text, as prose writes them (retrieval design, "Links of prose").

A reference is a word and its numbers: `clauses 4, 5(2) and 7`, `§§ 4 bis 7`, `l'article 12`. One that goes to another
text (`section 3 of the Companies Act`, `§ 433 BGB`) is none. Every pattern looks at a bounded stretch: time is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from app.linking.number_ranges import between
from app.linking.reference_words import NUMBER, SUBNUMBERS, WORD, Part, Word, word_of

#: With their capitals, where a language writes them: `section 4 may be waived` is no date, nor is `section 4 decides`.
_MONTHS = (
    r"(?:Jan(?:uary?)?|Feb(?:ruary?)?|Mar(?:ch)?|Apr(?:il)?|May|Jun[ei]?|Jul[yi]?|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|"
    r"Nov(?:ember)?|De[cz](?:ember)?|März|Mai|"
    r"janv(?:ier)?|févr(?:ier)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|août|septembre|octobre|novembre|décembre|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b"
)
#: A number in front of one of these counts things, and is no name.
_COUNTED = (
    "percent|per cent|times|pages|seconds|minutes|hours|days|weeks|months|years|people|persons|employees|members|items|"
    "points|copies|euros?|dollars?|pounds|usd|eur|gbp|mm|cm|km|kg|stunden|tagen?|wochen|monaten?|jahren?|prozent|"
    "jours|semaines|mois|ans|heures|días|semanas|meses|años|horas"
)
_NOT_A_NAME = (
    rf"(?![\w%‰€$£¥°]|\s?[%€]|\.\d|,\d{{3}}(?!\d)|/\d|-(?:[a-z]|[A-Z]{{2}})|\s{{1,2}}(?i:{_COUNTED})\b"
    rf"|\s{{1,2}}{_MONTHS}|\sof\s\d)"
)
_AND = r"(?:and/or|and|or|&|und|oder|sowie|y|e|o|u|et|ou)"
#: Pinpoints inside a numbered part, which lead no further than it does: `(1) and (2)`, `Abs. 2 Satz 1`.
_PINPOINTS = (
    rf"(?:(?:\s?|\s*,\s*|\s*,?\s(?:{_AND}|to|bis)\s)\([0-9A-Za-z]{{1,5}}\)){{0,9}}"
    r"(?:\s?,?\s(?i:paragraphs?|para\.|sub-?(?:section|paragraph|clause)s?|alinéa|paragraphe|apartado|párrafo|absatz|"
    r"abs\.|satz|s\.|nr\.|nummer|buchstabe|buchst\.|lit\.|point|item)\s?\(?[0-9A-Za-z]{1,4}\)?(?!\w)){0,6}"
)
_ORDINAL = r"(?:er|\.?[ºª°])?"
_NAMED = rf"(?P<number>{NUMBER}){_ORDINAL}(?P<sub>{SUBNUMBERS}){_NOT_A_NAME}{_PINPOINTS}"
_FIRST = regex.compile(rf"(?<![\w-])(?P<word>{WORD}){_NAMED}")
_LISTED = regex.compile(rf"(?P<comma>\s*[,;]\s*)?(?:(?(comma)|\s+){_AND}\s+)?(?<=[\s,;]){_NAMED}")
_RANGED = regex.compile(
    r"(?:\s(?:to|through|until|bis|a|al|à|au|hasta)\s+|(?P<dash>\s?[-\u2013—]\s?))"
    rf"(?:(?:the\s|l['\u2019]|la\s|el\s)?(?P<word>{WORD}))?{_NAMED}"
)
_MORE_TO_COME = regex.compile(rf"\s*,|\s{_AND}\s+{NUMBER}(?!\w)")
#: `paragraph 2 of Article 12` leads to the article.
_OF_ANOTHER_PART = regex.compile(
    r"\s+(?:of|in|under|de|del|du|des|von|vom|der|zu)\s*(?:\s(?:the|la|el|der|des))?\s?"
    rf"(?:l['\u2019])?{WORD}{NUMBER}(?!\w)"
)
_ACTS = (
    "Act|Code|Law|Directive|Convention|Treaty|Constitution|Statute|Ordinance|Order|Charter|Regulations?|Rules|Protocol|"
    "Standard|Bill"
)
_OF_ANOTHER_TEXT = regex.compile(
    rf"\s+(?:of|to|in|under)\s+(?:(?:the|that|said)\s+)?(?:"
    rf"(?:(?:\p{{Lu}}|\d{{4}}\b)[\w'\u2019&.-]*\s+(?:\([\w ]{{1,30}}\)\s+)?(?:(?:of|and|for|on|the)\s+){{0,2}}){{1,8}}"
    rf"(?:{_ACTS})\b"
    r"|(?:Regulation|Directive|Decision)\s+(?:\(|No\b|\d)|(?:ISO|IEC|EN|DIN|RFC|IEEE)\b)"
    r"|\s+(?:du\sCode|de\sla\s[Ll]oi|de\sla\s[Dd]irective|du\s[Dd]écret|du\s[Rr]èglement\s\(|"
    r"del\sCódigo|de\sla\sLey|de\sla\sDirectiva|del\sReal|del\sReglamento\s\(|des\s\p{Lu}\w+gesetz(?:es|buchs)?)\b"
)
#: `§ 433 BGB`, `Art. 6 DSGVO`; general terms of business (AGB, AVB) are likely the very text.
_OF_A_STATUTE = regex.compile(r"\s+(?!A[GV]B\b)\p{Lu}[\p{L}-]{0,12}\p{Lu}\b")
_STATUTE_WORDS = ("§", "art", "para")
_CITED_CODE = re.compile(r"(?:U\. ?S\. ?C?\.?|USC|C\. ?F\. ?R\.|CFR|BGB)\s*$")
_CITED_CODE_CHARS = 12


@dataclass(frozen=True, slots=True)
class Reference:
    """A numbered part that a text names."""

    part: Part
    #: Lower-case; the most exact form first, then what it falls back to: `34(9)`, `34`.
    numbers: tuple[str, ...]


def references(text: str) -> Iterator[Reference]:
    """Yield what a text refers to in order, ranges number by number, repeats included."""
    position = 0
    while (first := _FIRST.search(text, position)) is not None:
        written = first["word"]
        found, position = _numbers(text, first, word_of(written))
        if not _elsewhere(text, first.start(), position, written.lower()):
            for numbers in found:
                yield Reference(word_of(written).part, numbers)


def _numbers(text: str, first: regex.Match[str], word: Word) -> tuple[list[tuple[str, ...]], int]:
    """Return the numbers that belong to a word, and where the text goes on behind them."""
    found = [_forms(first)]
    position = first.end()
    while True:
        if (last := _RANGED.match(text, position)) is not None and _same_part(last, word):
            numbers = between(found[-1][-1], _forms(last)[-1])
            if numbers is None and last["dash"]:
                # `Part 12-3456` is the number of a thing.
                return [], last.end()
            found += [(number,) for number in numbers or ()]
            found.append(_forms(last))
        elif (last := _LISTED.match(text, position)) is None or not _goes_on(text, last, word):
            return found, position
        else:
            found.append(_forms(last))
        position = last.end()


def _forms(match: regex.Match[str]) -> tuple[str, ...]:
    number = match["number"].lower()
    return (number + match["sub"].lower(), number) if match["sub"] else (number,)


def _same_part(match: regex.Match[str], word: Word) -> bool:
    return match["word"] is None or word_of(match["word"]).part is word.part


def _goes_on(text: str, match: regex.Match[str], word: Word) -> bool:
    """Tell a list from what merely follows: `under Section 3, 12 of them` lists nothing."""
    listed = match[0].lstrip()
    only_comma = match["comma"] is not None and listed[1:].lstrip().startswith(match["number"])
    return word.plural or not only_comma or _MORE_TO_COME.match(text, match.end()) is not None


def _elsewhere(text: str, start: int, end: int, word: str) -> bool:
    """Tell whether a reference leads to another text, or to a numbered part that is read on its own."""
    return (
        _OF_ANOTHER_PART.match(text, end) is not None
        or _OF_ANOTHER_TEXT.match(text, end) is not None
        or (word.startswith(_STATUTE_WORDS) and _OF_A_STATUTE.match(text, end) is not None)
        or _CITED_CODE.search(text[max(0, start - _CITED_CODE_CHARS) : start]) is not None
    )
