"""Channels exported from Discord (conversations design, a.19)."""

from collections.abc import Iterator, Sequence

from app.chat_logs.json_lines import Items, Notes, Value
from app.chat_logs.messages import Aside, Message, Part, Text, Told
from app.chat_logs.texts import placeholder, plain

#: Messages of people and what answers their commands, by name, or by number where the exporter knows no name.
_KEPT = frozenset(
    {
        *("Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand", "ApplicationCommand"),
        *("0", "19", "20", "21", "23"),
    }
)
_REPLIES = frozenset({"Reply", "19"})


def recognises(first: Sequence[dict[str, Value]]) -> bool:
    """True when the first items are messages of a channel."""
    return any(_is_message(item) for item in first)


def messages(
    items: Items,
    notes: Notes,
    *,
    include_branches: bool,  # noqa: ARG001 - nothing is withdrawn in a channel
) -> Iterator[Told]:
    """Yield the messages of a channel in file order.

    Args:
        items: The messages.
        notes: Takes the counts.
        include_branches: Without effect.
    """
    for _, item in items():
        notes.items += 1
        message = _message(item) if _is_message(item) and str(item["type"]) in _KEPT else None
        if message is None:
            notes.skip(str(item.get("type") or "none"))
        else:
            yield message


def _message(item: dict[str, Value]) -> Message | None:
    parts = tuple(_parts(item))
    if not parts:
        return None
    author = item["author"]
    name = plain(author.get("name"))
    speaker = plain(author.get("nickname")) or name or plain(author.get("id")) or "unknown"
    reference = item.get("reference") if str(item["type"]) in _REPLIES else None
    return Message(
        speaker=speaker,
        speaker_full=name if name != speaker else None,
        ids=(str(item["id"]),),
        parent=plain(reference.get("messageId")) if isinstance(reference, dict) else None,
        time=plain(item.get("timestamp")),
        parts=parts,
    )


def _parts(item: dict[str, Value]) -> Iterator[Part]:
    forwarded = item.get("forwardedMessage")
    for holder in (item, forwarded if isinstance(forwarded, dict) else {}):
        if text := plain(holder.get("content")):
            yield Text(text)
        for embed in _dicts(holder.get("embeds")):
            told = (plain(embed.get("title")), plain(embed.get("description")))
            if text := "\n".join(one for one in told if one):
                yield Text(text)
        for name in (*_named(holder, "attachments", "fileName"), *_named(holder, "stickers", "name")):
            yield Aside(placeholder("file", name))


def _named(holder: dict[str, Value], member: str, name: str) -> Iterator[str | None]:
    return (plain(one.get(name)) for one in _dicts(holder.get(member)))


def _is_message(item: dict[str, Value]) -> bool:
    author = item.get("author")
    is_person = isinstance(author, dict) and "name" in author and "role" not in author
    return is_person and isinstance(item.get("id"), str) and isinstance(item.get("type"), str) and "content" in item


def _dicts(value: Value) -> list[dict[str, Value]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
