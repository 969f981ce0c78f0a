import asyncio
import json
import logging
import traceback
from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.adapters.decisions.hosted import PROVIDERS, HostedDecisionModel
from app.adapters.decisions.rate_limit import ProcessRateLimit
from app.chunking.questions import ContinuesSubject
from app.documents.decision import Choice, DecisionBatch, Question, YesNo
from app.errors import DecisionModelUnavailable
from app.retrieval.questions import Answers, BestPassage
from tests.fakes.systemone_server import Reply, SystemOneServer, answers, systemone_server

KEY = "sk-very-secret-0123456789"
YES = {"type": "noul", "noul": 0.93}
SEAM = ContinuesSubject(first="Refunds take ten days.", second="Shipping is free.")


def ask(
    server: SystemOneServer,
    questions: Sequence[Question] = (SEAM,),
    *,
    provider: str = "typesafe",
    timeout: float = 5.0,
) -> DecisionBatch:
    async def ask_once() -> DecisionBatch:
        model = hosted(server, provider=provider, timeout=timeout)
        try:
            return await model.answer(questions)
        finally:
            await model.close()

    return asyncio.run(ask_once())


def hosted(
    server: SystemOneServer,
    *,
    provider: str = "typesafe",
    timeout: float = 5.0,
    per_second: float = 1000.0,
    concurrency: int = 4,
) -> HostedDecisionModel:
    return HostedDecisionModel(
        replace(PROVIDERS[provider], base_url=server.url),
        api_key=KEY,
        timeout_seconds=timeout,
        concurrency=concurrency,
        rate_limit=ProcessRateLimit(per_second),
        retry_pause=(0.01, 0.02),
    )


def test_what_goes_over_the_wire() -> None:
    questions = [
        Answers(question="How long do refunds take?", passage="Refunds take ten days."),
        Answers(question="How long do refunds take?", passage="Shipping is free."),
        BestPassage(question="How long do refunds take?", passages=("Refunds take ten days.", "Shipping is free.")),
    ]
    with systemone_server() as server:
        ask(server, questions)

    (request,) = server.received
    assert request.path == "/v1/systemone"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["model"] == "jev-latest"
    assert request.body["state"] == {
        "questions": {"question_0": "How long do refunds take?"},
        "passages": {"passage_0": "Refunds take ten days.", "passage_1": "Shipping is free."},
    }
    asked = request.body["questions"]
    assert list(asked) == ["q0", "q1", "q2"]
    assert asked["q0"]["type"] == "noul"
    assert "passages.passage_0" in asked["q0"]["instructions"]
    assert "passages.passage_1" in asked["q1"]["instructions"]
    assert set(asked["q0"]["criteria"]) == {"true", "false"}
    assert asked["q2"]["type"] == "choice"
    assert asked["q2"]["criteria"] == {"passage_0": None, "passage_1": None}
    assert set(asked["q2"]) == {"type", "instructions", "criteria"}


def test_answers_come_back_in_the_questions_own_labels() -> None:
    best = BestPassage(question="Which?", passages=("a", "b"))
    chosen = {
        "type": "choice",
        "choice": "passage_1",
        "confidence": 0.7,
        "probabilities": {"passage_0": 0.3, "passage_1": 0.7},
    }
    with systemone_server(Reply(body=answers(q0=chosen, q1=YES))) as server:
        batch = ask(server, [best, SEAM])

    assert batch.answers == (Choice(label="1", confidence=0.7, probabilities={"0": 0.3, "1": 0.7}), YesNo(0.93))
    assert batch.model == "jev-1.13.0"
    assert batch.input_tokens == 120
    assert batch.requests == 1
    assert not batch.offline


def test_openrouter_gets_the_same_body_at_its_own_path() -> None:
    with systemone_server() as server:
        batch = ask(server, provider="openrouter")

    (request,) = server.received
    assert request.path == "/api/alpha/decisions"
    assert request.body["model"] == "typesafe/jev-1.13"
    assert batch.answers == (YesNo(0.9),)


def test_a_base_url_may_have_a_path() -> None:
    with systemone_server() as server:
        server.url += "/proxy/"
        ask(server)
        ask(server, provider="openrouter")

    assert [request.path for request in server.received] == ["/proxy/v1/systemone", "/proxy/api/alpha/decisions"]


