"""The order in which messages fill a budget (retrieval design, "Packing"; conversations design, e)."""

from collections.abc import Sequence

from app.documents.document import UnitHit
from app.retrieval.candidates import key_of
from app.retrieval.conversation_units import is_spoken
from app.retrieval.gathering import Part, Parts
from app.retrieval.questions import Scope

#: What the judge's word counts beside a message's score. A message by itself says less than what was said around it:
#: with more, contexts held less of the answers (measured, `benchmarks/conversations.py`).
JUDGED_WEIGHT = 0.15

#: What these scopes take is linked to what answers, and need not resemble the question.
_LINKED = (Scope.EXCHANGE, Scope.OUTCOME, Scope.CORRECTION)


def in_a_budget(parts: Parts, messages: Sequence[UnitHit], scope: Scope | None, *, most: int) -> Parts:
    """Arrange what was gathered for little room.

    The message that answers best comes first, with what links bring along where the scope asks for that; then every
    other one by its score among the messages and what the judge said of it, whether it was kept or only stands around.
    An answer is often spread over neighbouring messages, of which the judge sees one at a time.

    Args:
        parts: what was gathered; passages keep their places.
        messages: scored, best first.
        scope: of the conversations.
        most: so many messages at most beside those that come first.
    """
    best = next((place for place, part in enumerate(parts.chosen) if is_spoken(part.hit)), None)
    if best is None:
        return parts
    kept = {key_of(part.hit) for part in parts.chosen if part.brought_by is None}
    # Beside the best one, what settles the question: an outcome comes along with nothing that was kept.
    leading = {part.brought_by for part in parts.chosen if part.brought_by is not None} - kept
    leading.add(key_of(parts.chosen[best].hit))
    lead = [
        part
        for place, part in enumerate(parts.chosen)
        if place == best or not is_spoken(part.hit) or (scope in _LINKED and part.brought_by in leading)
    ]
    known = {key_of(part.hit) for part in lead}
    scores = {key_of(hit): hit.score for hit in messages}
    judged = {key_of(part.hit): part for part in (*parts.near, *parts.others, *parts.chosen) if is_spoken(part.hit)}
    around = {key_of(hit): Part(hit, 0.0) for hit in messages} | judged
    rest = sorted(
        (part for key, part in around.items() if key not in known),
        key=lambda part: -(scores.get(key_of(part.hit), 0.0) + JUDGED_WEIGHT * part.worth),
    )
    others, near = ([part for part in each if not is_spoken(part.hit)] for each in (parts.others, parts.near))
    return Parts(lead, others, near, rest[:most])
