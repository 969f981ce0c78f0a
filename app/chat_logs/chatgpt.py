"""Conversations of ChatGPT's data export (conversations design, a.16)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from app.chat_logs.generic import message_of
from app.chat_logs.json_lines import Notes, Value
from app.chat_logs.messages import Aside, Call, Message, Part, Result, Text, Title, Told
from app.chat_logs.parts import parts_of, reasoning
from app.chat_logs.texts import arguments, placeholder, plain, unknown
from app.chat_logs.trees import other_branches, path_to

_NOTHING = frozenset({"reasoning_recap", "user_editable_context", "model_editable_context"})
_EVERYBODY = "all"
_MARK = re.compile("[ \t]?\ue200[^\ue200\ue201]*\ue201")
_LEFT_OVER = re.compile("[\ue200-\ue202]")
_BRANCH_LEVEL = 2


def is_conversation(value: dict[str, Value]) -> bool:
    """True for a conversation of the export."""
    return isinstance(value.get("mapping"), dict)


def messages(value: dict[str, Value], notes: Notes, *, include_branches: bool) -> Iterator[Told]:
    """Yield the messages of one conversation, without its title.

    Args:
        value: The conversation.
        notes: Takes the counts.
        include_branches: Keep what was withdrawn by an edit or another answer, each branch under a title.
    """
    nodes = {name: node for name, node in value["mapping"].items() if isinstance(node, dict)}
    parents = {name: plain(node.get("parent")) for name, node in nodes.items()}
    path = _current(value, nodes, parents)
    tree = _Tree(nodes, parents, notes)
    notes.items += len(nodes)
    yield from tree.messages(path)
    number = 0
    for branch in other_branches(parents, path):
        held = list(tree.messages(branch))
        if not any(message.parts for message in held):
            continue
        number += 1
        notes.withdrawn_branches += 1
        if include_branches:
            yield Title(f"Other branch {number}", _BRANCH_LEVEL)
            yield from held


@dataclass(slots=True)
class _Tree:
    """The nodes of a conversation, and which of them gave something to read."""

    nodes: Mapping[str, dict[str, Value]]
    parents: Mapping[str, str | None]
    notes: Notes
    #: By node: itself where it says something, else the nearest one above that does.
    voices: dict[str, str | None] = field(default_factory=dict)

    def messages(self, names: list[str]) -> Iterator[Message]:
        """The messages of nodes, parents before their children."""
        for position, name in enumerate(names):
            above = self.voices.get(self.parents[name] or "")
            self.voices[name] = above
            message = _message(name, self.nodes[name], position)
            if message is None:
                held = self.nodes[name].get("message")
                self.notes.skip(_kind(held) if isinstance(held, dict) else "none")
                continue
            # An empty result says nothing, but its call has been answered.
            if not all(isinstance(part, Result) and not part.text for part in message.parts):
                self.voices[name] = name
            yield replace(message, parent=above)


def _current(
    value: dict[str, Value], nodes: Mapping[str, dict[str, Value]], parents: Mapping[str, str | None]
) -> list[str]:
    """The nodes of the current branch, the first one first."""
    leaf = plain(value.get("current_node"))
    if leaf in nodes and leaf is not None:
        return path_to(parents, leaf)
    name = next((name for name, parent in parents.items() if parent is None or parent not in parents), None)
    path: dict[str, None] = {}
    while name is not None and name not in path:
        path[name] = None
        children = nodes[name].get("children")
        existing = (
            [one for one in children if isinstance(one, str) and one in nodes] if isinstance(children, list) else []
        )
        name = existing[-1] if existing else None
    return list(path)


def _message(name: str, node: dict[str, Value], position: int) -> Message | None:
    """The message of a node, or None when there is nothing to read in it."""
    held = node.get("message")
    if not isinstance(held, dict):
        return None
    frame = message_of({"id": name, "message": {**held, "content": None}}, position)
    if frame is None:
        return None
    metadata = _dict(held.get("metadata"))
    content = held.get("content")
    parts = tuple(_parts(held, _dict(content), _References(metadata), frame.speaker))
    hidden = metadata.get("is_visually_hidden_from_conversation") is True or _weightless(held.get("weight"))
    if frame.speaker == "tool" and hidden:
        parts = tuple(replace(part, text="") for part in parts if isinstance(part, Result))
    elif hidden:
        return None
    return replace(frame, parts=parts) if parts else None


def _parts(
    held: dict[str, Value], content: dict[str, Value], references: "_References", speaker: str
) -> Iterator[Part]:
    kind = _kind(held)
    if kind in _NOTHING:
        return
    said = [references.resolved(part) for part in _said(content, kind)]
    recipient = plain(held.get("recipient")) or _EVERYBODY
    text = "\n\n".join(part.text for part in said if isinstance(part, Text | Aside))
    if speaker == "tool":
        author = _dict(held.get("author"))
        yield Result(text, None, plain(author.get("name")), kind == "system_error")
        return
    if speaker == "assistant" and recipient != _EVERYBODY and any(isinstance(part, Text) for part in said):
        spoken = "\n\n".join(part.text for part in said if isinstance(part, Text))
        yield Call(recipient, arguments(spoken))
        yield from (part for part in said if not isinstance(part, Text))
    else:
        yield from said
    for attached in _dicts(_dict(held.get("metadata")).get("attachments")):
        yield Aside(placeholder("file", plain(attached.get("name"))))


def _said(content: dict[str, Value], kind: str) -> Iterator[Text | Aside]:
    """What a content holds, whatever the speaker."""
    if kind == "thoughts":
        found: Iterator[Part] = reasoning([one.get("content") for one in _dicts(content.get("thoughts"))])
    elif isinstance(content.get("parts"), list):
        found = (part for one in content["parts"] for part in parts_of(_typed(one)))
    elif kind == "tether_browsing_display":
        found = parts_of(content.get("result"))
    elif isinstance(content.get("text"), str):
        titled = _named(plain(content.get("title")), plain(content.get("url")))
        found = parts_of("\n".join(text for text in (titled, plain(content["text"])) if text))
    elif content:
        text = plain(content.get("content"))
        found = iter((Text(text) if text else Aside(unknown(content), "unknown"),))
    else:
        found = iter(())
    yield from (part for part in found if isinstance(part, Text | Aside))


class _References:
    """What the citation marks in a message's texts stand for."""

    def __init__(self, metadata: dict[str, Value]) -> None:
        self._texts: dict[str, str] = {}
        for reference in _dicts(metadata.get("content_references")):
            matched = reference.get("matched_text")
            if isinstance(matched, str) and (text := _cited(reference)):
                self._texts[matched] = text

    def resolved(self, part: Text | Aside) -> Text | Aside:
        """A part with titles and addresses in place of the marks."""
        return replace(part, text=_LEFT_OVER.sub("", _MARK.sub(self._shown, part.text)).strip())

    def _shown(self, match: re.Match[str]) -> str:
        text = self._texts.get(match[0].lstrip(" \t"))
        if text is None:
            return ""
        return f" {text}" if match.start() and not match.string[match.start() - 1].isspace() else text


def _cited(reference: dict[str, Value]) -> str | None:
    own = _named(plain(reference.get("title")), plain(reference.get("url")))
    items = (_named(plain(one.get("title")), plain(one.get("url"))) for one in _dicts(reference.get("items")))
    return own or "; ".join(text for text in items if text) or None


def _named(title: str | None, url: str | None) -> str | None:
    return f"{title} ({url})" if title and url else title or url


def _typed(part: Value) -> Value:
    """A part that names what it is as other vendors' do."""
    return {**part, "type": part["content_type"]} if isinstance(part, dict) and "content_type" in part else part


def _kind(held: dict[str, Value]) -> str:
    return str(_dict(held.get("content")).get("content_type") or "none")


def _weightless(weight: Value) -> bool:
    try:
        return weight is not None and float(weight) == 0
    except (TypeError, ValueError):
        return False


def _dict(value: Value) -> dict[str, Value]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Value) -> list[dict[str, Value]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
