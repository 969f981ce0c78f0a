"""The hosted decision model: Jev, or any server that speaks System One, through the official client.

The client validates, retries and waits as decisions design, "The wire", asks. Limits stand in the transport, where its
retries pass too. Nothing here lets a key or a passage reach a log, an error or a repr.
"""

import asyncio
import logging
import urllib.request
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic import BaseModel
from typesafe_sdk import (
    AsyncTypeSafeClient,
    RetryPolicy,
    TypeSafeAPIError,
    TypeSafeAPIResponseValidationError,
    TypeSafeError,
)

from app.adapters.decisions.rate_limit import RateLimit
from app.adapters.decisions.wire import read_answer, to_json
from app.documents.decision import DecisionBatch, Question, SharedState
from app.errors import DecisionModelUnavailable

_log = logging.getLogger(__name__)

#: Seconds that one call may take with its retries and pauses.
RETRY_BUDGET = 30.0
_SYSTEM_ONE_PATH = "/v1/systemone"
#: Characters of an error's detail; a server's own words can be long.
_DETAIL_CHARS = 400
#: Loggers of the client and its transport, which write bodies and headers at debug.
_CHATTY_LOGGERS = ("typesafe_sdk", "httpx2", "httpcore2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A server that speaks the protocol, and the model to ask there."""

    base_url: str
    model: str
    #: Where questions go instead of `/v1/systemone`, or None.
    path: str | None = None


PROVIDERS: Mapping[str, Provider] = {
    "typesafe": Provider(base_url="https://api.typesafe.ai", model="jev-latest"),
    "openrouter": Provider(base_url="https://openrouter.ai", model="typesafe/jev-1.13", path="/api/alpha/decisions"),
}


class _Counter:
    """Requests sent for one call, retries included."""

    def __init__(self) -> None:
        self.value = 0


_requests_sent: ContextVar[_Counter] = ContextVar("requests_sent")


class _Response(BaseModel):
    """The envelope of answers. Each is checked on its own later, so that a bad one spoils no other."""

    answers: dict[str, Any]
    model: Any = None
    usage: Any = None


class _Transport(httpx2.AsyncBaseTransport):
    """Sends each request in its turn, within its time, to the provider's path."""

    def __init__(
        self, inner: httpx2.AsyncBaseTransport, *, path: str | None, timeout_seconds: float, rate_limit: RateLimit
    ) -> None:
        self._inner = inner
        self._path = path
        self._timeout_seconds = timeout_seconds
        self._rate_limit = rate_limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and read its answer whole, so that a server that dribbles can't hold a request for ever."""
        await self._rate_limit.wait()
        _requests_sent.get().value += 1
        if self._path is not None:
            path = request.url.path.removesuffix(_SYSTEM_ONE_PATH) + self._path
            request.url = request.url.copy_with(path=path)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                response = await self._inner.handle_async_request(request)
                await response.aread()
        except TimeoutError:
            raise httpx2.ReadTimeout("The answer took too long.", request=request) from None
        _log.debug(
            "decision model answered %s, request id %s",
            response.status_code,
            response.headers.get("x-typesafe-request-id"),
        )
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


class HostedDecisionModel:
    """Asks a server for answers.

    Args:
        provider: Where the server is and which model it serves.
        api_key: Sent as the bearer key.
        timeout_seconds: How long one request may take, reading its answer included.
        concurrency: Calls that this process keeps in flight.
        rate_limit: Asked before every request; closed with this adapter.
        retry_pause: First and longest pause before a retry, in seconds.

    Raises:
        ValueError: The base URL is none.
        TypeSafeError: The key is empty or holds something other than printable ASCII.
    """

    cacheable = True
    offline = False

    def __init__(
        self,
        provider: Provider,
        *,
        api_key: str,
        timeout_seconds: float,
        concurrency: int,
        rate_limit: RateLimit,
        retry_pause: tuple[float, float] = (0.5, 5.0),
    ) -> None:
        self.name = provider.model
        self._rate_limit = rate_limit
        self._in_flight = asyncio.Semaphore(concurrency)
        self._key = api_key.strip()
        transport = _Transport(
            httpx2.AsyncHTTPTransport(proxy=_proxy_for(provider.base_url)),
            path=provider.path,
            timeout_seconds=timeout_seconds,
            rate_limit=rate_limit,
        )
        _keep_bodies_out_of_logs()
        self._client = AsyncTypeSafeClient(
            api_key=api_key,
            base_url=provider.base_url,
            model=provider.model,
            timeout=timeout_seconds,
            retry=RetryPolicy(
                max_retries=2, backoff_initial=retry_pause[0], backoff_max=retry_pause[1], timeout=RETRY_BUDGET
            ),
            transport=transport,
            # Other servers of this protocol need not understand compressed bodies.
            compression=False,
        )

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        """See `DecisionModel.answer`."""
        state = SharedState()
        wires = [question.render(state) for question in questions]
        named = {f"q{number}": to_json(wire) for number, wire in enumerate(wires)}
        async with self._in_flight:
            response, requests = await self._call(state, named)
        return DecisionBatch(
            answers=tuple(
                read_answer(wire, response.answers.get(name)) for name, wire in zip(named, wires, strict=True)
            ),
            model=response.model if isinstance(response.model, str) and response.model else self.name,
            input_tokens=_input_tokens(response.usage),
            requests=requests,
        )

    async def close(self) -> None:
        """Close the connections to the server and to whoever keeps the rate."""
        await self._client.aclose()
        await self._rate_limit.close()

    async def _call(self, state: SharedState, questions: Mapping[str, Any]) -> tuple[_Response, int]:
        counter = _Counter()
        token = _requests_sent.set(counter)
        try:
            response = await self._client.system_one(state.as_json(), questions, response_model=_Response)
        except TypeSafeError as error:
            # Not chained: a server may repeat the key in its words, and a traceback would print them.
            raise DecisionModelUnavailable(self._describe(error)) from None
        finally:
            _requests_sent.reset(token)
        return response, counter.value

    def _describe(self, error: TypeSafeError) -> str:
        match error:
            case TypeSafeAPIResponseValidationError():
                what = f"answered {error.status} with something that is no System One answer"
            case TypeSafeAPIError():
                what = f"refused: {error}"
            case _:
                what = f"did not answer: {error}"
        return f"The decision model {self.name} {what}".replace(self._key, "***")[:_DETAIL_CHARS]


def _input_tokens(usage: object) -> int:
    tokens = usage.get("input_tokens") if isinstance(usage, dict) else None
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens > 0 else 0


def _proxy_for(base_url: str) -> str | None:
    """Return the proxy that the environment names for a server. A transport of one's own is not given it by httpx2."""
    url = httpx2.URL(base_url)
    if url.scheme not in {"http", "https"} or not url.host:
        raise ValueError("The base URL of the decision model must start with http:// or https:// and name a host.")
    proxies = urllib.request.getproxies()
    if urllib.request.proxy_bypass(url.host):
        return None
    return proxies.get(url.scheme) or proxies.get("all")


def _keep_bodies_out_of_logs() -> None:
    """Hold the client's loggers at `info`: at `debug` they write bodies, with passages and a server's own words."""
    for name in _CHATTY_LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.INFO))
