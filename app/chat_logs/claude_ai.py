"""Conversations of Claude.ai's export (conversations design, a.17)."""

import re
from collections.abc import Iterator
from dataclasses import replace

from app.chat_logs.generic import message_of
from app.chat_logs.json_lines import Notes, Value
from app.chat_logs.messages import Message, Part, Text, Title, Told
from app.chat_logs.texts import plain
from app.chat_logs.trees import other_branches, path_to

#: What the export says instead of a block it can't show, often inside a fence.
_FILLER = re.compile(r"(?P<fence>```)?\s*This block is not supported on your current device yet\.\s*(?(fence)```)")
_BRANCH_LEVEL = 2


def is_conversation(value: dict[str, Value]) -> bool:
    """True for a conversation of the export."""
    return isinstance(value.get("chat_messages"), list)


def messages(value: dict[str, Value], notes: Notes, *, include_branches: bool) -> Iterator[Told]:
    """Yield the messages of one conversation in file order, without its title.

    Args:
        value: The conversation.
        notes: Takes the counts.
        include_branches: Keep what was withdrawn by an edit or another answer, each branch under a title.
    """
    notes.items += len(value["chat_messages"])
    found: dict[str, Message] = {}
    for position, item in enumerate(value["chat_messages"]):
        message = _message(item, position) if isinstance(item, dict) else None
        if message is None:
            notes.skip("none")
        else:
            found.setdefault(message.ids[0], message)
    branches = _withdrawn(found, plain(value.get("current_leaf_message_uuid")))
    notes.withdrawn_branches += len(branches)
    away = {name for branch in branches for name in branch}
    yield from (message for name, message in found.items() if name not in away)
    for number, branch in enumerate(branches if include_branches else (), start=1):
        yield Title(f"Other branch {number}", _BRANCH_LEVEL)
        yield from (found[name] for name in branch)


def _withdrawn(found: dict[str, Message], leaf: str | None) -> list[list[str]]:
    """The branches that leave the current path, or begin where it does.

    A message that names no parent, or one that the file lacks, is no other version of anything: it stays.
    """
    if not found:
        return []
    parents = {name: message.parent for name, message in found.items()}
    path = path_to(parents, leaf if leaf is not None and leaf in found else next(reversed(found)))
    met = {*path, parents[path[0]]} - {None}
    return [branch for branch in other_branches(parents, path) if parents[branch[0]] in met]


def _message(item: dict[str, Value], position: int) -> Message | None:
    """The message of an item; its `text` counts only where its `content` is empty, since it repeats more than that."""
    content = item.get("content") or item.get("text")
    message = message_of({**item, "content": content}, position)
    return None if message is None else replace(message, parts=tuple(_without_filler(message.parts)))


def _without_filler(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        if not isinstance(part, Text):
            yield part
        elif text := _FILLER.sub("", part.text).strip():
            yield Text(text)
