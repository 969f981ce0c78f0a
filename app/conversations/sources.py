"""Links that nobody is asked about: told by the source or by a rule (conversations design, c.2, replies 1 to 3, and d).

All look-ups are by name, so a log takes one pass.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.conversations.parts import TurnPart

#: Speakers of a log of one person with models.
SESSION_SPEAKERS = frozenset({"user", "assistant", "system", "tool"})

_Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToldLinks:
    """Links by position, from a later turn to an earlier one."""

    #: From a message to the turn that it answers.
    replies: Mapping[int, int]
    #: From an output to the call or message that it belongs to.
    outputs: Mapping[int, int]


def is_session(parts: Sequence[TurnPart]) -> bool:
    """Whether this is a log of one person with models: everybody who speaks has a role's name."""
    speakers = {part.speaker for part in parts} - {None}
    return bool(speakers) and speakers <= SESSION_SPEAKERS


def told_links(parts: Sequence[TurnPart]) -> ToldLinks:
    """Return the links of all turns that were not stored before.

    A message that names what it answers is linked to that, if it comes earlier. In a log of one person with models one
    that names nothing answers the nearest message of another speaker. An output belongs to the message of its own turn
    in the source, else to what it names, else to the call with its id, else to the nearest message; the nearest are
    looked for under the same headings, because a new heading may open another conversation.
    """
    session = is_session(parts)
    replies: dict[int, int] = {}
    outputs: dict[int, int] = {}
    earlier = _Earlier()
    for position, part in enumerate(parts):
        if part.turn != position:
            continue
        if not part.stored:
            target = earlier.owner(part) if part.output else earlier.answered(part, session=session)
            if target is not None:
                (outputs if part.output else replies)[position] = target
        earlier.add(position, part)
    return ToldLinks(replies, outputs)


@dataclass(slots=True)
class _Earlier:
    """The turns so far, by what they can be found by; of several the latest counts."""

    messages: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    #: Per heading path the latest message, and that of each speaker.
    latest: dict[_Path, int] = field(default_factory=dict)
    latest_of: defaultdict[_Path, dict[str | None, int]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, position: int, part: TurnPart) -> None:
        """Remember a turn."""
        name = part.source_turn
        if part.output:
            if name is not None:
                self.outputs[name] = position
            return
        self.latest[part.path] = self.latest_of[part.path][part.speaker] = position
        if name is not None:
            self.messages[name] = position
            _, mark, call = name.rpartition("#")
            if mark:
                self.calls[call] = position
        if part.call is not None:
            self.calls[part.call] = position

    def answered(self, part: TurnPart, *, session: bool) -> int | None:
        """Return what a message answers, as far as that is told."""
        if part.reply_to is not None:
            return self._named(part)
        if not session or part.speaker is None:
            return None
        return max((at for speaker, at in self.latest_of[part.path].items() if speaker != part.speaker), default=None)

    def owner(self, part: TurnPart) -> int | None:
        """Return what an output belongs to."""
        own = self.messages.get(part.source_turn) if part.source_turn is not None else None
        if own is not None:
            return own
        named = self._named(part)
        if named is not None:
            return named
        if part.call in self.calls:
            return self.calls[part.call]
        return self.latest.get(part.path)

    def _named(self, part: TurnPart) -> int | None:
        """Return the turn that a part names as the one it answers: its message before its outputs."""
        name = part.reply_to
        if name is None or name == part.source_turn:
            return None
        return self.messages.get(name, self.outputs.get(name))
