"""How parts are shown in questions: who speaks, and as much of the words as the question allows."""

from app.conversations.parts import TurnPart
from app.conversations.questions import Said

_GAP = " … "
#: Characters of a name that are shown; a model's or a role's full name can be a sentence.
_NAME_CHARS = 80


def beginning(part: TurnPart, chars: int) -> Said:
    """Show the first so many characters of a part."""
    return Said(_name(part), part.body[:chars])


def both_ends(part: TurnPart, chars: int) -> Said:
    """Show a part whole up to twice so many characters, else its first and last so many."""
    body = part.body
    return Said(_name(part), body if len(body) <= 2 * chars else f"{body[:chars]}{_GAP}{body[-chars:]}")


def _name(part: TurnPart) -> str | None:
    name = part.speaker_full or part.speaker
    return name[:_NAME_CHARS] if name else None
