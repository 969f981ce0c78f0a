"""Rollouts of the Codex CLI (conversations design, a.13)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.chat_logs.codex_items import completed, context_apart, identity, judged, number_of
from app.chat_logs.json_lines import Items, Notes, Value
from app.chat_logs.messages import Message, Part, Text, Title, Told
from app.chat_logs.parts import parts_of, reasoning
from app.chat_logs.responses import is_responses_item, responses_message
from app.chat_logs.texts import plain

_LINES = frozenset({"session_meta", "response_item", "turn_context", "event_msg", "compacted"})
#: Events that repeat messages, with the member that holds the text.
_EVENTS = {"user_message": "message", "agent_message": "message", "agent_reasoning": "text"}
_BRANCH_LEVEL = 2


def recognises(first: Sequence[dict[str, Value]]) -> bool:
    """True when the first items of a log are lines of a rollout, or of one of 2025 without envelopes."""
    if any(str(item.get("type")) in _LINES and isinstance(item.get("payload"), dict) for item in first):
        return True
    return any(map(_is_old_head, first)) and any(map(_is_bare, first))


def messages(items: Items, notes: Notes, *, include_branches: bool) -> Iterator[Told]:
    """Yield the messages of a rollout in file order, what was rolled back last or not at all.

    Args:
        items: The lines; gone through twice.
        notes: Takes the counts.
        include_branches: Keep what was rolled back, each time under a title.
    """
    index = _index(items)
    notes.withdrawn_branches += len(index.rolled_back)
    branches: list[list[Message]] = [[] for _ in index.rolled_back]
    rollout = _Rollout(index)
    for position, item in items():
        notes.items += 1
        found = rollout.messages(item, position)
        if not found:
            notes.skip(_kind(item))
        branch = index.branch(position)
        if branch is None:
            yield from found
        elif include_branches:
            branches[branch] += found
    for number, held in enumerate(branches if include_branches else (), start=1):
        yield Title(f"Other branch {number}", _BRANCH_LEVEL)
        yield from held


@dataclass(slots=True)
class _Index:
    """What has to be known of a whole rollout before its first message."""

    has_messages: bool = False
    #: Ids of items and calls.
    carried: set[str] = field(default_factory=set)
    #: Calls that ended with an exit code other than 0.
    failed: set[str] = field(default_factory=set)
    #: From the first position that was withdrawn to that of the rollback.
    rolled_back: list[tuple[int, int]] = field(default_factory=list)

    def branch(self, position: int) -> int | None:
        """The rollback that withdrew a position, the earliest one."""
        return next((n for n, (start, end) in enumerate(self.rolled_back) if start <= position < end), None)


@dataclass(slots=True)
class _Rollout:
    """What was seen so far."""

    index: _Index
    model: str | None = None
    #: Ids of messages between agents, which are written twice.
    agents: set[str] = field(default_factory=set)

    def messages(self, item: dict[str, Value], position: int) -> list[Message]:
        """The messages of a line; empty ones are left out."""
        payload = item.get("payload")
        if isinstance(payload, dict):
            found = list(self._line(item, payload, position))
        elif _is_bare(item):
            found = list(self._response(item, item, position))
        else:
            found = []
        return [self._named(message) for message in found if message.parts]

    def _line(self, item: dict[str, Value], payload: dict[str, Value], position: int) -> Iterator[Message]:
        kind, inner = item.get("type"), payload.get("type")
        if kind == "turn_context":
            self.model = plain(payload.get("model")) or self.model
        elif kind == "inter_agent_communication" or (kind == "response_item" and inner == "agent_message"):
            yield from self._between_agents(item, payload, position)
        elif kind == "response_item":
            yield from self._response(item, payload, position)
        elif kind == "event_msg":
            yield from self._event(item, payload, position)
        elif kind == "compacted":
            message = _made(item, position, "system", parts_of(payload.get("message")))
            yield replace(message, attachment=True, kind="summary")
        elif kind == "realtime_item" and inner == "transcript_segment":
            yield _made(item, position, plain(payload.get("role")) or "system", parts_of(payload.get("text")))

    def _response(self, item: dict[str, Value], payload: dict[str, Value], position: int) -> Iterator[Message]:
        message = responses_message(payload, position)
        if message is None:
            return
        message = replace(message, time=message.time or plain(item.get("timestamp")))
        if message.speaker == "user":
            yield from context_apart(message, payload)
        else:
            yield replace(message, parts=tuple(judged(part, self.index.failed) for part in message.parts))

    def _between_agents(self, item: dict[str, Value], payload: dict[str, Value], position: int) -> Iterator[Message]:
        name = plain(payload.get("id"))
        if name is not None and name in self.agents:
            return
        message = _made(item, position, plain(payload.get("author")) or "assistant", parts_of(payload.get("content")))
        if name is not None:
            self.agents.add(name)
            message = replace(message, ids=(name,))
        yield message

    def _event(self, item: dict[str, Value], payload: dict[str, Value], position: int) -> Iterator[Message]:
        kind = str(payload.get("type"))
        if kind == "item_completed" and isinstance(payload.get("item"), dict):
            done = payload["item"]
            if identity(done) not in self.index.carried:
                yield _made(item, position, "assistant", completed(done))
        elif kind in _EVENTS and not self.index.has_messages:
            value = payload.get(_EVENTS[kind])
            parts = reasoning(value) if kind == "agent_reasoning" else parts_of(value)
            message = _made(item, position, "user" if kind == "user_message" else "assistant", parts)
            yield from context_apart(message, {"content": value}) if kind == "user_message" else (message,)

    def _named(self, message: Message) -> Message:
        if message.speaker != "assistant" or message.speaker_full is not None:
            return message
        return replace(message, speaker_full=self.model)


def _index(items: Items) -> _Index:
    index = _Index()
    # Where people spoke in the messages, and in the events that stand for them where there are none.
    asked: list[int] = []
    asked_by_events: list[int] = []
    rollbacks: list[tuple[int, int | None, int | None]] = []
    for position, item in items():
        payload = _payload(item)
        kind = payload.get("type")
        if item.get("type") != "event_msg":
            if kind == "message" or "role" in payload:
                index.has_messages = True
                asked += [position] if _is_asked(payload) else []
            index.carried |= {name for name in (plain(payload.get("id")), plain(payload.get("call_id"))) if name}
        elif kind == "user_message":
            asked_by_events.append(position)
        elif kind == "thread_rolled_back":
            turns = number_of(payload.get("num_turns"))
            rollbacks.append((position, _taken_back(asked, turns), _taken_back(asked_by_events, turns)))
        elif kind == "item_completed" and isinstance(payload.get("item"), dict):
            done = payload["item"]
            if number_of(done.get("exit_code")) and (name := identity(done)):
                index.failed.add(name)
    for end, by_messages, by_events in rollbacks:
        start = by_messages if index.has_messages else by_events
        if start is not None:
            index.rolled_back.append((start, end))
    return index


def _taken_back(asked: list[int], turns: int) -> int | None:
    """Take the last turns of the people away; return where the first of them was."""
    if turns < 1 or not asked:
        return None
    start = asked[-turns:][0]
    del asked[-turns:]
    return start


def _is_asked(payload: dict[str, Value]) -> bool:
    """Whether a person says something in this message."""
    message = None if is_responses_item(payload) else responses_message(payload, 0)
    return message is not None and any(
        one.speaker == "user" and any(isinstance(part, Text) for part in one.parts)
        for one in context_apart(message, payload)
    )


def _made(item: dict[str, Value], position: int, speaker: str, parts: Iterable[Part]) -> Message:
    return Message(speaker=speaker, ids=(str(position),), time=plain(item.get("timestamp")), parts=tuple(parts))


def _payload(item: dict[str, Value]) -> dict[str, Value]:
    payload = item.get("payload")
    if isinstance(payload, dict):
        return payload if str(item.get("type")) in {"response_item", "event_msg"} else {}
    return item if _is_bare(item) else {}


def _is_bare(item: dict[str, Value]) -> bool:
    """Whether a line is an item without an envelope."""
    return "payload" not in item and (item.get("type") == "message" or is_responses_item(item))


def _is_old_head(item: dict[str, Value]) -> bool:
    if "type" in item:
        return False
    return isinstance(item.get("record_type"), str) or {"id", "timestamp", "instructions"} <= item.keys()


def _kind(item: dict[str, Value]) -> str:
    """The type that a line without a message is counted under."""
    payload = item.get("payload")
    inner = payload.get("type") if isinstance(payload, dict) else None
    return str(inner or item.get("type") or item.get("record_type") or "none")