def test_a_bad_yes_or_no_is_no_answer_and_spoils_no_other() -> None:
    bad: list[object] = [
        {"type": "choice", "choice": "true", "confidence": 1.0, "probabilities": {}},
        {"type": "noul"},
        {"type": "noul", "noul": "0.9"},
        {"type": "noul", "noul": True},
        {"type": "noul", "noul": None},
        {"type": "noul", "noul": 1.01},
        {"type": "noul", "noul": -0.01},
        {"type": "noul", "noul": float("nan")},
        {"type": "noul", "noul": float("inf")},
        {"noul": 0.9},
        "yes",
        0.9,
        None,
        [],
    ]
    body = answers(**{f"q{number}": answer for number, answer in enumerate([*bad, YES])})
    with systemone_server(Reply(body=body)) as server:
        batch = ask(server, [replace(SEAM, second=str(number)) for number in range(len(bad) + 1)])

    assert batch.answers == (*[None] * len(bad), YesNo(0.93))


def test_a_bad_choice_is_no_answer_and_spoils_no_other() -> None:
    shares = {"passage_0": 0.5, "passage_1": 0.5}
    sound = {"type": "choice", "choice": "passage_0", "confidence": 0.5, "probabilities": shares}
    bad: list[dict[str, object]] = [
        {"choice": "passage_2"},
        {"choice": None},
        {"choice": ["passage_0"]},
        {"confidence": 2},
        {"confidence": None},
        {"probabilities": {"passage_0": 0.5, "elsewhere": 0.5}},
        {"probabilities": {"passage_0": "most"}},
        {"probabilities": [0.5, 0.5]},
        {"probabilities": None},
        {"type": "noul"},
        {"type": "essay"},
    ]
    body = answers(**{f"q{number}": sound | wrong for number, wrong in enumerate([*bad, {}])})
    with systemone_server(Reply(body=body)) as server:
        batch = ask(server, [BestPassage(question="Which?", passages=("a", "b"))] * (len(bad) + 1))

    assert batch.answers == (*[None] * len(bad), Choice(label="0", confidence=0.5, probabilities={"0": 0.5, "1": 0.5}))


def test_a_question_that_the_answer_leaves_out_has_none() -> None:
    with systemone_server(Reply(body=answers(q1=YES, q7=YES))) as server:
        batch = ask(server, [SEAM, replace(SEAM, second="Another."), replace(SEAM, second="A third.")])

    assert batch.answers == (None, YesNo(0.93), None)


@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": "many"}, {"input_tokens": -3}, []])
def test_odd_usage_counts_as_nothing(usage: object) -> None:
    body = json.dumps({"answers": {"q0": YES}, "usage": usage}).encode()
    with systemone_server(Reply(body=body)) as server:
        batch = ask(server)

    assert batch.answers == (YesNo(0.93),)
    assert batch.input_tokens == 0
    assert batch.model == "jev-latest"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"<html>busy</html>", b"[]", b"null", b'{"model": "jev"}', b'{"answers": []}', b"\xff\xfe", b"NaN"],
)
def test_a_body_that_is_no_answer_means_unavailable(body: bytes) -> None:
    with (
        systemone_server(Reply(body=body)) as server,
        pytest.raises(DecisionModelUnavailable, match="jev-latest answered 200"),
    ):
        ask(server)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_will_not_change_is_not_tried_again(status: int) -> None:
    body = b'{"detail": [{"loc": ["body", "questions"], "msg": "too many"}]}'
    unavailable = pytest.raises(DecisionModelUnavailable, match=rf"{status}.*questions: too many")
    with systemone_server(Reply(status=status, body=body)) as server, unavailable:
        ask(server)
    assert len(server.received) == 1


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_may_change_is_tried_twice_more(status: int) -> None:
    unavailable = pytest.raises(DecisionModelUnavailable, match=rf"{status} not now")
    with systemone_server(Reply(status=status, body=b'{"error": "not now"}')) as server, unavailable:
        ask(server)
    assert len(server.received) == 3


def test_a_retry_that_is_answered_is_an_answer_and_is_counted() -> None:
    with systemone_server(Reply(status=500), Reply()) as server:
        batch = ask(server)
    assert batch.answers == (YesNo(0.9),)
    assert batch.requests == 2


