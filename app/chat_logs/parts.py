"""Content parts of all vendors as `messages.Part` (conversations design, a.3 to a.11)."""

from collections.abc import Callable, Iterator, Mapping

from app.chat_logs.json_lines import Value, Written
from app.chat_logs.messages import Aside, Call, Part, Result, Text
from app.chat_logs.results import result_text
from app.chat_logs.texts import arguments, cleaned, placeholder, plain, unknown

_SAID = frozenset({"text", "input_text", "output_text", "summary_text", "refusal", "audio_transcription"})
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_NOTHING = frozenset(
    {
        *("redacted_thinking", "fallback", "tool_addition", "tool_removal", "container_upload", "step-start"),
        *("reasoning_recap", "user_editable_context", "model_editable_context"),
    }
)
_MEDIA = {
    **dict.fromkeys(("image", "image_url", "input_image", "image_file", "image_asset_pointer"), "image"),
    **dict.fromkeys(("audio", "input_audio", "audio_url", "audio_asset_pointer"), "audio"),
    "real_time_user_audio_video_asset_pointer": "audio",
    **dict.fromkeys(("video", "video_url", "input_video"), "video"),
    **dict.fromkeys(("file", "input_file", "document_url", "file_url"), "file"),
}
REASONING = "reasoning"


def parts_of(content: Value) -> Iterator[Part]:
    """Yield the parts of a message's content: a string, a block, or a list of them."""
    if isinstance(content, str) and not isinstance(content, Written):
        if text := cleaned(content):
            yield Text(text)
    elif isinstance(content, list):
        for block in content:
            yield from parts_of(block)
    elif isinstance(content, dict):
        yield from _typed(content, str(content.get("type") or "")) if content.get("type") else _keyed(content)


def reasoning(value: Value) -> Iterator[Part]:
    """Yield reasoning, a string or a list of chunks with text; blank reasoning gives nothing."""
    if text := _joined(value):
        yield Aside(text, REASONING)


def _typed(block: dict[str, Value], kind: str) -> Iterator[Part]:
    """Blocks that name what they are."""
    if kind in _SAID:
        if text := plain(block.get("text", block.get("refusal"))):
            yield Text(text)
    elif kind in {"thinking", REASONING}:
        yield from reasoning(block.get("thinking") or block.get("text") or block.get("summary") or block.get("content"))
    elif kind in _MEDIA:
        yield from _media(block, _MEDIA[kind])
    elif kind in _BESIDE:
        yield from _BESIDE[kind](block)
    elif kind in _CALLS:
        yield Call(_name(block), arguments(block.get("input")), _id(block.get("id")))
    elif kind == "tool_result" or kind.endswith("_tool_result"):
        yield _typed_result(block, kind)
    elif kind.startswith("tool-") or kind == "dynamic-tool":
        yield from _ui_tool(block, kind)
    elif kind not in _NOTHING:
        yield from _unknown(block)


def _typed_result(block: dict[str, Value], kind: str) -> Result:
    name = None if kind in {"tool_result", "mcp_tool_result"} else kind.removesuffix("_tool_result")
    failed = block.get("is_error") is True or block.get("status") == "error"
    return Result(
        result_text(block.get("content")), _id(block.get("tool_use_id")), plain(block.get("name")) or name, failed
    )


def _compaction(block: dict[str, Value]) -> Iterator[Part]:
    if text := plain(block.get("content", block.get("text"))):
        yield Aside(text, "summary")


def _search_result(block: dict[str, Value]) -> Iterator[Part]:
    told = [plain(block.get("title")), plain(block.get("source")), _joined(block.get("content"))]
    yield Aside("\n".join(text for text in told if text))


def _keyed(block: dict[str, Value]) -> Iterator[Part]:
    """Blocks without a type, known by their only member (Gemini, Bedrock)."""
    if isinstance(block.get("text"), str):
        if text := cleaned(block["text"]):
            yield Aside(text, REASONING) if block.get("thought") is True else Text(text)
        return
    for read in (_keyed_call, _keyed_result, _keyed_text, _keyed_media):
        if (found := read(block)) is not None:
            yield from found
            return
    if "cachePoint" not in block:
        yield from _unknown(block)


def _keyed_call(block: dict[str, Value]) -> list[Part] | None:
    if call := _first(block, "functionCall", "function_call", "toolUse", "toolCall"):
        name = _name(call) if call.get("name") else str(call.get("toolType") or "")
        given = call.get("args", call.get("input", call.get("arguments")))
        return [Call(name, arguments(given), _id(call.get("id") or call.get("toolUseId")))]
    if code := _first(block, "executableCode", "executable_code"):
        return [Call("code_execution", cleaned(str(code.get("code") or "")), _id(code.get("id")))]
    return None


