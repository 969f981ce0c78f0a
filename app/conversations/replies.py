"""Which message a message answers, where neither source nor rule tells (conversations design, c.2, replies 4)."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from app.conversations.parts import TurnPart
from app.conversations.questions import NONE, ReplyTo
from app.conversations.showing import beginning
from app.conversations.sources import is_session
from app.documents.decision import Answer, Choice

#: Messages before it that a message may answer.
WINDOW = 6
IN_A_REQUEST = 6
SHOWN_CHARS = 400


@dataclass(frozen=True, slots=True)
class AskedReply:
    """A message, the messages that it may answer, nearest first, and the question."""

    turn: int
    earlier: tuple[int, ...]
    question: ReplyTo


def asked_replies(parts: Sequence[TurnPart]) -> list[AskedReply]:
    """Return what to ask: about every new message of somebody that names no other, unless a rule tells."""
    if is_session(parts):
        return []
    window: deque[int] = deque(maxlen=WINDOW)
    asked = []
    for position, part in enumerate(parts):
        if part.turn != position or not part.judged:
            continue
        if window and part.speaker is not None and part.reply_to is None and not part.stored:
            earlier = tuple(window)
            question = ReplyTo(
                message=beginning(part, SHOWN_CHARS),
                earlier=tuple(beginning(parts[each], SHOWN_CHARS) for each in earlier),
            )
            asked.append(AskedReply(position, earlier, question))
        window.appendleft(position)
    return asked


def replied(asked: Sequence[AskedReply], answers: Sequence[Answer | None]) -> dict[int, int]:
    """Return the message that each one answers; one that answers none, or without an answer, is left out."""
    return {
        each.turn: each.earlier[int(answer.label)]
        for each, answer in zip(asked, answers, strict=True)
        if isinstance(answer, Choice) and answer.label != NONE
    }
