"""Wording of what people say to each other: outcomes, proposals, corrections, answers and new points.

Cues are looked for in a message as it is written, in English, German, French and Spanish.
"""

import functools
from typing import TypeAlias

import regex

#: Alternatives of a pattern, as a rule those of one language in a row.
_Words: TypeAlias = tuple[str, ...]

#: Verbs of settling as they stand in a record of it.
_SETTLED: _Words = (
    r"agreed|decided|approved|adopted|carried|rejected|resolved|accepted|ratified|defeated|concluded|endorsed|vetoed",
    r"declined|dismissed|settled|finali[sz]ed|signed off|voted|confirmed|turned down|voted down|dropped",
    r"beschlossen|vereinbart|angenommen|abgelehnt|geeinigt|entschieden|genehmigt|verabschiedet|festgelegt",
    r"décidée?s?|convenue?s?|adoptée?s?|approuvée?s?|rejetée?s?|acceptée?s?|conclue?s?|validée?s?|retenue?s?",
    r"decidid[oa]s?|acordad[oa]s?|aprobad[oa]s?|rechazad[oa]s?|aceptad[oa]s?|adoptad[oa]s?|concluid[oa]s?",
)
#: Who settles, or what is settled.
_PARTIES: _Words = (
    r"we|we've|everyone|everybody|all|committee|board|council|group|team|members|court|parties|both|motions?",
    r"amendments?|proposals?|proposition|resolutions?|votes?|minutes|recommendations?|requests?|applications?|agenda",
    r"budget|plans?|offer|wir|antrag|vorschlag|ausschuss|vorstand|rat|man|nous|avons|on a|comité|conseil|nosotros",
    r"hemos|moción|propuesta|junta|consejo|se ha",
    r"(?:it|this|das|es) (?:is|was|were|has been|ist|wurde|wird)|(?:c'est|il est)",
)
#: Before a cue these make a record or a correction a wish or a condition.
_HYPOTHETICAL: _Words = (
    r"if|whether|unless|until|before|when|would|could|should|may|might|will be|to be|wenn|ob|falls|bis|würde|sollte\w*",
    r"si|avant|hasta|cuando",
)
#: Before a cue these make a record a denial.
_DENIED: _Words = (r"\w*n't|not|never|yet to|nicht|noch|kein\w*|pas|jamais|encore|no|nunca|sin",)
_OPENING = r"^\W*(?:(?:so|ok|okay|right|then|all|well|alright|and|yes),?\s+)*"
_LABELS = (
    r"(?:final )?decisions?|resolution|resolved|outcome|conclusion|beschluss|entscheidung|ergebnis|décision|résolution|"
    r"decisión|acuerdo|conclusión|resolución"
)
_WE_WILL = r"(?:we'll|we will|let's|let us|(?:we are|we're) (?:going to|gonna))(?: all| then| just| now)*"
_CHANGED = (
    r"moved|changed|postponed|pushed|rescheduled|revised|updated|superseded|replaced|withdrawn|cancel+ed|corrected|"
    r"overturned|reversed|dropped"
)
#: A lot has changed, nothing has changed: that says nothing of what was said.
_OF_SOMETHING = r"(?<!\b(?:lot|much|nothing|things|everything|what)\s)"
_WRONG = "wrong|incorrect|mistaken|inaccurate|outdated|out of date|not (?:right|correct|true|accurate|the case)"
_SHIFTED = r"moved|changed|pushed|postponed|rescheduled|revised|updated|corrected|raised|lowered|cut|reduced|increased"

