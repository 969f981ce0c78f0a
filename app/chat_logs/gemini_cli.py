"""Sessions of the Gemini CLI, which are logs of edits (conversations design, a.14)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.chat_logs.generic import message_of
from app.chat_logs.json_lines import Items, Notes, Value
from app.chat_logs.messages import Message, Part, Result, Text, Title, Told
from app.chat_logs.texts import plain

_REWIND, _SET, _PATCH = "$rewindTo", "$set", "$patch"
_CONTEXT = ("<session_context>", "<hook_context>")
_NOTICES = frozenset({"info", "warning"})
_BRANCH_LEVEL = 2


def recognises(first: Sequence[dict[str, Value]]) -> bool:
    """True when the first items of a log are those of a session or of a history of prompts."""
    return any(_is_head(item) or _is_edit(item) or _is_answer(item) or _is_prompt(item) for item in first)


def messages(items: Items, notes: Notes, *, include_branches: bool) -> Iterator[Told]:
    """Yield the messages of a session as its last edit left them.

    Args:
        items: The lines.
        notes: Takes the counts.
        include_branches: Keep what was rewound, each time under a title.
    """
    session = _Session()
    for position, item in items():
        notes.items += 1
        if not session.edit(item, position):
            notes.skip(str(item.get("type") or "none"))
    notes.withdrawn_branches += len(session.rewound)
    yield from _told(session.records.values(), notes)
    for number, records in enumerate(session.rewound if include_branches else (), start=1):
        yield Title(f"Other branch {number}", _BRANCH_LEVEL)
        yield from _told(records, notes)


@dataclass(frozen=True, slots=True)
class _Record:
    """A message as it was written last, and where it was written first."""

    position: int
    item: dict[str, Value]


@dataclass(slots=True)
class _Session:
    """The messages after the edits so far, by id, in order."""

    records: dict[str, _Record] = field(default_factory=dict)
    rewound: list[list[_Record]] = field(default_factory=list)

    def edit(self, item: dict[str, Value], position: int) -> bool:
        """Take one line; False when it has no message and changes none."""
        if _REWIND in item:
            self._rewind(plain(item[_REWIND]))
        elif isinstance(item.get(_SET), dict):
            if not isinstance(item[_SET].get("messages"), list):
                return False
            self.records = {}
            for place, message in enumerate(item[_SET]["messages"]):
                if isinstance(message, dict):
                    self._put(message, position, f"{position}/{place}")
        elif isinstance(item.get(_PATCH), dict):
            name = plain(item[_PATCH].get("id")) or ""
            if name not in self.records:
                return False
            self.records[name] = replace(self.records[name], item=_patched(self.records[name].item, item[_PATCH]))
        elif isinstance(item.get("type"), str):
            self._put(item, position, str(position))
        else:
            return False
        return True

    def _put(self, item: dict[str, Value], position: int, name: str) -> None:
        name = plain(item.get("id")) or name
        first = self.records.get(name)
        self.records[name] = _Record(first.position if first is not None else position, item)

    def _rewind(self, name: str | None) -> None:
        names = list(self.records)
        start = names.index(name) if name in self.records and name is not None else 0
        if away := [self.records.pop(one) for one in names[start:]]:
            self.rewound.append(away)


def _patched(item: dict[str, Value], patch: dict[str, Value]) -> dict[str, Value]:
    """A message with what a patch says of it: its content, other members, and its tool calls by their ids."""
    changed = dict(item)
    updates = patch.get("updates")
    if isinstance(updates, dict):
        changed.update(updates)
    if "content" in patch:
        changed["content"] = patch["content"]
    given = patch.get("toolCalls")
    edits = given if isinstance(given, dict) else {**patch, "updates": [*_dicts(given), *_dicts(updates)]}
    calls = {str(call.get("id")): call for call in _dicts(changed.get("toolCalls"))}
    for call in _dicts(edits.get("updates")):
        name = str(call.get("id"))
        calls[name] = {**calls.get(name, {}), **call}
    for name in _strings(edits.get("removeIds")):
        calls.pop(name, None)
    ordered = [name for name in dict.fromkeys(_strings(edits.get("orderIds"))) if name in calls]
    if calls or "toolCalls" in changed:
        changed["toolCalls"] = [calls[name] for name in dict.fromkeys((*ordered, *calls))]
    return changed


def _told(records: Iterable[_Record], notes: Notes) -> Iterator[Message]:
    answered: set[str] = set()
    for record in records:
        kind = record.item.get("type")
        found = [] if kind in _NOTICES else list(_messages(record))
        if not found:
            notes.skip(str(kind))
        for message in found:
            kept = tuple(_once(message.parts, answered))
            if kept:
                yield replace(message, parts=kept)


def _messages(record: _Record) -> Iterator[Message]:
    """The messages of a record: what the tool put into it as context, then what was said."""
    item = record.item
    if item.get("type") == "error":
        item = {**item, "role": "system"}
    message = message_of(item, record.position)
    if message is None:
        return
    if item.get("type") == "error":
        yield replace(message, error=True)
        return
    context = tuple(part for part in message.parts if message.speaker == "user" and _is_context(part))
    said = tuple(part for part in message.parts if part not in context)
    if context:
        ids = (f"{message.ids[0]}/context",) if said else message.ids
        yield replace(message, speaker="system", ids=ids, parts=context, attachment=True, kind="context")
    if said:
        yield replace(message, parts=said)


def _once(parts: Sequence[Part], answered: set[str]) -> Iterator[Part]:
    """The parts without results of calls that have one: a later record may repeat what an answer holds."""
    for part in parts:
        if isinstance(part, Result) and part.call is not None:
            if part.call in answered:
                continue
            answered.add(part.call)
        yield part


def _is_context(part: Part) -> bool:
    return isinstance(part, Text) and part.text.startswith(_CONTEXT)


def _is_head(item: dict[str, Value]) -> bool:
    return {"sessionId", "projectHash", "startTime"} <= item.keys()


def _is_edit(item: dict[str, Value]) -> bool:
    return any(name in item for name in (_REWIND, _SET, _PATCH))


def _is_answer(item: dict[str, Value]) -> bool:
    return item.get("type") == "gemini" and "content" in item and "role" not in item


def _is_prompt(item: dict[str, Value]) -> bool:
    return {"sessionId", "messageId"} <= item.keys() and isinstance(item.get("message"), str)


def _strings(value: Value) -> list[str]:
    return [str(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _dicts(value: Value) -> list[dict[str, Value]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
