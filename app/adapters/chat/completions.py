"""A chat model on any server with OpenAI's `POST {base_url}/chat/completions`.

Nothing here lets a key or a prompt reach a log, an error or a repr.
"""

import asyncio
import email.utils
import re
import time
from dataclasses import dataclass, field
from http import HTTPStatus

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, stop_before_delay
from tenacity.wait import wait_random_exponential

from app.adapters.chat.wire import LIMIT, NEWER_LIMIT, Prices, error_words, read_reply, to_body
from app.documents.chat import ChatPrompt, ChatReply
from app.errors import ChatModelUnavailable

#: Attempts of one call, and seconds after which none is started any more.
ATTEMPTS = 4
RETRY_BUDGET = 120.0
#: Bytes of an answer that are read; a note takes a few thousand.
MAX_ANSWER_BYTES = 4_000_000
#: Characters of an error's detail; a server's own words can be long.
_DETAIL_CHARS = 400
_CONNECT_SECONDS = 10.0
_PRINTABLE = re.compile(r"[\x21-\x7e]+")
#: Statuses that another attempt may change.
_PASSING = frozenset({408, 409, 425, 429, *range(500, 600)})
#: Statuses that no other prompt would change: key, account, address or model's name are refused.
_LASTING = frozenset({401, 402, 403, 404, 405})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatServer:
    """A server, and the model to ask there."""

    base_url: str
    model: str
    #: None for servers that ask for none.
    api_key: str | None = field(default=None, repr=False)
    #: Of this model; None when they are not known.
    prices: Prices | None = None


class _Failed(Exception):
    """One attempt brought no answer."""

    def __init__(
        self, reason: str, *, passing: bool = False, lasting: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing
        self.lasting = lasting
        self.retry_after = retry_after


class ChatCompletions:
    """Satisfies `app.ports.chat_model.ChatModel`.

    Args:
        server: Where the model is.
        timeout_seconds: How long one request may take, reading its answer included.
        concurrency: Calls that this process keeps in flight, their pauses included: a server that asks for patience
            then gets it from all of them.
        retry_pause: First and longest pause before a retry, in seconds.

    Raises:
        ValueError: The key holds something other than printable ASCII.
    """

    def __init__(
        self,
        server: ChatServer,
        *,
        timeout_seconds: float,
        concurrency: int,
        retry_pause: tuple[float, float] = (0.5, 20.0),
    ) -> None:
        self._server = server
        self._key = (server.api_key or "").strip()
        if self._key and not _PRINTABLE.fullmatch(self._key):
            raise ValueError("The key of the chat model holds something other than printable ASCII.")
        self._timeout_seconds = timeout_seconds
        self._in_flight = asyncio.Semaphore(concurrency)
        self._backoff = wait_random_exponential(multiplier=retry_pause[0], max=retry_pause[1])
        # No redirect is followed: it would carry the document elsewhere.
        self._client = httpx.AsyncClient(
            headers={"authorization": f"Bearer {self._key}"} if self._key else {},
            timeout=httpx.Timeout(timeout_seconds, connect=min(_CONNECT_SECONDS, timeout_seconds), pool=None),
            follow_redirects=False,
        )
        #: Models whose server wants the newer name, learned from its refusal.
        self._newer: set[str] = set()
        self._url = f"{server.base_url.rstrip('/')}/chat/completions"

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        """See `ChatModel.complete`."""
        model = prompt.model or self._server.model
        requests = 0

        async def attempt() -> bytes:
            nonlocal requests
            requests += 1
            limit = NEWER_LIMIT if model in self._newer else LIMIT
            try:
                return await self._send(prompt, model, limit)
            except _Failed as error:
                if limit == NEWER_LIMIT or NEWER_LIMIT not in error.reason:
                    raise
                self._newer.add(model)
            requests += 1
            return await self._send(prompt, model, NEWER_LIMIT)

        try:
            async with self._in_flight:
                body: bytes = await self._retrying()(attempt)
        except _Failed as error:
            # Not chained: a server may repeat the key in its words, and a traceback would print them.
            raise self._unavailable(model, error, requests) from None
        prices = self._server.prices if model == self._server.model else None
        reply = read_reply(body, requests=requests, prices=prices)
        if reply is None:
            raise self._unavailable(model, _Failed("answered with something that is no chat completion"), requests)
        return reply

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _unavailable(self, model: str, error: _Failed, requests: int) -> ChatModelUnavailable:
        detail = f"The chat model {model} {error.reason}."
        if self._key:
            detail = detail.replace(self._key, "***")
        return ChatModelUnavailable(detail[:_DETAIL_CHARS], requests=requests, lasting=error.lasting)

    def _retrying(self) -> AsyncRetrying:
        return AsyncRetrying(
            stop=stop_after_attempt(ATTEMPTS) | stop_before_delay(RETRY_BUDGET),
            wait=self._pause,
            retry=retry_if_exception(lambda error: isinstance(error, _Failed) and error.passing),
            reraise=True,
        )

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        asked = error.retry_after if isinstance(error, _Failed) else None
        return self._backoff(state) if asked is None else asked

    async def _send(self, prompt: ChatPrompt, model: str, limit: str) -> bytes:
        """Send a request and read its answer whole, so that a server that dribbles can't hold a request for ever."""
        try:
            async with (
                asyncio.timeout(self._timeout_seconds),
                self._client.stream("POST", self._url, json=to_body(prompt, model, limit=limit)) as response,
            ):
                body = await _read(response)
        except (TimeoutError, httpx.TimeoutException):
            raise _Failed(f"did not answer within {self._timeout_seconds:g} s", passing=True) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _Failed(f"could not be reached ({type(error).__name__})", passing=True) from None
        if response.status_code == HTTPStatus.OK:
            return body
        raise _refusal(response, body)


async def _read(response: httpx.Response) -> bytes:
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > MAX_ANSWER_BYTES:
            raise _Failed("answered at impossible length")
    return bytes(body)


def _refusal(response: httpx.Response, body: bytes) -> _Failed:
    status = response.status_code
    words = error_words(body)
    return _Failed(
        f"answered {status}{': ' + words.rstrip('.') if words else ''}",
        passing=status in _PASSING,
        lasting=status in _LASTING,
        retry_after=_retry_after(response.headers),
    )


def _retry_after(headers: httpx.Headers) -> float | None:
    """Return the seconds that a server asks to wait, from either header and in either form (RFC 9110, 10.2.3)."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value.replace(".", "", 1).isdecimal():
            return float(value) / scale
    try:
        until = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, until.timestamp() - time.time())
