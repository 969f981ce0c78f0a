"""Counting tokens over HTTP; the counts themselves: `tests/unit/text/test_encodings.py`."""

import asyncio
import time
from itertools import pairwise

import pytest

from app.text import encodings
from app.text.downloads import DownloadFailed
from tests.api.conftest import Api, pointers, problem

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"text": "tiktoken is great!"}, {"tokens": 6, "encoding": "cl100k_base"}),
        ({"text": ""}, {"tokens": 0, "encoding": "cl100k_base"}),
        ({"text": "お誕生日おめでとう", "encoding": "o200k_base"}, {"tokens": 8, "encoding": "o200k_base"}),
        (
            {"text": "お誕生日おめでとう", "encoding": "text-embedding-3-small"},
            {"tokens": 9, "encoding": "cl100k_base"},
        ),
        ({"text": "2 + 2 = 4", "encoding": "gpt-5"}, {"tokens": 7, "encoding": "o200k_base"}),
    ],
)
async def test_tokens_are_counted_and_the_encoding_is_named(api: Api, body: object, answer: object) -> None:
    response = await api.post("/v1/tokens", body)
    assert (response.status_code, response.json()) == (200, answer)


async def test_a_special_token_and_a_surrogate_are_text(api: Api) -> None:
    # `<`, `|`, `endo`, `ft`, `ext`, `|`, `>`, as OpenAI's own library encodes it when it is no special token.
    assert (await api.post("/v1/tokens", {"text": "<|endoftext|>"})).json()["tokens"] == 7
    escaped = await api.raw("/v1/tokens", rb'{"text": "a \ud800"}')
    replaced = await api.post("/v1/tokens", {"text": "a \ufffd"})
    assert escaped.json() == replaced.json()


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, ["/text"]),
        ({"text": 5}, ["/text"]),
        ({"text": "a", "encoding": ""}, ["/encoding"]),
        ({"text": "a", "encoding": "gpt"}, ["/encoding"]),
        ({"text": "a", "encoding": "g" * 101}, ["/encoding"]),
        ({"text": "a", "model": "gpt-4o"}, ["/model"]),
    ],
)
async def test_wrong_values_are_named(api: Api, body: object, named: list[str]) -> None:
    assert pointers(problem(await api.post("/v1/tokens", body), 422, "invalid-request")) == named


async def test_an_encoding_that_can_not_be_had_says_why_and_which_can(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_name: str) -> object:
        raise DownloadFailed("its vocabulary is away")

    monkeypatch.setattr(encodings, "downloaded", fails)
    for name in ("r50k_base", "p50k_base", "davinci"):
        body = problem(await api.post("/v1/tokens", {"text": "a", "encoding": name}), 422, "invalid-request")
        assert pointers(body) == ["/encoding"]
        assert "its vocabulary is away" in body["detail"]
        assert "cl100k_base and o200k_base" in body["detail"]


async def test_a_large_text_leaves_the_event_loop_to_others(api: Api) -> None:
    # The body of a megabyte that these settings allow; special tokens, digits, letters without end.
    text = ("x1 <|endoftext|> " * 20_000 + "a" * 600_000)[:1_000_000]
    await api.post("/v1/tokens", {"text": "the vocabulary is read once"})
    counting = asyncio.create_task(api.post("/v1/tokens", {"text": text}))
    looks = [time.perf_counter()]
    while not counting.done():
        await asyncio.sleep(0.001)
        looks.append(time.perf_counter())
    assert (await counting).json()["tokens"] > 600_000 / 8
    gaps = sorted(after - before for before, after in pairwise(looks))
    assert gaps[len(gaps) // 2] < 0.05
