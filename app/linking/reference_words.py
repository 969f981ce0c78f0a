"""The words that name numbered parts of a text, in four languages (retrieval design, "Links of prose")."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """What a reference says that its number counts."""

    SECTION = "section"
    CLAUSE = "clause"
    ARTICLE = "article"
    PARAGRAPH = "paragraph"
    REGULATION = "regulation"
    RULE = "rule"
    CHAPTER = "chapter"
    PART = "part"
    SCHEDULE = "schedule"
    STEP = "step"


#: Texts mix these freely: `§ 5` is also `section 5`, `paragraph 5` and `Ziffer 5`.
PROVISIONS = frozenset({Part.SECTION, Part.CLAUSE, Part.ARTICLE, Part.PARAGRAPH, Part.REGULATION, Part.RULE})


@dataclass(frozen=True, slots=True)
class Word:
    """What a word names, and whether it announces several numbers."""

    part: Part
    plural: bool


#: Singulars, then plurals; a word that is both stands with the plurals, which read more.
_WORDS = {
    Part.SECTION: (
        "§ section sect. sec. abschnitt abschnitts sección",
        "§§ sections sects. secs. abschnitte abschnitten secciones",
    ),
    Part.CLAUSE: (
        "clause cl. klausel ziffer ziff. cláusula apartado",
        "clauses klauseln ziffern cláusulas apartados",
    ),
    Part.ARTICLE: ("article art. artikels artículo", "articles arts. artikel artikeln artículos"),
    Part.PARAGRAPH: (
        "paragraph para para. paragraphe párrafo",
        "paragraphs paras paras. paragraphen paragraphes párrafos",
    ),
    Part.REGULATION: ("regulation reg.", "regulations regs."),
    Part.RULE: ("rule regel règle regla", "rules regeln règles reglas"),
    Part.CHAPTER: ("chapter kapitels chapitre capítulo", "chapters kapitel kapiteln chapitres capítulos"),
    Part.PART: ("part teil teils partie parte", "parts teile teilen parties partes"),
    Part.SCHEDULE: (
        "schedule annex appendix exhibit anlage anhang anhangs annexe anexo apéndice",
        "schedules annexes appendices exhibits anlagen anhänge anhängen anexos apéndices",
    ),
    Part.STEP: ("step schritt étape paso", "steps schritte schritten étapes pasos"),
}
WORDS = {
    word: Word(part, plural=bool(number))
    for part, numbers in _WORDS.items()
    for number, words in enumerate(numbers)
    for word in words.split()
}

#: One of the words and the space after it. Longer ones come first, so that `sections` is not read as `section`.
WORD = (
    rf"(?i:{'|'.join(re.escape(word) for word in sorted(WORDS, key=len, reverse=True))})"
    r"(?:(?<=[.§])\s{0,3}|\s{1,3})"
)
#: The pronoun, by what follows: `in the section I wrote`.
_PRONOUN = r"I(?:['\u2019]|\s+(?!(?:and|or|to|of|shall|must|is|applies|und|bis|et|y|a)\b)[a-z])"
#: `3`, `3.1`, `12A`, `IV`, `B`, `B.2`. Letters are capital: `schedule a meeting` names nothing.
NUMBER = (
    r"(?:\d{1,4}(?:[A-Z]{1,2}|[a-z])?(?:\.\d{1,4}[a-z]?){0,7}|"
    rf"(?!{_PRONOUN})(?:[IVXLC]{{1,8}}|[A-Z](?:[.-]?\d{{1,3}}){{0,3}}))"
)
#: What may hang at a number: `(9)(a)`.
SUBNUMBERS = r"(?:\([0-9A-Za-z]{1,5}\)){0,6}"


def word_of(written: str) -> Word:
    """Return what a word that `WORD` matched names."""
    return WORDS[written.strip().lower()]
