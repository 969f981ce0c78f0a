"""Who speaks, in running text (readers design, section 6.3)."""

import re

_WORD = r"[^\W\d_a-z][^\W\d_]*(?:['\u2019.-][^\W\d_]+)*\.?"
_JOINER = r"(?:of|for|the|and|de|du|des|del|della|di|da|do|dos|das|la|le|les|van|von|der|den|zu|y|e)"
#: One to four capitalised words, maybe a role in brackets, a colon and text.
_PREFIX = re.compile(
    rf"({_WORD}(?:[ ](?:{_JOINER}[ ]){{0,2}}{_WORD}){{0,3}})(?:[ ]\([^()\n]{{1,80}}\))?(?::[ \t]+|\uff1a)(?=\S)"
)
_NOT_NAMES = frozenset(
    """
    note notes tip warning caution important example examples answer question summary result results source sources
    see definition update edit info hint step action actions decision resolved agreed outcome status date time
    location attendees present apologies subject re to from cc title author version q a danger error figure table
    remarque nota hinweis anmerkung beispiel exemple ejemplo esempio réponse antwort respuesta risposta résumé
    zusammenfassung resumen quelle fuente fonte attention achtung atención attenzione
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


def opens_with_name(line: str) -> bool:
    """True for `Ann: hi` and `Dr. Rao (chair): yes`, false for labels such as `Note: mind the step`."""
    match = _PREFIX.match(line)
    if match is None or len(match[1]) == 1:
        return False
    name = match[1].lower()
    return name not in _NOT_NAMES and name.split()[0] not in _NOT_NAMES
