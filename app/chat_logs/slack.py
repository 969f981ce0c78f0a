"""Days of a channel from Slack's export (conversations design, a.19)."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from app.chat_logs.generic import time_of
from app.chat_logs.json_lines import Items, Notes, Value, Written
from app.chat_logs.messages import Aside, Message, Part, Text, Told
from app.chat_logs.texts import cleaned, placeholder, plain

_DROPPED = re.compile(r"(channel|group)_(join|leave|topic)|\w+_(purpose|name)|tombstone|message_deleted|deleted")
_STAMP = re.compile(r"\d+(\.\d+)?")
#: `<@U1>`, `<#C1|name>`, `<!here>`, `<url|label>`.
_LINK = re.compile(r"<(?P<mark>[@#!]?)(?P<target>[^<>|]+)(?:\|(?P<label>[^<>]*))?>")
#: Elements of rich text that stand on lines of their own.
_LINES = re.compile(r"rich_text_(section|quote|preformatted)|section|header|context")


def recognises(first: Sequence[dict[str, Value]]) -> bool:
    """True when the first items are messages of a channel."""
    return any(_is_message(item) and isinstance(item.get("user", item.get("bot_id")), str) for item in first)


def messages(
    items: Items,
    notes: Notes,
    *,
    include_branches: bool,  # noqa: ARG001 - nothing is withdrawn in a channel
) -> Iterator[Told]:
    """Yield the messages of a channel by their times: an export puts its days in any order.

    Args:
        items: The messages; gone through twice.
        notes: Takes the counts.
        include_branches: Without effect.
    """
    names = {
        str(item["user"]): name
        for _, item in items()
        if isinstance(item.get("user"), str) and (name := _profile_name(item)) is not None
    }
    found: list[Message] = []
    for _, item in items():
        notes.items += 1
        message = None if _is_dropped(item) else _message(item, names)
        if message is None:
            notes.skip(str(item.get("subtype") or item.get("type") or "none"))
        else:
            found.append(message)
    yield from sorted(found, key=_moment)


def _message(item: dict[str, Value], names: Mapping[str, str]) -> Message | None:
    stamp = str(item["ts"])
    parts = tuple(_parts(item, names))
    if not parts:
        return None
    thread = plain(item.get("thread_ts"))
    return Message(
        speaker=_speaker(item, names),
        ids=(stamp,),
        parent=thread if thread != stamp else None,
        time=time_of(Written(stamp)),
        parts=parts,
    )


def _parts(item: dict[str, Value], names: Mapping[str, str]) -> Iterator[Part]:
    text = _readable(item.get("text"), names) or _blocks_text(item.get("blocks"), names) or _quoted(item, names)
    if text:
        yield Text(text)
    for file in _dicts(item.get("files")):
        if file.get("mode") != "tombstone":
            yield Aside(placeholder("file", plain(file.get("name")) or plain(file.get("title"))))


def _quoted(item: dict[str, Value], names: Mapping[str, str]) -> str:
    """What a bot says in attachments alone."""
    told = ((one.get("title"), one.get("text") or one.get("fallback")) for one in _dicts(item.get("attachments")))
    return "\n\n".join(text for one in told for text in (_readable(part, names) for part in one) if text)


def _readable(value: Value, names: Mapping[str, str]) -> str:
    """A text as people see it."""
    if not isinstance(value, str):
        return ""
    return cleaned(html.unescape(_LINK.sub(lambda match: _link(match, names), value)))


def _link(match: re.Match[str], names: Mapping[str, str]) -> str:
    mark, target, label = match["mark"], match["target"], match["label"]
    if mark == "@":
        return f"@{label or names.get(target, target)}"
    if mark == "#":
        return f"#{label or target}"
    if mark == "!":
        return label or f"@{target}"
    return f"{label} ({target})" if label and label != target else target


def _blocks_text(value: Value, names: Mapping[str, str]) -> str:
    """The text of blocks, their sections on lines of their own."""
    pieces: list[str] = []
    waiting: list[Value] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, dict):
            if _LINES.fullmatch(str(one.get("type"))):
                pieces.append("\n")
            pieces.append(_element(one, names))
            waiting += [one[key] for key in ("elements", "fields", "text") if isinstance(one.get(key), list | dict)]
    return cleaned("".join(pieces))


def _element(element: dict[str, Value], names: Mapping[str, str]) -> str:
    kind, text = element.get("type"), element.get("text")
    user = str(element.get("user_id"))
    shown = {
        "user": f"@{names.get(user, user)}",
        "channel": f"#{element.get('channel_id')}",
        "broadcast": f"@{element.get('range')}",
        "emoji": f":{element.get('name')}:",
    }
    if kind in shown:
        return shown[str(kind)]
    if kind == "link":
        url, label = plain(element.get("url")) or "", plain(text)
        return f"{label} ({url})" if label and label != url else url
    if kind == "mrkdwn":
        return _readable(text, names)
    return str(text) if isinstance(text, str) else ""


def _speaker(item: dict[str, Value], names: Mapping[str, str]) -> str:
    user = plain(item.get("user"))
    if user is not None:
        return _profile_name(item) or names.get(user, user)
    bot = item.get("bot_profile")
    named = plain(bot.get("name")) if isinstance(bot, dict) else None
    return plain(item.get("username")) or named or plain(item.get("bot_id")) or "unknown"


def _profile_name(item: dict[str, Value]) -> str | None:
    profile = item.get("user_profile")
    if not isinstance(profile, dict):
        return None
    return plain(profile.get("display_name")) or plain(profile.get("real_name"))


def _is_message(item: dict[str, Value]) -> bool:
    stamp = item.get("ts")
    return item.get("type") == "message" and isinstance(stamp, str) and _STAMP.fullmatch(stamp) is not None


def _is_dropped(item: dict[str, Value]) -> bool:
    return not _is_message(item) or _DROPPED.fullmatch(str(item.get("subtype"))) is not None


def _moment(message: Message) -> tuple[int, str]:
    whole, _, fraction = message.ids[0].partition(".")
    return int(whole), fraction.ljust(6, "0")


def _dicts(value: Value) -> list[dict[str, Value]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
