"""Retrieve, search and rank."""

from typing import Any

import pytest

from tests.api.conftest import Api, pointers, problem

pytestmark = pytest.mark.anyio

REFUND = "[Returns > Refunds]\n\nA refund is paid within 14 days of the return."


async def test_retrieve_answers_in_the_shape_that_clients_rely_on(api: Api) -> None:
    response = await api.post(
        "/v1/retrieve", {"query": "refund", "collection": "default", "documents": ["returns/policy"], "max_tokens": 400}
    )
    assert response.status_code == 200
    context = response.json()
    assert set(context) == {
        *("text", "abstained", "reason", "tokens", "degraded"),
        *("sources", "computed", "trace", "decisions", "warnings"),
    }
    assert (context["abstained"], context["reason"], context["computed"]) == (False, None, None)
    assert REFUND in context["text"]
    assert context["sources"][0] == {
        "collection": "default",
        "document": "returns/policy",
        "version": 3,
        "unit": "p1",
        "title": "Returns policy",
        "path": ["Returns", "Refunds"],
        "start": 23,
        "end": 70,
        "spans": None,
        "page": None,
        "rows": None,
        "updated_at": "2026-03-01T12:00:00Z",
        "superseded_by": None,
    }
    assert context["decisions"]["model"] == "scripted-1"


async def test_abstaining_is_an_answer_with_a_reason(api: Api) -> None:
    nothing = (await api.post("/v1/retrieve", {"query": "zebra", "documents": None})).json()
    assert (nothing["abstained"], nothing["reason"], nothing["text"]) == (True, "no_candidates", "")
    outside = (await api.post("/v1/retrieve", {"query": "refund", "documents": []})).json()
    assert (outside["abstained"], outside["reason"]) == (True, "out_of_scope")


async def test_a_question_may_be_limited_and_explained(api: Api) -> None:
    async def trace(**options: object) -> tuple[dict[str, Any], list[str]]:
        answer = (await api.post("/v1/retrieve", {"query": "refund", **options})).json()
        return answer["trace"], [source["collection"] for source in answer["sources"]]

    whole, sources = await trace(collections=["elsewhere", "default"], kinds=["passage"], explain=True)
    assert set(sources) == {"default"}
    assert {one["collection"] for one in whole["candidates"]} == {"default"}
    assert {"Answers", "AnswerScope"} <= {one["question"] for one in whole["questions"]}
    assert all(one["why"] for one in whole["candidates"])
    assert len((await trace(limit=1))[0]["candidates"]) == 1
    assert (await trace(kinds=["subtree"]))[0]["candidates"] == []
    assert (await trace(collections=["elsewhere"]))[1] == []


async def test_search_takes_the_place_of_a_model_that_is_away_when_asked_to(api_without_model: Api) -> None:
    response = await api_without_model.post("/v1/retrieve", {"query": "refund", "on_unavailable": "search_only"})
    assert response.json()["degraded"] is True


async def test_search_finds_units(api: Api) -> None:
    response = await api.post("/v1/search", {"query": "refund", "limit": 1, "terms": "exact"})
    [hit] = response.json()["hits"]
    assert hit.pop("score") > 0
    assert hit == {"document": "returns/policy", "unit": "p1", "text": REFUND, "path": ["Returns", "Refunds"]}


async def test_rank_keeps_ids_and_positions(api: Api) -> None:
    passages = [{"id": "x", "text": "Parcels.", "heading_path": ["Returns"]}, {"text": "A refund takes a week."}]
    response = await api.post("/v1/rank", {"query": "refund?", "passages": passages})
    assert sorted((one["id"], one["index"]) for one in response.json()["results"]) == [("1", 1), ("x", 0)]
    limited = await api.post("/v1/rank", {"query": "refund?", "passages": passages, "limit": 1})
    assert len(limited.json()["results"]) == 1


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("/v1/retrieve", {}, ["/query"]),
        ("/v1/retrieve", {"query": " \n"}, ["/query"]),
        ("/v1/retrieve", {"query": "a" * 10_001}, ["/query"]),
        ("/v1/retrieve", {"query": "a", "max_tokens": 0}, ["/max_tokens"]),
        ("/v1/retrieve", {"query": "a", "min_tokens": 5}, ["/min_tokens"]),
        ("/v1/retrieve", {"query": "a", "config": {"colour": 1}}, ["/config/colour"]),
        ("/v1/retrieve", {"query": "a", "on_unavailable": "wait"}, ["/on_unavailable"]),
        ("/v1/retrieve", {"query": "a", "documents": "b"}, ["/documents"]),
        ("/v1/retrieve", {"query": "a", "collections": []}, ["/collections"]),
        ("/v1/retrieve", {"query": "a", "collections": ["b"] * 21}, ["/collections"]),
        ("/v1/retrieve", {"query": "a", "kinds": []}, ["/kinds"]),
        ("/v1/retrieve", {"query": "a", "kinds": ["page"]}, ["/kinds/0"]),
        ("/v1/retrieve", {"query": "a", "limit": 0}, ["/limit"]),
        ("/v1/retrieve", {"query": "a", "limit": 201}, ["/limit"]),
        ("/v1/retrieve", {"query": "a", "include_suspect": 1}, ["/include_suspect"]),
        ("/v1/search", {"query": "a", "limit": 201}, ["/limit"]),
        ("/v1/search", {"query": "a", "terms": "fuzzy"}, ["/terms"]),
        ("/v1/rank", {"query": "a", "passages": []}, ["/passages"]),
        ("/v1/rank", {"query": "", "passages": [{"text": "b"}]}, ["/query"]),
        ("/v1/rank", {"query": "a", "passages": [{"id": "b"}]}, ["/passages/0/text"]),
        ("/v1/rank", {"query": "a", "passages": [{"text": "b"}], "limit": 0}, ["/limit"]),
        ("/v1/rank", {"query": "a", "passages": [{"text": "b"}] * 501}, ["/passages"]),
    ],
)
async def test_wrong_values_are_named(api: Api, path: str, body: object, named: list[str]) -> None:
    assert pointers(problem(await api.post(path, body), 422, "invalid-request")) == named


async def test_a_body_with_ten_thousand_mistakes_has_a_short_answer(api: Api) -> None:
    body = {"query": "a", "passages": [{}] * 500, **{f"x{number}": 1 for number in range(10_000)}}
    answer = problem(await api.post("/v1/rank", body), 422, "invalid-request")
    assert len(answer["errors"]) == 50
    assert "The first 50 are listed" in answer["detail"]
