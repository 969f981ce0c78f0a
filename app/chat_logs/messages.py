"""What every log format becomes before it is blocks: messages with their parts (conversations design, a.2, a.3)."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """What somebody said. All texts of a message become one paragraph, where the first stood."""

    text: str


@dataclass(frozen=True, slots=True)
class Aside:
    """Text that belongs to a message without being what was said: reasoning, a pasted file, a placeholder for media.

    It becomes a paragraph that is an attachment.
    """

    text: str
    #: `reasoning`, `unknown` and the like; None for media and files.
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call."""

    name: str
    #: As shown between the brackets: compact JSON, or the text as it was.
    arguments: str
    #: The log's id of the call, or None.
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back; it answers the call with its id, or without one the earliest open call with its name."""

    text: str
    call: str | None = None
    name: str | None = None
    error: bool = False


Part: TypeAlias = Text | Aside | Call | Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation, in file order."""

    #: `user`, `assistant`, `system`, `tool`, or the name of a person as written.
    speaker: str
    speaker_full: str | None = None
    #: First the turn's name; all of them can be pointed at. Never empty: without an id it is the item's position.
    ids: tuple[str, ...]
    #: Id of the message that this one follows or answers, as the log says.
    parent: str | None = None
    #: As written, or made from a number (a.2).
    time: str | None = None
    parts: tuple[Part, ...]
    #: Its texts are attachments too: system messages, notices, summaries, injected context.
    attachment: bool = False
    #: `summary`, `notice`, `context` or `unknown:<type>` where they apply.
    kind: str | None = None
    error: bool = False


@dataclass(frozen=True, slots=True)
class Title:
    """A new conversation begins; its title becomes a heading of this level."""

    text: str
    level: int = 1


#: What a format yields, in order.
Told: TypeAlias = Message | Title
