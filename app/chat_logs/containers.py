"""Which conversations a file holds (conversations design, a.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from app.chat_logs import json_lines
from app.chat_logs.generic import message_of, role_of
from app.chat_logs.json_lines import Items, Notes, Value
from app.chat_logs.messages import Message, Text
from app.chat_logs.parts import parts_of
from app.chat_logs.responses import is_responses_item
from app.errors import MalformedDocument
from app.text.whitespace import squash

#: Items that are looked at to tell what a file is.
LOOKED_AT = 200
CONTAINERS = ("chat_messages", "messages", "contents", "history", "items", "data", "chat_history")
_SYSTEM = ("system", "systemInstruction", "system_instruction", "instructions", "preamble")
_TITLES = ("title", "name")
_NAMES = ("id", "uuid", "conversation_id")

_SHAPES = (
    "an array of messages, an object with messages, contents, history, items, input or a mapping, an array or "
    "`conversations` list of such objects, or one such object or message a line"
)


@dataclass(frozen=True, slots=True)
class Held:
    """One conversation of a file."""

    items: Items
    #: The object that holds it, for its title, system prompt and times.
    around: dict[str, Value]
    #: Whether the object is a conversation of an export, and not the whole file.
    number: int = 0

    @property
    def name(self) -> str:
        """What the conversation is called in its export."""
        return next(
            (str(self.around[key]) for key in _NAMES if isinstance(self.around.get(key), str)), str(self.number)
        )

    @property
    def title(self) -> str | None:
        """Its heading in an export; None for a file of one conversation without a title."""
        for key in _TITLES:
            if isinstance(self.around.get(key), str) and squash(self.around[key]):
                return squash(self.around[key])
        if not self.number:
            return None
        return next((str(self.around[key]) for key in _NAMES if self.around.get(key)), f"Conversation {self.number}")

    def system(self) -> Message | None:
        """The system prompt that stands beside the messages."""
        told = [_prompt(self.around[key]) for key in _SYSTEM if key in self.around]
        text = "\n\n".join(text for text in told if text)
        return Message(speaker="system", ids=("system",), parts=(Text(text),), attachment=True) if text else None


def conversations(data: bytes, notes: Notes) -> Sequence[Held]:
    """Return the conversations of a file.

    Raises:
        MalformedDocument: it holds none in a shape that is known; the message lists these.
    """
    root = json_lines.whole_value(data)
    if root is None:
        return _of_lines(data, notes)
    found = _of_value(root)
    if found is None:
        raise MalformedDocument(f"This is no conversation in a shape that is known: {_SHAPES}.")
    return found


def is_conversation(item: dict[str, Value]) -> bool:
    """True for an object that holds messages."""
    return _held_items(item) is not None


def _of_lines(data: bytes, notes: Notes) -> Sequence[Held]:
    first = [item for _, item in islice(json_lines.lines(data, Notes()), LOOKED_AT)]
    if not first:
        raise MalformedDocument("No line of the file is a JSON object.")
    if all(is_conversation(item) and not _is_message(item) for item in first):
        held = [item for _, item in json_lines.lines(data, notes)]
        return [found for number, item in enumerate(held, start=1) if (found := _of_object(item, number)) is not None]

    def items() -> Iterator[tuple[int, dict[str, Any]]]:
        # A log is gone through more than once, and not always to its end: what is bad in it counts once.
        own = Notes()
        yield from json_lines.lines(data, own)
        notes.bad_lines, notes.first_bad_line = own.bad_lines, own.first_bad_line

    return [Held(items, {})]


def _of_value(root: Value) -> Sequence[Held] | None:
    if isinstance(root, list):
        return _of_list(root)
    if not isinstance(root, dict):
        return None
    listed = root.get("conversations")
    if isinstance(listed, list) and not _is_share(listed):
        return _numbered([one for one in listed if isinstance(one, dict)])
    holders = (holder for holder in (root, root.get("conversation"), _body(root)) if isinstance(holder, dict))
    found = next((held for held in map(_of_object, holders) if held is not None), None)
    if found is None and _is_message(root):
        found = Held(_again([root]), {})
    return None if found is None else [found]


def _of_list(root: list[Value]) -> Sequence[Held] | None:
    objects = _objects(root)
    if objects and not any(_is_message(one) for one in objects[:LOOKED_AT]):
        return _numbered(objects)
    return None if root and not objects else [Held(_again(objects), {})]


def _numbered(objects: Sequence[dict[str, Value]]) -> Sequence[Held] | None:
    found = [held for number, one in enumerate(objects, start=1) if (held := _of_object(one, number)) is not None]
    return found or None


def _of_object(value: dict[str, Value], number: int = 0) -> Held | None:
    items = _held_items(value)
    return None if items is None else Held(_again(items), value, number)


def _held_items(value: dict[str, Value]) -> Sequence[dict[str, Value]] | None:
    if isinstance(value.get("mapping"), dict):
        return []
    for name in CONTAINERS:
        if isinstance(value.get(name), list):
            held = _objects(value[name])
            last = value.get("message")
            return (
                [*held, {"role": "USER", "content": last}] if name == "chat_history" and isinstance(last, str) else held
            )
    if _is_share(value.get("conversations")):
        return _objects(value["conversations"])
    for name, inner in (("choices", "message"), ("candidates", "content")):
        if isinstance(value.get(name), list):
            return [one[inner] for one in _objects(value[name]) if isinstance(one.get(inner), dict)]
    return _exchange(value)


def _exchange(value: dict[str, Value]) -> Sequence[dict[str, Value]] | None:
    """What went in and came out."""
    if "input" in value or isinstance(value.get("output"), list):
        return [*_given(value.get("input")), *_given(value.get("output"))]
    output = value.get("output")
    return [output["message"]] if isinstance(output, dict) and isinstance(output.get("message"), dict) else None


def _given(value: Value) -> list[dict[str, Value]]:
    return [{"role": "user", "content": value}] if isinstance(value, str) else _objects(value)


def _body(root: dict[str, Value]) -> Value:
    response = root.get("response")
    return response.get("body", response) if isinstance(response, dict) else None


def _is_share(listed: Value) -> bool:
    return isinstance(listed, list) and any(
        isinstance(one, dict) and "from" in one and "value" in one for one in listed
    )


def _is_message(item: dict[str, Value]) -> bool:
    if is_responses_item(item) or isinstance(item.get("payload"), dict):
        return True
    if _held_items(item) is not None and role_of(item) is None:
        return False
    return message_of(item, 0) is not None


def _objects(value: Value) -> list[dict[str, Value]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _again(items: Sequence[dict[str, Value]]) -> Items:
    return lambda: enumerate(items)


def _prompt(value: Value) -> str:
    held = value.get("parts") if isinstance(value, dict) and "parts" in value else value
    return "\n\n".join(part.text for part in parts_of(held) if isinstance(part, Text))
