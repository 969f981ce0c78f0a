import asyncio
import email.utils
import json
import logging
import time
import traceback
from dataclasses import replace

import pytest

from app.adapters.chat.completions import ChatCompletions
from app.adapters.chat.completions import ChatServer as Server
from app.adapters.chat.wire import Prices
from app.documents.chat import ChatPrompt, ChatReply, ChatUsage
from app.errors import ChatModelUnavailable
from tests.fakes.chat_server import NOTE, ChatServer, chat_server, completion, in_turn, refusal
from tests.fakes.systemone_server import Received, Reply

KEY = "sk-very-secret-0123456789"
PROMPT = ChatPrompt(system="Write notes.", user="The document and its passage.", max_tokens=500)


def a_model(
    server: ChatServer,
    *,
    timeout: float = 5.0,
    concurrency: int = 4,
    key: str | None = KEY,
    prices: Prices | None = None,
) -> ChatCompletions:
    return ChatCompletions(
        Server(base_url=server.url, model="m-1", api_key=key, prices=prices),
        timeout_seconds=timeout,
        concurrency=concurrency,
        retry_pause=(0.01, 0.02),
    )


def ask(model: ChatCompletions, *prompts: ChatPrompt) -> list[ChatReply]:
    """Ask all at once."""

    async def ask_all() -> list[ChatReply]:
        try:
            return list(await asyncio.gather(*(model.complete(prompt) for prompt in prompts or (PROMPT,))))
        finally:
            await model.close()

    return asyncio.run(ask_all())


def failure(model: ChatCompletions, prompt: ChatPrompt = PROMPT) -> ChatModelUnavailable:
    with pytest.raises(ChatModelUnavailable) as caught:
        ask(model, prompt)
    return caught.value


def test_what_goes_over_the_wire() -> None:
    with chat_server() as server:
        ask(a_model(server))

    (request,) = server.received
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Write notes."},
            {"role": "user", "content": "The document and its passage."},
        ],
        "max_tokens": 500,
        "temperature": 0.0,
    }


def test_a_model_that_wants_the_limit_under_its_newer_name_gets_it() -> None:
    refused = refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")

    def script(received: Received, _number: int) -> Reply:
        return refused if "max_tokens" in received.body else completion()

    with chat_server(script) as server:
        first, second = ask(a_model(server, concurrency=1), PROMPT, PROMPT)

    assert (first.text, second.text) == (NOTE, NOTE)
    # Learned once: the second call begins with the newer name.
    limits = [name for request in server.received for name in request.body if name.startswith("max_")]
    assert limits == ["max_tokens", "max_completion_tokens", "max_completion_tokens"]
    assert (first.usage.requests, second.usage.requests) == (2, 1)


def test_what_a_caller_leaves_out_is_not_sent() -> None:
    with chat_server() as server:
        server.url += "/"
        ask(a_model(server, key=None), replace(PROMPT, model="m-2", temperature=None))

    (request,) = server.received
    assert request.path == "/v1/chat/completions"
    assert "authorization" not in request.headers
    assert "temperature" not in request.body
    assert request.body["model"] == "m-2"


def test_an_answer_with_what_it_took() -> None:
    with chat_server() as server:
        (reply,) = ask(a_model(server, prices=Prices(input=2.0, output=10.0)))

    # 1,000 tokens at 2 dollars and 40 at 10 dollars a million.
    usage = ChatUsage(requests=1, input_tokens=1000, output_tokens=40, cached_tokens=900, cost_usd=0.0024)
    assert reply == ChatReply(text=NOTE, finish_reason="stop", usage=usage)


def test_the_prices_of_one_model_say_nothing_of_another() -> None:
    with chat_server() as server:
        (reply,) = ask(a_model(server, prices=Prices(input=2.0, output=10.0)), replace(PROMPT, model="m-2"))

    assert reply.usage.cost_usd is None


def test_refusals_and_cut_answers_come_back_as_they_are() -> None:
    with chat_server(in_turn(completion(None, refusal="No."), completion("Half a", finish_reason="length"))) as server:
        refused, short = ask(a_model(server, concurrency=1), PROMPT, PROMPT)

    assert (refused.text, refused.refusal) == ("", "No.")
    assert (short.text, short.finish_reason) == ("Half a", "length")


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": "many"}, {"prompt_tokens": -3, "completion_tokens": True}]
)
def test_odd_usage_counts_as_nothing(usage: object) -> None:
    body = {"choices": [{"message": {"content": "A note."}}], "usage": usage}
    with chat_server(in_turn(Reply(body=json.dumps(body).encode()))) as server:
        (reply,) = ask(a_model(server))

    assert reply == ChatReply(text="A note.", finish_reason="", usage=ChatUsage(requests=1))


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"<html>busy</html>", b"null", b"[]", b'{"choices": []}', b'{"choices": [{}]}', b"[" * 100_000],
)
def test_what_is_no_completion_is_a_failure_and_is_not_paid_for_again(body: bytes) -> None:
    with chat_server(in_turn(Reply(body=body))) as server:
        error = failure(a_model(server))

    assert error.detail == "The chat model m-1 answered with something that is no chat completion."
    assert (len(server.received), error.requests, error.lasting) == (1, 1, False)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_what_may_change_is_tried_again(status: int) -> None:
    with chat_server(in_turn(refusal(status, "not now"), completion())) as server:
        (reply,) = ask(a_model(server))
    assert (reply.text, reply.usage.requests) == (NOTE, 2)

    with chat_server(in_turn(refusal(status, "not now"))) as server:
        error = failure(a_model(server))
    assert error.detail == f"The chat model m-1 answered {status}: not now."
    assert len(server.received) == error.requests == 4