_CUES: dict[str, _Words] = {
    # A sentence that begins as a record: `Agreed: 45k`, `Motion carried`, `Decision: keep it`.
    "recorded": (
        rf"{_OPENING}(?:it is |that's )?(?:\w+ly |einstimmig )?(?:{'|'.join(_SETTLED)})\b(?!\s+(?:with|by|at)\b)",
        rf"{_OPENING}(?:{_LABELS})\s*[:.\u2013\u2014-]",
        rf"{_OPENING}(?:motion (?:carried|passe[sd]|fails|lost)|so ordered|done deal|deal|sold|queda \w+d[oa])\b",
        rf"{_OPENING}(?:einverstanden|abgemacht|d'accord pour|entendu|trato hecho)\b",
    ),
    # Somebody settled, or something was settled.
    "settled": (
        rf"\b(?:{'|'.join(_PARTIES)})\b(?:\W+[\w']+){{0,5}}?\W+(?:{'|'.join(_SETTLED)})\b(?!\s+(?:with|at)\b)",
    ),
    # The choice itself.
    "chosen": (
        rf"\b(?:{_WE_WILL}|we're|we are|we) (?:go(?:ing)? (?:ahead )?with|settled? on|opt(?:ed)? for)\b",
        rf"\b{_WE_WILL} (?:stick (?:with|to)|keep to|(?:use|keep|drop|adopt|choose) (?:the|an?|(?-i:\p{{Lu}})|\d))",
        r"\b(?:the|our|final) decision (?:is|was)\b|\bdecision (?:has been |was |is )?(?:made|taken|final)\b",
        r"\b(?:that's|that is|it's|it is) (?:settled|decided|agreed|a deal|final)\b|\bcase closed\b",
        r"\b(?:ayes|noes) have it\b|\b(?:motion|amendment|bill) (?:is |was |has )?(?:passe[sd]|carries|falls)\b",
        r"\b(?:court|board|committee|council) (?:hereby )?(?:orders|rules|approves|adopts|rejects|dismisses)\b",
        r"\bso (?:\w+ ){1,2}it is\W*$|\b(?:the|our|my) conclusion (?:is|was)\b",
        r"\bwir (?:nehmen|bleiben bei|entscheiden uns|einigen uns)\b|\bdann (?:nehmen|machen) wir\b|\bso machen wir\b",
        r"\bon (?:part sur|retient|garde|prend)\b|\bnous (?:retenons|gardons|prenons|optons)\b|\bc'est réglé\b",
        r"\bquedamos (?:en|con)\b|\bvamos con\b|\bnos decidimos\b|\bse (?:acuerda|aprueba|rechaza|decide|resuelve)\b",
    ),
    "concludes": (
        r"\b(?:in conclusion|to (?:conclude|sum up)|we conclude|bottom line|zusammenfassend|abschließend|fazit)\b",
        r"\b(?:en conclusion|pour conclure|en conclusión|para concluir|en resumen)\b",
    ),
    "lets": (r"\b(?:let's|let us)\b(?! (?:see|say|talk|look|discuss|think|hear|start|move on))", r"\blasst uns\b"),
    # What is only put forward.
    "proposes": (
        r"\b(?:propos(?:e|es|ing)|suggest(?:s|ing)?|should we|could we|shall we|can we|what if|how about|why don't)\b",
        r"\b(?:maybe|perhaps|might|would like|i'd|i would|i think we|we should|we could|i move|any objections?)\b",
        r"\b(?:recommends?|consider(?:ing)?|schlage|vorschlagen|sollten wir|könnten wir|vielleicht|würde)\b",
        r"\b(?:suggère|devrions|pourrions|peut-être|propongo|sugiero|deberíamos|podríamos|quizás?|tal vez)\b",
    ),
    "opinion": (
        r"\bi (?:think|believe|feel|guess|suppose)\b|\bin my (?:view|opinion)\b|\bseems?\b",
        r"\bich (?:denke|glaube|finde)\b|\bje (?:pense|crois|trouve)\b|\b(?:creo|pienso)\b",
    ),
    # Says of something said before that it does not hold.
    "withdraws": (
        r"\b(?:correction|erratum|(?:i was|i am|i'm) (?:wrong|mistaken)|i misspoke|my (?:mistake|bad))\b",
        r"\bi (?:stand corrected|take (?:that|it) back|withdraw|retract|made an? (?:mistake|error))\b",
        r"\b(?:scratch|strike) that\b|\b(?:changed my mind|on second thoughts?)\b",
        rf"\b(?:that|this|it|which|you)(?:'s| is| was|'re| are| were) (?:\w+ )?(?:{_WRONG})\b",
        r"\b(?:isn't|wasn't|aren't) (?:\w+ )?(?:right|correct|true|accurate)\b|\bno longer\b|n't .{1,30} any ?more\b",
        rf"{_OF_SOMETHING}\b(?:has|have|was|were|is|got) (?:just |been )*(?:{_CHANGED})\b(?! (?:on|in|by|forward)\b)",
        rf"\b(?:{_SHIFTED}) (?:(?:the|it|this|that|my|our|your) (?:\w+ ){{0,2}})?(?:to|from)\b",
        r"\b(?:updated?|new|revised|corrected|latest) (?:figures?|numbers?|date|time|price|estimate|deadline|total)\b",
        r"\bcontrary to\b|\b(?:misread|miscounted|miscalculated|overstated|understated)\b",
        r"\b(?:berichtigung|korrektur|ich (?:habe mich|hatte mich|lag) (?:geirrt|falsch|vertan)|mein fehler)\b",
        r"\bstimmt (?:so )?nicht\b|\b(?:ist|war) falsch\b|\bnicht mehr\b|\b(?:geändert|verschoben)\b|\bdas zurück\b",
        r"\b(?:rectification|je me suis trompée?|mon erreur|reportée?|modifiée?)\b|\bn(?:e |').{1,30} plus\b",
        r"\b(?:est|était) (?:faux|inexact|erronée?)\b|\b(?:corrección|rectifico|me (?:equivoqué|he equivocado))\b",
        r"\b(?:es|era|está) (?:falso|incorrecto|equivocad[oa]|mal)\b",
        r"\bya no\b|\bmi error\b|\b(?:aplazad|cambiad)[oa]\b",
    ),
    # Sets one thing against another.
    "contrasts": (
        r"\b(?:actually|in fact|instead|not \w+(?: \w+){0,3},? but|too (?:low|high|much|many|few|little|early|late))\b",
        r"\b(?:is|are|was|were) now\b|\bnow (?:is|are|it's|costs?|\d)|\bas of now\b|\bshould (?:have been|read)\b",
        r"\bturn(?:s|ed) out\b|\b(?:up|down) from\b|\b(?:rather|other) than\b",
        r"\bnot (?:at |in |on |the |a )?[\w.:,]+\W*$",
        r"\b(?:sondern|eigentlich|tatsächlich|stattdessen|zu (?:niedrig|hoch|viel|wenig|früh|spät))\b",
        r"\b(?:en fait|en réalité|plutôt|au lieu|trop|en realidad|de hecho|sino|en vez|en lugar|demasiado)\b",
        r"^\W*(?:no|nope|nein|non)\b(?! (?:problem|worries|idea|doubt))",
    ),
    "affirms": (
        r"^\W*(?:yes|yeah|yep|yup|sure|right|exactly|true|indeed|thanks?|thank you|great|good|nice|cool|wow)\b",
        r"^\W*(?:you're right|absolutely|of course|definitely|i agree|no (?:problem|worries)|mm-?hmm|uh-?huh)\b",
        r"^\W*(?:ja|genau|stimmt|danke|oui|exact\w*|merci|sí|claro|gracias)\b(?! nicht)",
    ),
    # How an answer begins.
    "answers": (
        r"^\W*(?:yes|yeah|yep|yup|no|nope|nah|sure|right|exactly|true)\b",
        r"^\W*(?:indeed|absolutely|of course|definitely|certainly)\b",
        r"^\W*(?:perfectly|thanks?|thank you|great|good (?:point|question|idea))\b",
        r"^\W*(?:agreed|okay|ok|mm-?hmm|uh-?huh|mm|hmm)\b",
        r"^\W*(?:i (?:agree|disagree|don't|do|would|see)|wow|well)\b",
        r"^\W*(?:sorry|because|but|so|and|too|not|that's|that is|it's)\b",
        r"^\W*(?:ja|nein|doch|genau|stimmt|danke|klar|aber|oui|non|merci|mais|bien sûr|sí|claro|gracias|pero|vale)\b",
    ),
    # How a new point begins.
    "opens": (
        r"\b(?:next (?:item|topic|point|question|on the agenda))\b",
        r"\b(?:agenda item|mov(?:e|ing) on|turn(?:ing)? (?:now )?to)\b",
        r"\b(?:new|another|different|separate) (?:topic|subject|item|point|thing|question|note|matter)\b",
        r"^\W*item \d+\b",
        r"\bby the way\b|\bunrelated\b|\bgood (?:morning|afternoon|evening)\b",
        r"\bwelcome (?:to|everyone|everybody|back)\b",
        r"\b(?:nächster punkt|tagesordnungspunkt|übrigens)\b",
        r"\b(?:guten (?:morgen|tag|abend)|point suivant|au fait|passons à)\b",
        r"\b(?:bonjour|siguiente punto|por cierto|pasemos a|buen(?:os|as) (?:días|tardes|noches))\b",
    ),
}
_BREAK = regex.compile(r"(?<=[.!?;…])\s+|\n+")


