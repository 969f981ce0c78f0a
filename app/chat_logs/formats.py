"""The formats of chat logs, in the order in which they are tried, and the reading of one conversation by them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from app.chat_logs import chatgpt, claude_ai, claude_code, codex, discord, gemini_cli, slack
from app.chat_logs.containers import LOOKED_AT, Held
from app.chat_logs.json_lines import Items, Notes, Value, Written
from app.chat_logs.messages import Aside, Message, Text, Told
from app.chat_logs.responses import responses_message
from app.chat_logs.texts import plain

#: From the items of a log to what it tells.
Messages: TypeAlias = Callable[..., Iterator[Told]]


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A format of logs that are told by what their items hold."""

    name: str
    recognises: Callable[[Sequence[dict[str, Value]]], bool]
    messages: Messages
    #: The title that a log gives itself, where its format has one.
    title: Callable[[Items], str | None] | None = None


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format of exports that are told by the object around the messages."""

    name: str
    is_conversation: Callable[[dict[str, Value]], bool]
    messages: Messages


LOGS: tuple[LogFormat, ...] = (
    LogFormat("claude_code", claude_code.recognises, claude_code.messages, claude_code.title),
    LogFormat("codex", codex.recognises, codex.messages),
    LogFormat("gemini_cli", gemini_cli.recognises, gemini_cli.messages),
    LogFormat("slack", slack.recognises, slack.messages),
    LogFormat("discord", discord.recognises, discord.messages),
)
EXPORTS: tuple[ExportFormat, ...] = (
    ExportFormat("chatgpt", chatgpt.is_conversation, chatgpt.messages),
    ExportFormat("claude_ai", claude_ai.is_conversation, claude_ai.messages),
)


def told(held: Held, notes: Notes, *, include_branches: bool) -> Iterator[Told]:
    """Yield the messages of one conversation, its system prompt first."""
    if (system := held.system()) is not None:
        yield system
    export = next((one for one in EXPORTS if one.is_conversation(held.around)), None)
    if export is not None:
        yield from export.messages(held.around, notes, include_branches=include_branches)
        return
    log = _log_of(held)
    if log is not None:
        yield from log.messages(held.items, notes, include_branches=include_branches)
    else:
        yield from generic(held.items, notes)


def is_log(held: Held) -> bool:
    """True when a conversation is of a format that is told by more than a role and a text."""
    if any(one.is_conversation(held.around) for one in EXPORTS):
        return True
    return _log_of(held) is not None


def title_of(held: Held) -> str | None:
    """The title of a conversation, beside its messages or among them."""
    log = _log_of(held)
    return held.title or (log.title(held.items) if log is not None and log.title is not None else None)


def _log_of(held: Held) -> LogFormat | None:
    first = [item for _, item in islice(held.items(), LOOKED_AT)]
    return next((one for one in LOGS if one.recognises(first)), None)


def generic(items: Items, notes: Notes) -> Iterator[Told]:
    """Yield the messages of a log that any of the model vendors' shapes describes (a.4 to a.11, a.15, a.18)."""
    fragments: list[Message] = []
    for position, item in items():
        notes.items += 1
        message = _turn_of_list(item, position) or responses_message(item, position)
        if message is None:
            notes.skip(str(item.get("type") or "none"))
        elif isinstance(item.get("done"), bool):
            fragments.append(message)
            if item["done"]:
                yield _joined(fragments)
                fragments = []
        else:
            if fragments:
                yield _joined(fragments)
                fragments = []
            yield message
    if fragments:
        yield _joined(fragments)


def _joined(fragments: Sequence[Message]) -> Message:
    """One message of the fragments of a streamed one (a.10)."""
    first = fragments[0]
    text = "".join(part.text for message in fragments for part in message.parts if isinstance(part, Text))
    others = [part for message in fragments for part in message.parts if not isinstance(part, Text)]
    return Message(
        speaker=first.speaker,
        speaker_full=first.speaker_full,
        ids=first.ids,
        parent=first.parent,
        time=first.time,
        parts=(Text(text), *others) if text else tuple(others),
    )


def _turn_of_list(item: dict[str, Value], position: int) -> Message | None:
    """A turn of a plain list: a speaker and a text (a.15)."""
    speaker = plain(item.get("speaker"))
    if speaker is None:
        return None
    text = next((plain(item[name]) for name in ("text", "message", "utterance") if plain(item.get(name))), None)
    if text is None:
        return None
    name = item.get("id", item.get("turn", item.get("dia_id")))
    identity = str(name) if isinstance(name, str | Written) and name else str(position)
    return Message(speaker=speaker, ids=(identity,), time=plain(item.get("time")), parts=(Text(text), *_pictures(item)))


def _pictures(item: dict[str, Value]) -> Iterator[Aside]:
    for name in ("image", "caption"):
        if (shown := plain(item.get(name))) is not None:
            yield Aside(f"[image: {shown}]")
            return
