"""Texts of chat logs as they are stored, and JSON in one line (conversations design, a.3 and f)."""

import json
import re
from collections.abc import Iterator
from typing import Any

from app.chat_logs.json_lines import Value, Written

#: Members that say nothing to a reader, at any depth.
_LEFT_OUT = frozenset({"encrypted_content", "signature", "thoughtSignature", "thought_signature", "fingerprint"})
#: Members that hold bytes in an object that has a media type, or a type of media or resource.
_PAYLOADS = frozenset({"data", "blob", "bytes", "b64_json", "image_url"})
_MEDIA_TYPE = ("media_type", "mimeType", "mime_type", "mediaType")
_MEDIA_KINDS = re.compile(r"image|audio|video|file|base64|media|resource|document|blob", re.IGNORECASE)
_DATA_URL = re.compile(r"data:(?P<type>[\w.+-]+)/[\w.+-]+(?:;[\w=.+-]+)*;base64,[A-Za-z0-9+/=_-]+")
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{1024,}+={0,2}")
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")
_UNKNOWN_CHARS = 2_000


def cleaned(text: str) -> str:
    """Return a text without bytes written as text, with plain line ends, trimmed."""
    text = _LINE_END.sub("\n", text) if "\r" in text else text
    if "base64," in text:
        text = _DATA_URL.sub(lambda match: "[image]" if match["type"] == "image" else "[file]", text)
    if len(text) >= 1024:  # noqa: PLR2004 - shorter than a run
        text = _BASE64_RUN.sub(_counted, text)
    return _NO_TEXT.sub("\ufffd", text).strip()


def plain(value: Value) -> str | None:
    """Return a string as it is stored, or None when the value is none or blank."""
    return (cleaned(value) or None) if isinstance(value, str) and not isinstance(value, Written) else None


def compact(value: Value) -> str:
    """Return JSON in one line, members in order, without signatures and payloads."""
    return "".join(_written(value))


def unknown(value: Value) -> str:
    """Return something of an unknown shape, cut to a length that does no harm."""
    return compact(value)[:_UNKNOWN_CHARS]


def arguments(value: Value) -> str:
    """Return the arguments of a call: compact JSON, also of JSON in a string; any other string as it is."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return compact(value)
    try:
        inner = json.loads(value, parse_int=Written, parse_float=Written, parse_constant=Written)
    except (ValueError, RecursionError):
        return cleaned(value)
    return compact(inner) if isinstance(inner, dict | list) else cleaned(value)


def placeholder(media_type: object, name: str | None = None) -> str:
    """Return what stands for media: `[image]`, `[audio]`, `[video]`, `[file: name]` or `[file]`."""
    kind = str(media_type or "").lower()
    for known in ("image", "audio", "video"):
        if known in kind:
            return f"[{known}]"
    return f"[file: {name}]" if name else "[file]"


def _written(value: Value) -> Iterator[str]:
    if isinstance(value, dict):
        yield "{"
        first = True
        for name, member in value.items():
            if name in _LEFT_OUT:
                continue
            yield ("" if first else ",") + json.dumps(name, ensure_ascii=False) + ":"
            first = False
            yield from _written(_without_payload(value, name, member))
        yield "}"
    elif isinstance(value, list):
        yield "["
        for place, member in enumerate(value):
            yield "," if place else ""
            yield from _written(member)
        yield "]"
    elif isinstance(value, Written):
        yield str(value)
    elif isinstance(value, str):
        yield json.dumps(cleaned_inside(value), ensure_ascii=False)
    else:
        yield json.dumps(value)


def cleaned_inside(text: str) -> str:
    """Return a text inside JSON: as `cleaned`, with its ends and line ends kept."""
    if "base64," in text:
        text = _DATA_URL.sub(lambda match: "[image]" if match["type"] == "image" else "[file]", text)
    if len(text) >= 1024:  # noqa: PLR2004 - shorter than a run
        text = _BASE64_RUN.sub(_counted, text)
    return _NO_TEXT.sub("\ufffd", text)


def _without_payload(holder: dict[str, Any], name: str, member: Value) -> Value:
    if name not in _PAYLOADS or not isinstance(member, str):
        return member
    media = next((holder[key] for key in _MEDIA_TYPE if isinstance(holder.get(key), str)), None)
    kind = holder.get("type")
    if media is None and not (isinstance(kind, str) and _MEDIA_KINDS.search(kind)):
        return member
    return placeholder(media or kind)


def _counted(match: re.Match[str]) -> str:
    return f"[binary data: {len(match[0]) * 3 // 4} bytes]"
