"""Items of OpenAI's Responses and of logs made of them (conversations design, a.4)."""

from collections.abc import Iterator

from app.chat_logs.generic import message_of
from app.chat_logs.json_lines import Value
from app.chat_logs.messages import Aside, Call, Message, Part, Result
from app.chat_logs.parts import reasoning
from app.chat_logs.results import result_text
from app.chat_logs.texts import arguments, plain

_NOTHING = frozenset({"compaction", "item_reference", "additional_tools", "mcp_list_tools", "compaction_trigger"})
_ARGUMENTS = ("arguments", "input", "action", "code", "operation", "queries", "actions")


def is_responses_item(item: dict[str, Value]) -> bool:
    """True for an item that is not a message."""
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    named = kind.endswith(("_call", "_call_output")) or kind in {"program", "program_output", "tool_search_output"}
    return named or kind in _NOTHING or (kind == "reasoning" and "role" not in item)


def responses_message(item: dict[str, Value], position: int) -> Message | None:
    """Return the message of an item, or None for bookkeeping."""
    if not is_responses_item(item):
        return message_of(item, position)
    kind = str(item["type"])
    output = kind.endswith("_output")
    parts = () if kind in _NOTHING else tuple(_parts(item, kind))
    if not parts:
        return None
    own = plain(item.get("id"))
    return Message(
        speaker="tool" if output else "assistant",
        ids=(own or str(position),),
        parts=parts,
        time=plain(item.get("time")),
    )


def _parts(item: dict[str, Value], kind: str) -> Iterator[Part]:
    call = plain(item.get("call_id")) or plain(item.get("id"))
    if kind == "reasoning":
        yield from reasoning(item.get("summary") or item.get("content"))
    elif kind.endswith("_output"):
        text, failed = _output(item.get("output", item.get("result", item.get("tools"))))
        yield Result(text, call, None, failed or bool(item.get("error")))
    elif kind == "image_generation_call":
        yield Call("image_generation", arguments(item.get("revised_prompt")), call)
        yield Aside("[image]")
    else:
        given = next((item[name] for name in _ARGUMENTS if item.get(name) is not None), None)
        yield Call(_name(item, kind), arguments(given), call)
        yield from _inside(item, kind, call)


def _inside(item: dict[str, Value], kind: str, call: str | None) -> Iterator[Part]:
    """Results that a call holds itself."""
    if kind == "code_interpreter_call" and isinstance(item.get("outputs"), list):
        logs = [one.get("logs") for one in item["outputs"] if isinstance(one, dict)]
        if text := "\n\n".join(text for text in map(plain, logs) if text):
            yield Result(text, call)
    elif kind == "file_search_call" and isinstance(item.get("results"), list):
        found = [one.get("text") for one in item["results"] if isinstance(one, dict)]
        if text := "\n\n".join(text for text in map(plain, found) if text):
            yield Result(text, call)
    elif kind == "mcp_call" and (item.get("output") is not None or item.get("error")):
        yield Result(result_text(item.get("output") or item.get("error")), call, None, bool(item.get("error")))


def _name(item: dict[str, Value], kind: str) -> str:
    name, namespace = plain(item.get("name")) or kind.removesuffix("_call"), plain(item.get("namespace"))
    return f"{namespace}.{name}" if namespace else name


def _output(value: Value) -> tuple[str, bool]:
    """The text of an output, and whether a program in it failed."""
    if isinstance(value, list) and value and all(isinstance(one, dict) and "stdout" in one for one in value):
        texts = [plain(one.get(name)) for one in value for name in ("stdout", "stderr")]
        return "\n".join(text for text in texts if text), any(_failed(one.get("outcome")) for one in value)
    if isinstance(value, dict) and isinstance(value.get("image_url"), str):
        return "[image]", False
    return result_text(value), False


def _failed(outcome: Value) -> bool:
    return isinstance(outcome, dict) and str(outcome.get("exit_code", "0")) != "0"
