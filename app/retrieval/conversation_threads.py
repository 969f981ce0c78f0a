"""What a kept message or output brings along by its links (conversations design, e, the table of scopes)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.documents.document import LinkType, UnitHit
from app.ports.document_store import Linked
from app.retrieval.candidates import key_of
from app.retrieval.conversation_units import TurnKey, closest, is_message, is_short, turn_of
from app.retrieval.questions import Scope

#: So many messages up does a chain of short ones go.
CHAIN = 3
#: An exchange takes so many replies.
REPLIES = 2

#: Links that are looked up for the parts of turns.
LINKS = (LinkType.REPLY_TO, LinkType.OUTPUT_OF, LinkType.DECIDES, LinkType.CORRECTS)


@dataclass(frozen=True, slots=True)
class Brought:
    """A unit that comes along."""

    hit: UnitHit
    #: In a word or two, for the trace.
    because: str
    #: The unit that it comes along with.
    by: UnitHit


class Threads:
    """Turns with all their parts, and the links of these.

    Args:
        question: tells which part of a turn comes along.
        parts: of the turns of kept units, and of those that these answer or belong to.
        links: of these parts, leaving and arriving.
        chars_per_token: how turns are measured.
    """

    def __init__(
        self, question: str, parts: Iterable[UnitHit], links: Iterable[Linked], *, chars_per_token: float
    ) -> None:
        self._question = question
        self._chars_per_token = chars_per_token
        self._turns: dict[TurnKey, list[UnitHit]] = {}
        for part in parts:
            self._turns.setdefault(turn_of(part), []).append(part)
        self._links: dict[TurnKey, list[Linked]] = {}
        for link in links:
            self._links.setdefault(turn_of(link.unit), []).append(link)

    def brought(self, kept: UnitHit, scope: Scope | None) -> list[Brought]:
        """What comes along with a kept unit, in any scope and in this one."""
        found = [*(self._answered(kept) if is_message(kept) else self._call(kept))]
        match scope:
            case Scope.EXCHANGE:
                found += [*self._parent(kept, LinkType.REPLY_TO, "replied to"), *self._replies(kept)]
            case Scope.CORRECTION:
                found += self.joined(kept, LinkType.CORRECTS)
            case Scope.OUTCOME:
                found += self.joined(kept, LinkType.DECIDES)
        return found

    def joined(self, unit: UnitHit, type_: LinkType) -> list[Brought]:
        """Everything that a link joins to any part of the unit's turn, whichever way."""
        links = [link for link in self._links.get(turn_of(unit), ()) if link.type is type_]
        return [Brought(link.other, type_.value, unit) for link in links]

    def settled_by(self, outcome: UnitHit) -> list[Brought]:
        """What an outcome settles."""
        links = self._links.get(turn_of(outcome), ())
        settled = [link for link in links if link.type is LinkType.DECIDES and not link.arrives]
        return [Brought(link.other, LinkType.DECIDES.value, outcome) for link in settled]

    def _call(self, output: UnitHit) -> Iterator[Brought]:
        """What an output belongs to."""
        yield from self._parent(output, LinkType.OUTPUT_OF, LinkType.OUTPUT_OF.value)

    def _answered(self, message: UnitHit) -> Iterator[Brought]:
        """What a short message answers, and so on while what is reached is short as well."""
        seen = {turn_of(message)}
        unit = message
        for _ in range(CHAIN):
            if not is_short(self._turns.get(turn_of(unit), [unit]), self._chars_per_token):
                return
            above = next(self._parent(unit, LinkType.REPLY_TO, LinkType.REPLY_TO.value), None)
            if above is None or turn_of(above.hit) in seen:
                return
            yield Brought(above.hit, above.because, message)
            unit = above.hit
            seen.add(turn_of(unit))

    def _parent(self, unit: UnitHit, type_: LinkType, because: str) -> Iterator[Brought]:
        """The closest part of the turn that a link leads to."""
        for link in self._links.get(turn_of(unit), ()):
            if link.type is type_ and not link.arrives:
                parts = self._turns.get(turn_of(link.other), [link.other])
                yield Brought(closest(self._question, parts, 1)[0], because, unit)

    def _replies(self, message: UnitHit) -> list[Brought]:
        """The replies to a message that are closest to the question."""
        links = self._links.get(turn_of(message), ())
        replies = [link.other for link in links if link.type is LinkType.REPLY_TO and link.arrives]
        return [Brought(hit, "reply", message) for hit in closest(self._question, replies, REPLIES)]


def distinct(hits: Sequence[UnitHit]) -> list[UnitHit]:
    """Units without repeats, in order."""
    return list({key_of(hit): hit for hit in hits}.values())
