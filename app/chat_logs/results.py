"""What tools gave back, as text (conversations design, a.3)."""

from app.chat_logs.json_lines import Value
from app.chat_logs.texts import cleaned, compact, placeholder, plain

_TEXTS = frozenset({"text", "input_text", "output_text"})
_MEDIA = ("image", "audio", "video", "document", "file")


def result_text(value: Value) -> str:
    """Return a result as text: what only carries a text is opened, other JSON is in one line."""
    if value is None:
        return ""
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, list):
        return "\n\n".join(text for text in map(_item, value) if text)
    if isinstance(value, dict):
        carried = _carried(value)
        return compact(value) if carried is None else carried
    return compact(value)


def _item(value: Value) -> str:
    """One of several items of a result."""
    if not isinstance(value, dict):
        return result_text(value)
    kind = value.get("type")
    if isinstance(value.get("text"), str) and (kind is None or kind in _TEXTS):
        return cleaned(value["text"])
    if kind == "tool_reference":
        return f"[tool: {value.get('tool_name')}]"
    if kind is None and "json" in value:
        return compact(value["json"])
    return _typed_item(value, kind if isinstance(kind, str) else "")


def _typed_item(value: dict[str, Value], kind: str) -> str:
    held = value.get("document")
    if kind == "document" and isinstance(held, dict) and "data" in held:
        return result_text(held["data"])
    if kind.endswith("_search_result"):
        return "\n".join(str(value[key]) for key in ("title", "url") if isinstance(value.get(key), str))
    media = next((one for one in _MEDIA if one in value or one in kind), None)
    if media is None:
        return result_text(value)
    named = value.get(media)
    name = named.get("name") if isinstance(named, dict) else None
    return placeholder(media, name if isinstance(name, str) else None)


def _carried(value: dict[str, Value]) -> str | None:
    """The text that an object only carries, or None when it says more."""
    members = set(value)
    if members and members <= {"stdout", "stderr", "exit_code", "interrupted", "outcome", "isImage", "return_code"}:
        return "\n".join(text for text in (plain(value.get("stdout")), plain(value.get("stderr"))) if text)
    for carrier in ("output", "error"):
        if members == {carrier} and isinstance(value[carrier], str):
            return cleaned(value[carrier])
    if members == {"content"}:
        return result_text(value["content"])
    kind = value.get("type")
    if isinstance(kind, str) and kind.endswith("_result"):
        if any(name in value for name in ("stdout", "stderr")):
            return "\n".join(text for text in (plain(value.get("stdout")), plain(value.get("stderr"))) if text)
        held = value.get("content", value.get("text"))
        return None if held is None else _media_or_text(held)
    return None


def _media_or_text(held: Value) -> str:
    source = held.get("source") if isinstance(held, dict) else None
    if isinstance(source, dict):
        return cleaned(source["data"]) if source.get("type") == "text" else placeholder(source.get("media_type"))
    return result_text(held)
