"""Session logs of Claude Code (conversations design, a.12)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.chat_logs.generic import message_of
from app.chat_logs.json_lines import Items, Notes, Value
from app.chat_logs.messages import Aside, Message, Part, Text, Title, Told
from app.chat_logs.parts import parts_of
from app.chat_logs.rewinds import withdrawn
from app.chat_logs.texts import plain

_LINKED = frozenset({"user", "assistant", "system", "attachment"})
#: Lines that say nothing, appended again and again.
_NOTHING = frozenset(
    {
        *("mode", "permission-mode", "last-prompt", "pr-link", "bridge-session", "atis-latch", "cost-state"),
        *("agent-name", "progress", "custom-title", "ai-title", "attachment", "queue-operation", "summary"),
    }
)
_NOTICES = frozenset({"task-notification", "peer", "coordinator", "auto-continuation"})
_NOTIFICATION = "task-notification"
_DROPPED = ("system-reminder", "local-command-caveat")
_COMMAND = re.compile(r"(?:<command-(name|args|message|contents)>(?:(?!</command-).)*</command-\1>\s*)+\Z", re.DOTALL)
_COMMAND_PART = re.compile(r"<command-(name|args)>(.*?)</command-\1>", re.DOTALL)
_OUTPUT = re.compile(r"<local-command-(stdout|stderr)>(.*)</local-command-\1>\Z", re.DOTALL)
_BRANCH_LEVEL = 2


def recognises(first: Sequence[dict[str, Value]]) -> bool:
    """True when the first items of a log are lines of a session."""
    return any(map(_is_line, first))


def messages(items: Items, notes: Notes, *, include_branches: bool) -> Iterator[Told]:
    """Yield the messages of a session in file order, withdrawn branches last or not at all.

    Args:
        items: The lines; gone through twice.
        notes: Takes the counts.
        include_branches: Keep withdrawn branches, each under a title.
    """
    index = _index(items)
    away = withdrawn(index.parents, index.current_prompts())
    numbers = {branch: number for number, branch in enumerate(dict.fromkeys(away.values()), start=1)}
    notes.withdrawn_branches += len(numbers)
    branches: dict[str, list[Message]] = {branch: [] for branch in numbers}
    turns = _Turns()
    for item, message in _told(items, notes, index):
        branch = away.get(str(item.get("uuid")))
        if branch is None:
            yield from turns.add(message)
        elif include_branches:
            branches[branch].append(message)
    yield from turns.rest()
    for branch, held in branches.items() if include_branches else ():
        yield Title(f"Other branch {numbers[branch]}", _BRANCH_LEVEL)
        turns = _Turns()
        for message in held:
            yield from turns.add(message)
        yield from turns.rest()


def title(items: Items) -> str | None:
    """Return the title of a session: the last one that was given to it, else the last one that was made for it."""
    found: dict[str, str] = {}
    for _, item in items():
        for kind, member in (("custom-title", "customTitle"), ("ai-title", "aiTitle")):
            if item.get("type") == kind and (text := plain(item.get(member)) or plain(item.get("title"))):
                found[kind] = text
    return found.get("custom-title") or found.get("ai-title")


@dataclass(slots=True)
class _Index:
    """What has to be known of a whole session before its first message: ids and parents, no texts but queued ones."""

    parents: dict[str, str | None] = field(default_factory=dict)
    #: Lines of people, with whether they stand in a side chain.
    prompts: list[tuple[str, bool]] = field(default_factory=list)
    has_main_chain: bool = False
    #: By queued text that no later line repeats: the positions.
    queued: dict[str, list[int]] = field(default_factory=dict)

    def current_prompts(self) -> list[str]:
        return [name for name, aside in self.prompts if not (aside and self.has_main_chain)]

    def is_dropped(self, item: Mapping[str, Value]) -> bool:
        return self.has_main_chain and item.get("isSidechain") is True


@dataclass(slots=True)
class _Turns:
    """Joins the lines of a reply: one stands for each of its blocks."""

    open: Message | None = None

    def add(self, message: Message) -> Iterator[Message]:
        """Yield what is complete when the next message comes."""
        if not message.parts:
            yield message
        elif self.open is not None and _continues(self.open, message):
            ids = tuple(dict.fromkeys((*self.open.ids, *message.ids)))
            self.open = replace(self.open, ids=ids, parts=(*self.open.parts, *message.parts))
        else:
            yield from self.rest()
            self.open = message

    def rest(self) -> Iterator[Message]:
        """Yield what is still open."""
        if self.open is not None:
            yield self.open
        self.open = None


def _continues(open_: Message, message: Message) -> bool:
    """Whether a line belongs to the open reply; a text after something else is a paragraph of its own."""
    if not open_.speaker == message.speaker == "assistant" or open_.ids[0] != message.ids[0]:
        return False
    again = any(isinstance(part, Text) for part in open_.parts) and isinstance(message.parts[0], Text)
    return not again or isinstance(open_.parts[-1], Text)


def _is_line(item: dict[str, Value]) -> bool:
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _LINKED:
        known = isinstance(item.get("sessionId"), str) or "isSidechain" in item
        return isinstance(item.get("uuid"), str) and "parentUuid" in item and known
    if kind == "summary":
        return isinstance(item.get("summary"), str) and isinstance(item.get("leafUuid"), str)
    return isinstance(item.get("sessionId"), str) and (kind in _NOTHING or kind.startswith("file-history-"))


def _index(items: Items) -> _Index:
    index = _Index()
    for position, item in items():
        index.has_main_chain = index.has_main_chain or item.get("isSidechain") is False
        content = _queued_text(item)
        if content is not None:
            index.queued.setdefault(content, []).append(position)
        elif index.queued:
            index.queued.pop(_said_text(item), None)
        name = item.get("uuid")
        if not isinstance(name, str) or name in index.parents:
            continue
        index.parents[name] = _parent(item)
        if _is_prompt(item):
            index.prompts.append((name, item.get("isSidechain") is True))
    return index


def _told(items: Items, notes: Notes, index: _Index) -> Iterator[tuple[dict[str, Value], Message]]:
    """Each line that counts with its message; a line in the chain that says nothing has a message without parts."""
    seen: set[str] = set()
    waiting = {position for positions in index.queued.values() for position in positions}
    for position, item in items():
        notes.items += 1
        name = item.get("uuid")
        if index.is_dropped(item) or (isinstance(name, str) and name in seen):
            notes.skip(str(item.get("type")))
            continue
        message = _message(item, position, index, queued=position in waiting)
        if message is None or not message.parts:
            notes.skip(str(item.get("type")))
        if isinstance(name, str):
            seen.add(name)
            message = message or Message(speaker="system", ids=(name,), parent=_parent(item), parts=())
        if message is not None:
            yield item, message


def _message(item: dict[str, Value], position: int, index: _Index, *, queued: bool) -> Message | None:
    kind = str(item.get("type"))
    if (read := _READ.get(kind)) is not None:
        return read(item, position)
    if kind == "queue-operation" and queued:
        return _made(item, position, "user", None, item.get("content"))
    if kind == "summary":
        return _summary(item, position, index)
    if kind in _NOTHING or kind.startswith("file-history-") or (kind == "system" and item.get("subtype")):
        return None
    return message_of({name: value for name, value in item.items() if name != "data"}, position)


def _summary(item: dict[str, Value], position: int, index: _Index) -> Message | None:
    leaf = item.get("leafUuid")
    if isinstance(leaf, str) and leaf not in index.parents:
        return None
    made = _made(item, position, "system", None, item.get("summary"))
    return replace(made, attachment=True, kind="summary")


def _user(item: dict[str, Value], position: int) -> Message | None:
    message = message_of(item, position)
    if message is None:
        return None
    if item.get("isCompactSummary") is True:
        return replace(message, speaker="system", attachment=True, kind="summary")
    origin = _origin(item)
    if _is_meta(item) and origin is None:
        return None
    message = replace(message, speaker_full=origin if _is_meta(item) else message.speaker_full)
    return _placed(message, origin)


def _assistant(item: dict[str, Value], position: int) -> Message | None:
    message = message_of(item, position)
    if message is None:
        return None
    if item.get("isApiErrorMessage") is True or message.speaker_full == "<synthetic>":
        return replace(message, speaker="system", speaker_full=None, attachment=True, error=True)
    return message


def _queued_command(item: dict[str, Value], position: int) -> Message | None:
    held = item.get("attachment")
    if not isinstance(held, dict) or held.get("type") != "queued_command" or not held.get("prompt"):
        return None
    origin = _origin(held) or _origin(item)
    made = _made(item, position, "user", "queued", held["prompt"])
    return made if origin in {None, "human"} else _notice(made, str(origin))


def _made(item: dict[str, Value], position: int, speaker: str, full: str | None, content: Value) -> Message:
    name = item.get("uuid")
    message = Message(
        speaker=speaker,
        speaker_full=full,
        ids=(name if isinstance(name, str) else str(position),),
        parent=_parent(item),
        time=plain(item.get("timestamp")),
        parts=tuple(parts_of(content)),
    )
    return _placed(message, None)


def _placed(message: Message, origin: str | None) -> Message:
    """A message as what it is: a notice of the program, or what a person said without what was put beside it."""
    texts = [part.text for part in message.parts if isinstance(part, Text)]
    wrapped = bool(texts) and all(_is_inside(text, _NOTIFICATION) for text in texts)
    if origin in _NOTICES or wrapped:
        return _notice(message, origin if origin in _NOTICES else _NOTIFICATION)
    return replace(message, parts=tuple(_own_parts(message.parts)))


def _notice(message: Message, kind: str | None) -> Message:
    return replace(message, speaker="system", speaker_full=kind, attachment=True, kind="notice")


def _own_parts(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        if not isinstance(part, Text):
            yield part
        elif any(_is_inside(part.text, tag) for tag in _DROPPED):
            continue
        elif output := _OUTPUT.match(part.text):
            if text := output[2].strip():
                yield Aside(text)
        elif _COMMAND.match(part.text):
            said = {found[1]: found[2].strip() for found in _COMMAND_PART.finditer(part.text)}
            yield Text(" ".join(said[name] for name in ("name", "args") if said.get(name)) or part.text)
        else:
            yield part


def _is_inside(text: str, tag: str) -> bool:
    """Whether a text is wholly inside elements of this name."""
    while text.startswith((f"<{tag}>", f"<{tag} ")):
        _, closed, text = text.partition(f"</{tag}>")
        text = text.strip()
        if closed and not text:
            return True
    return False


def _is_prompt(item: dict[str, Value]) -> bool:
    """Whether a person says something in this line."""
    held = item.get("message")
    content = held.get("content") if isinstance(held, dict) else None
    if item.get("type") != "user" or _holds_results(content):
        return False
    message = _user(item, 0)
    return message is not None and message.speaker == "user" and any(isinstance(part, Text) for part in message.parts)


def _holds_results(content: Value) -> bool:
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)


def _queued_text(item: dict[str, Value]) -> str | None:
    is_new = item.get("type") == "queue-operation" and item.get("operation") == "enqueue"
    return plain(item.get("content")) if is_new else None


def _said_text(item: dict[str, Value]) -> str:
    """What a line says that may have been queued before."""
    held = item.get("attachment") if item.get("type") == "attachment" else item.get("message")
    if str(item.get("type")) not in {"user", "attachment"} or not isinstance(held, dict):
        return ""
    parts = parts_of(held.get("prompt", held.get("content")))
    return "\n\n".join(part.text for part in parts if isinstance(part, Text))


def _is_meta(item: dict[str, Value]) -> bool:
    message = item.get("message")
    return item.get("isMeta") is True or (isinstance(message, dict) and message.get("isMeta") is True)


def _origin(item: dict[str, Value]) -> str | None:
    origin = item.get("origin")
    return plain(origin.get("kind")) if isinstance(origin, dict) else None


def _parent(item: dict[str, Value]) -> str | None:
    parent = item.get("parentUuid") or item.get("logicalParentUuid")
    return parent if isinstance(parent, str) else None


_READ: dict[str, Callable[[dict[str, Value], int], Message | None]] = {
    "user": _user,
    "assistant": _assistant,
    "attachment": _queued_command,
}