def _keyed_result(block: dict[str, Value]) -> list[Part] | None:
    if done := _first(block, "codeExecutionResult", "code_execution_result"):
        failed = done.get("outcome") not in {None, "OUTCOME_OK"}
        return [Result(result_text(done.get("output")), _id(done.get("id")), "code_execution", failed)]
    if answer := _first(block, "functionResponse", "function_response", "toolResponse"):
        name = plain(answer.get("name")) or plain(answer.get("toolType"))
        media = [part for part in parts_of(answer.get("parts")) if isinstance(part, Aside)]
        return [Result(result_text(answer.get("response")), _id(answer.get("id")), name), *media]
    if result := _first(block, "toolResult"):
        failed = result.get("status") == "error"
        return [Result(result_text(result.get("content")), _id(result.get("toolUseId")), None, failed)]
    return None


def _keyed_text(block: dict[str, Value]) -> list[Part] | None:
    if thought := _first(block, "reasoningContent"):
        told = thought.get("reasoningText")
        return list(reasoning(told.get("text") if isinstance(told, dict) else None))
    spoken = _first(block, "audioTranscription", "citationsContent") or _guarded(block)
    return None if spoken is None else list(parts_of(spoken.get("text", spoken.get("content"))))


def _keyed_media(block: dict[str, Value]) -> list[Part] | None:
    if media := _first(block, "inlineData", "inline_data", "fileData", "file_data"):
        return [Aside(placeholder(media.get("mimeType") or media.get("mime_type"), _id(media.get("displayName"))))]
    held_kind = next((one for one in ("image", "audio", "video", "document") if one in block), None)
    if held_kind is None:
        return None
    held = block[held_kind]
    name = held.get("name") if isinstance(held, dict) and held_kind == "document" else None
    return [Aside(placeholder("file" if held_kind == "document" else held_kind, _id(name)))]


def _unknown(block: dict[str, Value]) -> Iterator[Part]:
    """An unknown block is text where it has some, else JSON that is kept beside (f.9)."""
    said = plain(block.get("text")) or plain(block.get("content"))
    yield Text(said) if said else Aside(unknown(block), "unknown")


def _document(block: dict[str, Value]) -> Iterator[Part]:
    source = block.get("source")
    title = plain(block.get("title")) or plain(block.get("name"))
    label = placeholder("file", title)
    if isinstance(source, dict) and source.get("type") == "text" and plain(source.get("data")):
        yield Aside(f"{label}\n{cleaned(source['data'])}")
    else:
        yield Aside(label)


def _media(block: dict[str, Value], kind: str) -> Iterator[Part]:
    spoken = plain((_first(block, "audio") or block).get("transcript"))
    if spoken:
        yield Text(spoken)
        return
    file = _first(block, "file") or block
    name = next((plain(file.get(key)) for key in ("filename", "file_name", "name") if plain(file.get(key))), None)
    yield Aside(placeholder(kind, name))


def _ui_tool(block: dict[str, Value], kind: str) -> Iterator[Part]:
    name = plain(block.get("toolName")) or kind.removeprefix("tool-")
    call = _id(block.get("toolCallId"))
    yield Call(name, arguments(block.get("input")), call)
    if block.get("output") is not None:
        yield Result(result_text(block["output"]), call, name)
    elif plain(block.get("errorText")):
        yield Result(cleaned(block["errorText"]), call, name, error=True)


def _guarded(block: dict[str, Value]) -> dict[str, Value] | None:
    guard = block.get("guardContent")
    held = guard.get("text") if isinstance(guard, dict) else None
    return held if isinstance(held, dict) else None


def _first(block: dict[str, Value], *names: str) -> dict[str, Value] | None:
    return next((block[name] for name in names if isinstance(block.get(name), dict)), None)


def _joined(value: Value) -> str:
    if isinstance(value, list):
        return "\n\n".join(text for text in map(_joined, value) if text)
    if isinstance(value, dict):
        return _joined(value.get("text", value.get("content")))
    return plain(value) or ""


def _name(call: dict[str, Value]) -> str:
    name, namespace = plain(call.get("name")) or "", plain(call.get("namespace"))
    return f"{namespace}.{name}" if namespace else name


def _id(value: Value) -> str | None:
    return str(value) if isinstance(value, str) and value else None


#: Blocks that stand beside what was said.
_BESIDE: Mapping[str, Callable[[dict[str, Value]], Iterator[Part]]] = {
    "compaction": _compaction,
    "document": _document,
    "search_result": _search_result,
}
