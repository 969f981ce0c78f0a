"""What only items of the Codex CLI hold: injected context, exit codes, completed work (conversations design, a.13)."""

import re
from collections.abc import Iterator, Set
from dataclasses import replace

from app.chat_logs.json_lines import Value, parse
from app.chat_logs.messages import Call, Message, Part, Result, Text
from app.chat_logs.parts import parts_of
from app.chat_logs.results import result_text
from app.chat_logs.texts import arguments, cleaned, plain

_WRAPPED = re.compile(
    r"<(environment_context|user_instructions|skill|turn_aborted|subagent_notification|user_shell_command"
    r"|recommended_plugins)\b[^>]*>.*</\1>\s*\Z|# AGENTS\.md instructions.*</INSTRUCTIONS>\s*\Z",
    re.DOTALL,
)
_KINDS = ("internal_chat_message_metadata_passthrough", "content_item_kinds")


def context_apart(message: Message, payload: dict[str, Value]) -> Iterator[Message]:
    """Yield what the tool put into a user's message as context, then what the person said."""
    if message.speaker != "user":
        yield message
        return
    content = payload.get("content")
    blocks = content if isinstance(content, list) else [content]
    held = payload.get(_KINDS[0])
    kinds = held.get(_KINDS[1]) if isinstance(held, dict) else None
    kinds = kinds if isinstance(kinds, list) else []
    context: list[Part] = []
    said: list[Part] = []
    for place, block in enumerate(blocks):
        kind = kinds[place] if place < len(kinds) else None
        (context if _is_context(block, kind) else said).extend(parts_of(block))
    if context:
        ids = (f"{message.ids[0]}/context",) if said else message.ids
        yield replace(message, speaker="system", ids=ids, parts=tuple(context), attachment=True, kind="context")
    if said:
        yield replace(message, parts=tuple(said))


def judged(part: Part, failed: Set[str]) -> Part:
    """Return a result with the text of an older output opened, and marked where its command failed."""
    if not isinstance(part, Result):
        return part
    text, wrong = _older_output(part.text) or (part.text, False)
    return replace(part, text=text, error=part.error or wrong or part.call in failed)


def completed(item: dict[str, Value]) -> Iterator[Part]:
    """Yield the parts of work that only an event tells of."""
    kind, name = str(item.get("type")), identity(item)
    if kind == "Plan":
        yield from (Text(text) for text in [plain(item.get("text"))] if text)
    elif kind == "CommandExecution":
        yield Call(kind, arguments(item.get("command")), name)
        if text := plain(item.get("aggregated_output")):
            yield Result(text, name, kind, number_of(item.get("exit_code")) != 0)
    elif kind == "McpToolCall":
        tool = ".".join(text for text in (plain(item.get("server")), plain(item.get("tool"))) if text)
        yield Call(tool, arguments(item.get("arguments")), name)
        if item.get("result") is not None or item.get("error") is not None:
            failed = item.get("error") is not None
            yield Result(result_text(item["error"] if failed else item["result"]), name, tool, failed)
    elif kind in {"FileChange", "WebSearch"}:
        yield Call(kind, arguments(item.get("changes" if kind == "FileChange" else "query")), name)


def identity(item: dict[str, Value]) -> str | None:
    """The id that a response item of the same work carries."""
    return plain(item.get("call_id")) or plain(item.get("id"))


def number_of(value: Value) -> int:
    """A whole number as it was parsed; 0 for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0


def _is_context(block: Value, kind: Value) -> bool:
    if isinstance(kind, str):
        return not kind.startswith("user.")
    text = block.get("text") if isinstance(block, dict) else block
    return isinstance(text, str) and _WRAPPED.match(text.strip()) is not None


def _older_output(text: str) -> tuple[str, bool] | None:
    """The text of an output that is JSON in a string, and whether its program failed."""
    if not text.startswith('{"'):
        return None
    try:
        held = parse(text)
    except ValueError:
        return None
    about = held.get("metadata") if isinstance(held, dict) else None
    if not isinstance(about, dict) or not isinstance(held.get("output"), str):
        return None
    return cleaned(held["output"]), number_of(about.get("exit_code")) != 0
