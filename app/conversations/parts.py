"""Parts of turns: what becomes the units of a conversation (conversations design, c.1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPart:
    """A turn, or one part of a long one, in the order of the document.

    A list of these is what links are found in; positions in that list name parts.
    """

    #: True for a tool's result, reasoning, media and system text, which are never judged and become `output` units.
    output: bool
    #: The text without its header line: what similarity and token counts see.
    body: str
    #: The unit's whole text, header line included.
    text: str
    path: tuple[str, ...]
    speaker: str | None
    speaker_full: str | None = None
    time: str | None = None
    #: Position of the first part of its turn.
    turn: int
    #: The turn's name in the source, when it has one.
    source_turn: str | None = None
    #: Name of the turn that this one answers, as the source says.
    reply_to: str | None = None
    #: Set on calls and outputs, see `chat_logs`: id of the call, name of the tool.
    call: str | None = None
    tool: str | None = None
    #: `reasoning`, `notice`, `context`, `summary` and the like.
    kind: str | None = None
    error: bool = False
    #: Indexes of its blocks.
    blocks: tuple[int, ...]
    #: True for a part whose block was a tool call: a message that is never judged.
    is_call: bool = False
    #: Stored before an append: it may be pointed at, and nothing is asked about it.
    stored: bool = False

    @property
    def judged(self) -> bool:
        """True when questions may be asked about what it says (c.2, "Never judged")."""
        return not (self.output or self.is_call or self.kind)
