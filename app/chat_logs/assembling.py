"""From messages to blocks: turns, replies, and which result answers which call (conversations design, a.3)."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.chat_logs.messages import Aside, Call, Message, Result, Text, Title, Told
from app.documents.block import Block, BlockType
from app.documents.values import JsonValue


def blocks(told: Iterable[Told]) -> Iterator[Block]:
    """Yield the blocks of messages in their order, and a heading for each title."""
    log = _Log()
    for one in told:
        if isinstance(one, Title):
            log = _Log()
            if one.text.strip():
                yield Block(type=BlockType.HEADING, text=one.text, level=one.level)
        else:
            yield from log.message(one)


@dataclass
class _Log:
    """What was seen of a conversation, for what points back at it. Everything is looked up, nothing is searched."""

    #: By every id of a message: the turn that a reply to it answers.
    voices: dict[str, str] = field(default_factory=dict)
    #: By every id of a message that gave no block: what it follows itself.
    silent: dict[str, str | None] = field(default_factory=dict)
    #: Turns of calls by id, the latest; and of open calls by tool, the earliest first.
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    open_calls: defaultdict[str, deque[str]] = field(default_factory=lambda: defaultdict(deque))
    answered: set[str] = field(default_factory=set)

    def message(self, message: Message) -> Iterator[Block]:
        """Yield the blocks of the next message."""
        turn, parent = message.ids[0], self._ancestor(message)
        made: list[tuple[Block, bool]] = []
        texts = [part.text for part in message.parts if isinstance(part, Text)]
        own_text = any(isinstance(part, Text | Aside) for part in message.parts)
        numbered = 0
        said = False
        for part in message.parts:
            if isinstance(part, Text):
                if not said:
                    said = True
                    made.append((self._said(message, "\n\n".join(texts), turn, parent), not message.attachment))
            elif isinstance(part, Aside):
                made.append((self._beside(message, part, turn, parent), False))
            elif isinstance(part, Call):
                made.append((self._call(message, part, numbered, turn if own_text else parent), False))
                numbered += 1
            else:
                made.append((self._result(message, part, numbered, parent), False))
                numbered += 1
        self._remember(message, made)
        yield from (block for block, _ in made if block.text)

    def _ancestor(self, message: Message) -> str | None:
        """The turn that a message answers: that of the nearest ancestor which gave a block of another turn."""
        seen: set[str] = set()
        parent = message.parent
        while parent is not None and parent not in seen:
            seen.add(parent)
            voice = self.voices.get(parent)
            if voice is not None and voice not in message.ids:
                return voice
            parent = self.silent.get(parent)
        return None

    def _remember(self, message: Message, made: list[tuple[Block, bool]]) -> None:
        if not made:
            for name in message.ids:
                self.silent[name] = message.parent
            return
        spoken = [block for block, is_text in made if is_text]
        voice = str((spoken or [block for block, _ in made])[-1].meta["turn"])
        for name in message.ids:
            if spoken or name not in self.voices:
                self.voices[name] = voice
            self.silent[name] = message.parent

    def _said(self, message: Message, text: str, turn: str, parent: str | None) -> Block:
        return _block(
            BlockType.PARAGRAPH, text, message, turn, parent, kind=message.kind, attachment=message.attachment
        )

    def _beside(self, message: Message, part: Aside, turn: str, parent: str | None) -> Block:
        kind = part.kind or message.kind
        return _block(BlockType.PARAGRAPH, part.text, message, turn, parent, kind=kind, attachment=True)

    def _call(self, message: Message, call: Call, number: int, answers: str | None) -> Block:
        turn = f"{message.ids[0]}#{call.id or number}"
        if call.id:
            self.calls[call.id] = (turn, call.name)
        self.open_calls[call.name].append(turn)
        text = f"{call.name}({call.arguments})"
        return _block(BlockType.CODE, text, message, turn, answers, call=call.id, tool=call.name)

    def _result(self, message: Message, result: Result, number: int, parent: str | None) -> Block:
        answered, tool = self._answered(result)
        turn = f"{message.ids[0]}#{result.call or number}"
        if turn == answered:
            turn += "/result"
        return _block(
            BlockType.CODE,
            result.text,
            message,
            turn,
            answered or parent,
            speaker="tool",
            tool=tool or result.name,
            attachment=True,
            error=result.error,
        )

    def _answered(self, result: Result) -> tuple[str | None, str | None]:
        """The turn of the call that a result answers, and its tool."""
        if result.call is not None:
            turn, tool = self.calls.get(result.call, (None, None))
            if turn is not None:
                self.answered.add(turn)
            return turn, tool
        waiting = self.open_calls[result.name or ""] if result.name else self._only_open()
        while waiting:
            turn = waiting.popleft()
            if turn not in self.answered:
                self.answered.add(turn)
                return turn, result.name
        return None, result.name

    def _only_open(self) -> deque[str]:
        """Open calls where a result names neither call nor tool: those of the one tool that has any."""
        waiting = [turns for turns in self.open_calls.values() if turns]
        return waiting[0] if len(waiting) == 1 else deque()


def _block(type_: BlockType, text: str, message: Message, turn: str, reply_to: str | None, **told: JsonValue) -> Block:
    """Make a block; `told` are `speaker`, `call`, `tool`, `kind`, `attachment` and `error` where they apply."""
    speaker = told.get("speaker", message.speaker)
    meta: dict[str, JsonValue] = {
        "speaker": speaker,
        "speaker_full": None if speaker == "tool" else message.speaker_full,
        "turn": turn,
        "time": message.time,
        "reply_to": reply_to,
        "call": told.get("call"),
        "tool": told.get("tool"),
        "kind": told.get("kind"),
        "attachment": told.get("attachment"),
        "error": told.get("error") or message.error,
    }
    return Block(type=type_, text=text, meta={name: value for name, value in meta.items() if value})
