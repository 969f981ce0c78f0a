"""From an item of a log to a message, whoever wrote it (conversations design, a.2)."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from app.chat_logs.json_lines import Value, Written
from app.chat_logs.messages import Aside, Call, Message, Part, Result, Text
from app.chat_logs.parts import parts_of, reasoning
from app.chat_logs.results import result_text
from app.chat_logs.texts import arguments, placeholder, plain, unknown

_SPEAKERS = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "bot", "chatbot", "gemini", "gpt"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function", "ipython", "observation", "toolresult"), "tool"),
}
#: A `type` that names a role.
_ROLE_TYPES = frozenset("human ai user assistant system developer tool function gemini model".split())  # noqa: SIM905
_CLASS_NAME = re.compile(r"(Human|AI|System|Tool|Function|Chat)Message(?:Chunk)?\Z")
_PARENTS = ("parentUuid", "parent_message_uuid", "parent", "parentId", "parent_id")
_TIMES = ("timestamp", "created_at", "create_time", "createdAt", "time")
#: So many digits are milliseconds.
_MILLISECOND_DIGITS = 12


def message_of(item: dict[str, Value], position: int) -> Message | None:
    """Return the message that an item is or holds, or None when it is bookkeeping.

    Args:
        item: An object of the log.
        position: Its place in the list, dropped items counted: its name, where it has none.
    """
    told = _opened(item)
    if told is None:
        return None
    message, envelope = told
    role = role_of(message, envelope)
    if role is None and not _says_something(message):
        return None
    speaker = _SPEAKERS.get((role or "").lower(), role or "system")
    kind = None if role is not None else f"unknown:{message.get('type')}"
    parts = tuple(_parts(message, speaker)) if kind is None else tuple(_unknown_parts(message))
    ids = tuple(dict.fromkeys(_ids(message, envelope))) or (str(position),)
    return Message(
        speaker=speaker,
        speaker_full=None if speaker == "tool" else _speaker_full(message),
        ids=ids,
        parent=_first_text(envelope, message, names=_PARENTS),
        time=_time(message, envelope),
        parts=parts,
        attachment=speaker == "system",
        kind=kind,
    )


def role_of(message: dict[str, Value], envelope: dict[str, Value] | None = None) -> str | None:
    """Return the role or the name of whoever speaks, as written; None when nothing tells."""
    author = message.get("author")
    named = author.get("role") if isinstance(author, dict) else None
    for value in (message.get("role"), named, message.get("sender"), message.get("from")):
        if plain(value):
            return str(value).strip()
    for holder in (message, envelope or {}):
        kind = holder.get("type")
        if isinstance(kind, str) and kind.lower() in _ROLE_TYPES:
            return kind
        if isinstance(kind, str) and (match := _CLASS_NAME.search(kind)):
            return {"Human": "user", "AI": "assistant", "Chat": "user"}.get(match[1], match[1].lower())
    return "user" if isinstance(message.get("parts"), list) and "type" not in message else None


def time_of(value: Value) -> str | None:
    """Return a time as written, or a number of seconds or milliseconds as UTC."""
    if isinstance(value, Written):
        whole = str(value).partition(".")[0].lstrip("-")
        try:
            number = float(value)
            seconds = number / 1000 if len(whole) >= _MILLISECOND_DIGITS else number
            return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except (ValueError, OverflowError, OSError):
            return None
    return plain(value)


def _opened(item: dict[str, Value]) -> tuple[dict[str, Value], dict[str, Value]] | None:
    """The message in an item, and the item around it; None for bookkeeping."""
    if "message" in item and item["message"] is None and ("parent" in item or "children" in item):
        return None
    if item.get("type") == "remove":
        return None
    message = item.get("message")
    if isinstance(message, dict):
        return message, item
    if isinstance(item.get("data"), dict) and isinstance(item.get("type"), str):
        data = item["data"]
        # `chat` carries its role inside.
        role = data.get("role") if item["type"] == "chat" else item["type"]
        return {**data, "role": role}, item
    if item.get("type") == "constructor" and isinstance(item.get("kwargs"), dict):
        named = item.get("id")
        name = str(named[-1]) if isinstance(named, list) and named else ""
        return {"type": name, **{key: value for key, value in item["kwargs"].items() if key != "type"}}, item
    return item, item


def _says_something(message: dict[str, Value]) -> bool:
    return any(isinstance(message.get(name), str | list) for name in ("content", "text", "message", "parts"))


def _unknown_parts(message: dict[str, Value]) -> Iterator[Part]:
    for name in ("content", "text", "message", "parts"):
        value = message.get(name)
        if isinstance(value, str | list):
            for part in parts_of(value):
                yield part if isinstance(part, Text | Aside) else Aside(unknown(value), "unknown")
            return


def _parts(message: dict[str, Value], speaker: str) -> Iterator[Part]:
    content = message.get("content")
    if content is None:
        content = next((message[name] for name in ("parts", "value", "text") if message.get(name) is not None), None)
    if content is None and isinstance(message.get("message"), str):
        content = message["message"]
    if speaker == "tool" and not _holds_results(content):
        yield _tool_result(message, content)
        return
    yield from _reasoning_members(message)
    spoken = message.get("audio")
    if isinstance(spoken, dict) and plain(spoken.get("transcript")):
        yield Text(plain(spoken["transcript"]) or "")
    yield from parts_of(content)
    if plain(message.get("refusal")):
        yield Text(plain(message["refusal"]) or "")
    yield from _attached(message)
    known = {call.id for call in parts_of(content) if isinstance(call, Call) and call.id}
    for part in calls_of(message):
        if not (isinstance(part, Call) and part.id in known):
            yield part


def calls_of(message: dict[str, Value]) -> Iterator[Part]:
    """Yield the calls that stand beside the content, with results where the same member holds them."""
    for call in _list(message.get("tool_calls")) + _list(message.get("toolCalls")):
        function = next((call[name] for name in ("function", "custom") if isinstance(call.get(name), dict)), call)
        given = next((function[name] for name in ("arguments", "input", "args") if name in function), None)
        name = plain(function.get("name")) or ""
        identity = plain(call.get("id"))
        yield Call(name, arguments(given), identity)
        if call.get("result") is not None:
            yield Result(_inner_result(call["result"]), identity, name, call.get("status") == "error")
    single = message.get("function_call")
    if isinstance(single, dict):
        yield Call(plain(single.get("name")) or "", arguments(single.get("arguments")))


def _inner_result(value: Value) -> str:
    """A result that is itself written as a part (`functionResponse`)."""
    found = [part.text for part in parts_of(value) if isinstance(part, Result)]
    return "\n\n".join(found) if found else result_text(value)


def _tool_result(message: dict[str, Value], content: Value) -> Result:
    call = plain(message.get("tool_call_id")) or plain(message.get("toolCallId"))
    name = plain(message.get("name")) or plain(message.get("tool_name")) or plain(message.get("toolName"))
    failed = message.get("status") == "error" or message.get("is_error") is True or message.get("isError") is True
    return Result(result_text(content), call, name, failed or bool(message.get("error")))


def _holds_results(content: Value) -> bool:
    return any(isinstance(part, Result) for part in parts_of(content)) if isinstance(content, list) else False


def _reasoning_members(message: dict[str, Value]) -> Iterator[Part]:
    for name in ("reasoning_content", "reasoning"):
        if plain(message.get(name)):
            yield from reasoning(message[name])
            break
    else:
        details = [one.get("text") or one.get("summary") for one in _list(message.get("reasoning_details"))]
        yield from reasoning([text for text in details if text])
    for name in ("thinking", "tool_plan"):
        yield from reasoning(message.get(name) if isinstance(message.get(name), str) else None)
    thoughts = [
        "\n".join(text for text in (plain(one.get("subject")), plain(one.get("description"))) if text)
        for one in _list(message.get("thoughts"))
    ]
    yield from reasoning([text for text in thoughts if text])


def _attached(message: dict[str, Value]) -> Iterator[Part]:
    images = message.get("images")
    yield from (Aside("[image]") for _ in (images if isinstance(images, list) else ()))
    for one in (*_list(message.get("attachments")), *_list(message.get("files"))):
        name = next((plain(one[key]) for key in ("file_name", "name", "fileName") if plain(one.get(key))), None)
        label = placeholder("file", name)
        text = plain(one.get("extracted_content"))
        yield Aside(f"{label}\n{text}" if text else label)


def _ids(message: dict[str, Value], envelope: dict[str, Value]) -> Iterator[str]:
    for holder, names in ((message, ("id", "uuid")), (envelope, ("uuid", "id"))):
        for name in names:
            value = holder.get(name)
            if isinstance(value, str) and value:
                yield str(value)


def _speaker_full(message: dict[str, Value]) -> str | None:
    author, metadata = message.get("author"), message.get("metadata")
    answered = message.get("response_metadata")
    return (
        plain(message.get("name"))
        or (plain(author.get("name")) if isinstance(author, dict) else None)
        or plain(message.get("model"))
        or (plain(metadata.get("model_slug")) if isinstance(metadata, dict) else None)
        or (plain(answered.get("model_name")) if isinstance(answered, dict) else None)
    )


def _first_text(*holders: dict[str, Value], names: tuple[str, ...]) -> str | None:
    return next((str(one[name]) for one in holders for name in names if isinstance(one.get(name), str)), None)


def _time(message: dict[str, Value], envelope: dict[str, Value]) -> str | None:
    for holder in (message, envelope):
        for name in _TIMES:
            if holder.get(name) is not None and (told := time_of(holder[name])):
                return told
    return None


def _list(value: Value) -> list[dict[str, Value]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
