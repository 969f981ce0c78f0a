"""Chat completions on the wire: the body of a request, and what an answer says (chunking design, "Contextualize").

Servers that call themselves compatible differ in what they leave out, so only what a note needs is asked of an answer.
"""

import json
from dataclasses import dataclass
from typing import Any

from app.documents.chat import ChatPrompt, ChatReply, ChatUsage
from app.text.whitespace import squash


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, in US dollars."""

    input: float
    output: float


#: What the limit of an answer's length is called: by most servers, and by OpenAI's of models that reason.
LIMIT, NEWER_LIMIT = "max_tokens", "max_completion_tokens"


def to_body(prompt: ChatPrompt, model: str, *, limit: str = LIMIT) -> dict[str, Any]:
    """Return the JSON body that asks a model; `limit` is what the server calls the limit of an answer's length."""
    body = {
        "model": model,
        "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
        limit: prompt.max_tokens,
    }
    return body if prompt.temperature is None else {**body, "temperature": prompt.temperature}


def read_reply(body: bytes, *, requests: int, prices: Prices | None) -> ChatReply | None:
    """Return the answer of a body, or None when it is none; a missing text is an empty one."""
    try:
        match json.loads(body):
            case {"choices": [{"message": dict(message), **choice}, *_], **rest}:
                return ChatReply(
                    text=_text(message.get("content")),
                    finish_reason=_text(choice.get("finish_reason")),
                    refusal=_text(message.get("refusal")),
                    usage=_usage(rest.get("usage"), requests, prices),
                )
    except (ValueError, RecursionError):
        return None
    return None


def error_words(body: bytes) -> str:
    """Return what a server says went wrong, in the places where servers put it; "" when it says nothing readable."""
    try:
        match json.loads(body):
            case {"error": {"message": str(words)}} | {"error": str(words)} | {"message": str(words)}:
                return _printable(words)
            case {"detail": str(words)}:
                return _printable(words)
    except (ValueError, RecursionError):
        return ""
    return ""


def _printable(words: str) -> str:
    # An unpaired surrogate could not be passed on.
    return squash(words.encode("utf-8", "replace").decode())


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _usage(value: object, requests: int, prices: Prices | None) -> ChatUsage:
    usage = value if isinstance(value, dict) else {}
    details = usage.get("prompt_tokens_details")
    received, sent = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    return ChatUsage(
        requests=requests,
        input_tokens=received,
        output_tokens=sent,
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, dict) else 0,
        cost_usd=None if prices is None else (received * prices.input + sent * prices.output) / 1_000_000,
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