@pytest.mark.parametrize("headers", [{"retry-after": "1"}, {"retry-after-ms": "300", "retry-after": "20"}])
def test_a_server_says_when_to_come_back(headers: dict[str, str]) -> None:
    with systemone_server(Reply(status=429, headers=headers), Reply()) as server:
        ask(server)
    waited = server.received[1].at - server.received[0].at
    assert waited >= (0.3 if "retry-after-ms" in headers else 1.0)


def test_a_pause_beyond_the_budget_is_not_waited_for() -> None:
    unavailable = pytest.raises(DecisionModelUnavailable, match="429")
    with systemone_server(Reply(status=429, headers={"retry-after": "3600"})) as server, unavailable:
        ask(server)
    assert len(server.received) == 1


@pytest.mark.parametrize("slow", [Reply(delay=0.6), Reply(dribble=0.05)], ids=["silent", "dribbling"])
def test_a_slow_server_is_given_its_time_and_no_more(slow: Reply) -> None:
    with systemone_server(slow) as server, pytest.raises(DecisionModelUnavailable, match="timed out"):
        ask(server, timeout=0.2)
    assert len(server.received) == 3


def test_a_server_that_is_not_there() -> None:
    with systemone_server() as server:
        pass
    with pytest.raises(DecisionModelUnavailable, match="did not answer: Connection error"):
        ask(server)


def test_a_text_that_is_no_unicode_is_not_sent() -> None:
    with systemone_server() as server, pytest.raises(DecisionModelUnavailable, match="could not be encoded"):
        ask(server, [ContinuesSubject(first="\ud800", second="b")])
    assert server.received == []


def test_only_so_many_calls_are_in_flight() -> None:
    async def ask_ten(server: SystemOneServer) -> None:
        model = hosted(server, concurrency=3)
        try:
            await asyncio.gather(*(model.answer([SEAM]) for _ in range(10)))
        finally:
            await model.close()

    with systemone_server(Reply(delay=0.02)) as server:
        asyncio.run(ask_ten(server))
    assert len(server.received) == 10
    assert server.most_busy == 3


def test_retries_wait_for_their_turn_too() -> None:
    # Ten a second with a burst of a quarter of a second: the first three go at once, the others 0.1 s apart.
    async def ask_two(server: SystemOneServer) -> None:
        model = hosted(server, per_second=10.0)
        try:
            await asyncio.gather(*(model.answer([SEAM]) for _ in range(2)), return_exceptions=True)
        finally:
            await model.close()

    with systemone_server(Reply(status=500)) as server:
        asyncio.run(ask_two(server))
    times = sorted(request.at for request in server.received)
    assert len(times) == 6
    assert times[-1] - times[0] >= 0.2


@pytest.mark.parametrize(
    "reply",
    [
        Reply(),
        Reply(status=401, body=f'{{"error": "unknown key {KEY}"}}'.encode(), headers={"x-echo": KEY}),
        Reply(status=500, body=f"Bearer {KEY}".encode()),
        Reply(body=f'{{"key": "{KEY}"}}'.encode()),
        Reply(delay=0.3),
    ],
    ids=["answered", "refused", "broken", "malformed", "slow"],
)
def test_the_key_shows_nowhere(reply: Reply, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    shown = []
    with systemone_server(reply) as server:
        model = hosted(server)
        shown += [repr(model), str(model)]
        try:
            ask(server, timeout=0.2)
        except DecisionModelUnavailable as error:
            shown += [error.detail, repr(error), "".join(traceback.format_exception(error))]
        asyncio.run(model.close())

    assert KEY not in "".join(shown)
    assert KEY not in caplog.text
    assert SEAM.first not in caplog.text


def test_the_request_id_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with systemone_server(Reply(headers={"x-typesafe-request-id": "req-77"})) as server:
        ask(server)
    assert "decision model answered 200, request id req-77" in caplog.messages


@pytest.mark.parametrize("url", ["", "api.example.org", "ftp://example.org", "http://"])
def test_a_base_url_must_be_one(url: str) -> None:
    with pytest.raises(ValueError, match="base URL"):
        HostedDecisionModel(
            replace(PROVIDERS["typesafe"], base_url=url),
            api_key=KEY,
            timeout_seconds=1.0,
            concurrency=1,
            rate_limit=ProcessRateLimit(10.0),
        )
