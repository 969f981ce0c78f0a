"""The terms that a text defines, told by how definitions are written in four languages.

A term stands in quotation marks, in bold, or at the start of its line with a capital. Every pattern looks at a bounded
stretch: time is linear.
"""

import regex

#: Characters of the longest term.
_LONGEST = 60
_TERM = rf"(?P<term>[\p{{L}}\p{{N}}][^\n\"“”„«»*:;()]{{0,{_LONGEST}}}?)"
_MARKED = rf"(?:[\"“”„«]\s?(?:\*\*|__)?{_TERM}(?:\*\*|__)?,?\s?[\"”“»]|(?<!\*)\*\*{_TERM}\*\*|(?<!_)__{_TERM}__)"
_MEANS = (
    r"(?:(?:shall\s|will\s)?(?:means?|mean|refers?\sto|designates?|denotes?)"
    r"|(?:is|are|shall\sbe)\sdefined\s(?:as|in|by)|(?:shall\shave|has|have)\sthe\smeanings?|is\sthe\sterm\sfor"
    r"|bedeute[nt]|bezeichne[nt]|hei(?:ß|ss)(?:t|en)|(?:ist|sind|wird|werden)\sdefiniert\sals|meint"
    r"|désigne(?:nt)?|signifie(?:nt)?|s['\u2019]entend(?:ent)?|(?:est|sont)\sdéfinie?s?\scomme"
    r"|significan?|designan?|se\sentiende(?:n)?|se\sdefinen?\scomo)\b"
)
#: `"You" or "Customer" means …`: what may stand between a term and its verb.
_BETWEEN = r"[^.\n:]{0,60}?"
_FORMS = (
    regex.compile(rf"{_MARKED}(?:\s(?:and|or|und|oder|et|ou|y|o)\s{_MARKED}){{0,3}}{_BETWEEN}\s{_MEANS}"),
    regex.compile(rf"(?:{_MARKED}\s{{0,2}}(?::|[—\u2013-]\s)|\*\*{_TERM}:\*\*)"),
    regex.compile(rf"\([^()\"“”„«»\n]{{0,60}}{_MARKED}[^()\n]{{0,80}}\)"),
    regex.compile(
        r"(?:entiende\spor|entend\spar|versteht\sman\sunter|the\s(?:term|expression|word)s?|der\sBegriff|"
        rf"le\sterme|el\stérmino)\s{_MARKED}"
    ),
    regex.compile(
        r"(?m)^(?:[-*+•]\s{1,3}|\(?\w{1,4}[.)]\s{1,3})?(?:(?:The|An?|Die|Der|Das|Une?|L[ae]s?|El|Los)\s)?"
        rf"(?P<term>\p{{Lu}}[\p{{L}}\p{{N}} \u2019'/&-]{{1,{_LONGEST}}}?)(?<!\b(?:by\sall|by\sno))\s{_MEANS}"
    ),
)
#: `Fee: what is paid.`, where definitions are known to be.
_ENTRY = regex.compile(
    r"(?m)^(?:[-*+•]\s{1,3}|\(?\w{1,4}[.)]\s{1,3})?"
    r"(?P<term>\p{Lu}[\p{L}\p{N} /&-]{1,40}?)\s?(?::|[—\u2013-])\s+\S"
)
_HEADING = regex.compile(
    r"(?i)\b(?:definitions?|interpretation|defined terms|glossary|begriffsbestimmung(?:en)?|definitionen|begriffe|"
    r"définitions?|glossaire|definici(?:ón|ones)|glosario)\b"
)
#: What is set in bold in front of a colon, and defines nothing.
_LABELS = frozenset(
    """
    note notes tip warning caution important hint info example attention hinweis achtung wichtig beispiel remarque
    exemple nota ejemplo aviso
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: What stands for something said before.
_PRONOUNS = frozenset(
    """
    this that these those it they he she we you i which what who there here nothing everything dies das dieses es er sie
    was ce cela il elle cette esto eso ello
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


def defined_terms(text: str) -> list[str]:
    """Return the terms that a text defines as they are written, each once.

    Pronouns are left out even where a contract gives one a meaning: they tell no use of it from any other.
    """
    found: dict[str, None] = {}
    for form in _FORMS:
        for match in form.finditer(text):
            for term in match.captures("term"):
                found[term.strip(" ,.'\u2019")] = None
    return [term for term in found if term and term.lower() not in _LABELS | _PRONOUNS]


def entry_terms(text: str) -> list[str]:
    """Return what opens its lines as in a glossary, for a text that is known to define terms."""
    terms = dict.fromkeys(match["term"] for match in _ENTRY.finditer(text))
    return [term for term in terms if term.lower() not in _LABELS]


def is_heading_of_definitions(heading: str) -> bool:
    """Tell whether what stands under a heading defines terms."""
    return _HEADING.search(heading) is not None
