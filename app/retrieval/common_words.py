"""Words that say nothing about what a question asks for, left out when candidates are found and scored.

English only: the public lists for many languages hold words of content (`fire`, `date`, `test`), and common words of
other languages count for little anyway, because the index weighs a term by how rare it is.
"""

COMMON_WORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below between both
    but by can could did do does doing done down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just may me might mine more most must my myself no nor not
    of off on once only onto or other our ours ourselves out over own please same shall she should so some such tell
    than that the their theirs them themselves then there these they this those through to too under until up upon us
    very was we were what when where which while who whom whose why will with within without would you your yours
    yourself yourselves
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't he'll he's how's i'd i'll i'm i've isn't it's let's
    mustn't she'll she's shouldn't that's there's they'll they're they've wasn't we'll we're we've weren't what's when's
    where's who's why's won't wouldn't you'll you're you've
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)

_EDGES = "\"'()[]{}<>.,;:!?¿¡…“”\u2018\u2019«»*_"


def without_common_words(question: str) -> str:
    """Return `question` without its common words; unchanged when it holds nothing else.

    A word in capitals inside a question that isn't (`IT`, `US`, `WHO`) is a name and stays.
    """
    words = question.split()
    shouted = question.upper() == question
    kept = [word for word in words if not _is_common(word, shouted=shouted)]
    return " ".join(kept) if kept else question


def _is_common(word: str, *, shouted: bool) -> bool:
    core = word.strip(_EDGES).replace("\u2019", "'")
    if not core:
        return True
    is_name = not shouted and len(core) > 1 and core.isupper()
    return not is_name and core.lower() in COMMON_WORDS