def says(cue: str, text: str) -> bool:
    """Whether a text holds a cue."""
    return _pattern(cue).search(_plain(text)) is not None


def claims(cue: str, text: str) -> bool:
    """Whether a sentence of a text that is no question, wish or condition holds a cue."""
    return _stands(cue, text, _before(_HYPOTHETICAL))


def states(cue: str, text: str) -> bool:
    """Whether a sentence of a text that is no question, wish, condition or denial holds a cue."""
    return _stands(cue, text, _before((*_HYPOTHETICAL, *_DENIED)))


def asks(text: str) -> bool:
    """Whether a text ends in a question."""
    return text.rstrip(" \n\"'\u201d\u2019)*_").endswith(("?", "\uff1f"))


@functools.cache
def _pattern(cue: str) -> regex.Pattern[str]:
    """Compile a cue when it is first looked for: together they take a while."""
    return regex.compile(f"(?i){'|'.join(_CUES[cue])}")


@functools.cache
def _before(words: _Words) -> regex.Pattern[str]:
    return regex.compile(rf"(?i)\b(?:{'|'.join(words)})\b")


def _stands(cue: str, text: str, undone_by: regex.Pattern[str]) -> bool:
    pattern = _pattern(cue)
    for sentence in _BREAK.split(_plain(text)):
        found = pattern.search(sentence)
        if found is not None and not asks(sentence) and undone_by.search(sentence, 0, found.end()) is None:
            return True
    return False


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")