@pytest.mark.parametrize(("status", "lasting"), [(400, False), (413, False), (422, False), (401, True), (404, True)])
def test_what_will_not_change_is_not_tried_again(status: int, lasting: bool) -> None:
    with chat_server(in_turn(refusal(status, "too long"))) as server:
        error = failure(a_model(server))

    assert (len(server.received), error.lasting) == (1, lasting)
    assert "too long" in error.detail


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry_after": "1"}, 1.0), ({"retry_after_ms": "300", "retry_after": "20"}, 0.3), ({"retry_after": "0"}, 0.0)],
)
def test_a_server_says_when_to_come_back(headers: dict[str, str], seconds: float) -> None:
    with chat_server(in_turn(refusal(429, "slow down", **headers), completion())) as server:
        ask(a_model(server))
    waited = server.received[1].at - server.received[0].at
    assert seconds <= waited < seconds + 0.9


def test_a_server_may_name_a_time_to_come_back() -> None:
    moment = email.utils.formatdate(time.time() + 2, usegmt=True)
    with chat_server(in_turn(refusal(503, "later", retry_after=moment), completion())) as server:
        ask(a_model(server))
    # The date has no fractions of a second.
    assert 0.9 <= server.received[1].at - server.received[0].at < 3


def test_a_pause_beyond_the_budget_is_not_waited_for() -> None:
    with chat_server(in_turn(refusal(429, "slow down", retry_after="3600"))) as server:
        assert "429" in failure(a_model(server)).detail
    assert len(server.received) == 1


@pytest.mark.parametrize("slow", [Reply(body=b"{}", delay=0.5), replace(completion(), dribble=0.05)])
def test_a_slow_answer_is_given_up_and_asked_for_again(slow: Reply) -> None:
    with chat_server(in_turn(slow, completion())) as server:
        (reply,) = ask(a_model(server, timeout=0.3))
    assert reply.usage.requests == 2


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": {"message": "No\\n such  \\ud800model."}}', ": No such ?model"),
        (b'{"error": "Busy"}', ": Busy"),
        (b'{"message": "Busy."}', ": Busy"),
        (b'{"detail": "Busy"}', ": Busy"),
        (b'{"detail": [1]}', ""),
        (b"<html>Busy</html>", ""),
        (b"", ""),
    ],
)
def test_a_servers_own_words_are_passed_on(body: bytes, words: str) -> None:
    with chat_server(in_turn(Reply(status=400, body=body))) as server:
        assert failure(a_model(server)).detail == f"The chat model m-1 answered 400{words}."


def test_long_words_are_cut() -> None:
    with chat_server(in_turn(refusal(400, "no " * 10_000))) as server:
        assert len(failure(a_model(server)).detail) == 400


def test_an_answer_of_impossible_length_is_not_read_to_its_end() -> None:
    with chat_server(in_turn(completion("x" * 5_000_000))) as server:
        assert "impossible length" in failure(a_model(server)).detail


def test_a_server_that_is_away() -> None:
    with chat_server() as server:
        model = a_model(server)
    assert failure(model).detail == "The chat model m-1 could not be reached (ConnectError)."


def test_no_redirect_is_followed() -> None:
    with chat_server() as elsewhere:
        moved = Reply(status=307, headers={"location": f"{elsewhere.url}/chat/completions"})
        with chat_server(in_turn(moved)) as server:
            assert "answered 307" in failure(a_model(server)).detail
    assert elsewhere.received == []


def test_only_so_many_calls_are_in_flight() -> None:
    with chat_server(in_turn(replace(completion(), delay=0.1))) as server:
        ask(a_model(server, concurrency=3), *[PROMPT] * 9)
    assert server.most_busy == 3


def test_the_key_and_the_prompt_are_nowhere_to_be_read(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("httpcore").setLevel(logging.INFO)  # as the service sets it, and stricter
    with chat_server(in_turn(refusal(401, f"Incorrect API key provided: {KEY}"))) as server:
        model = a_model(server)
        error = failure(model)

    seen = [*traceback.format_exception(error), repr(model), caplog.text, error.detail]
    assert "***" in error.detail
    assert not any(KEY in text or PROMPT.user in text for text in seen)
    assert KEY not in repr(Server(base_url="https://a", model="m", api_key=KEY))


@pytest.mark.parametrize("key", ["sk-ключ", "two words", "line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(ValueError, match="printable ASCII") as refused:
        ChatCompletions(Server(base_url="https://a", model="m", api_key=key), timeout_seconds=1, concurrency=1)
    assert key not in str(refused.value)
