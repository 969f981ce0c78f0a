"""Rerank, in the shape that rerank clients speak."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.documents.decision import Answer, Question
from app.retrieval.questions import Answers
from tests.api.conftest import Api, an_api, pointers, problem
from tests.fakes.scripted_model import yes

pytestmark = pytest.mark.anyio

PATHS = ["/v1/rerank", "/v2/rerank"]
SCORES = {"one": 0.2, "two": 0.9, "three": 0.2, "[Guide > Fees]\n\nfour": 0.4}


def script(question: Question) -> Answer | None:
    return yes(SCORES.get(question.passage, 0.0)) if isinstance(question, Answers) else None


async def rerank(body: dict[str, Any], path: str = "/v1/rerank") -> dict[str, Any]:
    async with an_api(script) as api:
        response = await api.post(path, {"query": "which?", **body})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


@pytest.mark.parametrize("path", PATHS)
async def test_every_document_is_scored_best_first_and_equals_keep_their_order(path: str) -> None:
    documents = ["one", "two", {"text": "three"}, {"id": "f", "text": "four", "heading_path": ["Guide", "Fees"]}]
    answer = await rerank({"documents": documents}, path)
    assert answer["results"] == [
        {"index": 1, "relevance_score": 0.9, "truncated": False},
        {"index": 3, "id": "f", "relevance_score": 0.4, "truncated": False},
        {"index": 0, "relevance_score": 0.2, "truncated": False},
        {"index": 2, "relevance_score": 0.2, "truncated": False},
    ]
    assert set(answer) == {"id", "model", "results", "meta", "usage", "decisions"}
    assert answer["model"] == answer["decisions"]["model"] == "scripted-1"
    # One question a document: nobody is asked which is best.
    assert (answer["decisions"]["requests"], answer["decisions"]["questions"]) == (1, 4)
    assert answer["meta"] == {"api_version": {"version": "1"}}


async def test_answers_have_ids_of_their_own() -> None:
    first, second = [await rerank({"documents": ["one"]}) for _ in range(2)]
    assert first.pop("id") != second.pop("id")
    assert first == second


@pytest.mark.parametrize(
    ("limit", "indexes"), [({"top_n": 1}, [1]), ({"top_k": 2}, [1, 0]), ({"top_n": 99, "top_k": 99}, [1, 0])]
)
async def test_top_n_and_its_other_name(limit: dict[str, int], indexes: list[int]) -> None:
    answer = await rerank({"documents": ["one", "two"], **limit})
    assert [result["index"] for result in answer["results"]] == indexes


async def test_documents_come_back_as_they_were_sent_when_asked_for() -> None:
    documents = ["one", {"id": "f", "text": "four", "heading_path": ["Guide", "Fees"]}]
    answer = await rerank({"documents": documents, "return_documents": True})
    assert [result["document"] for result in answer["results"]] == [documents[1], {"text": "one"}]


async def test_one_long_document_is_cut_and_said_to_be() -> None:
    # The default of passage_chars is 2400.
    answer = await rerank({"documents": ["a" * 2400, "b" * 2401, "two"], "return_documents": True})
    assert [(result["index"], result["truncated"]) for result in answer["results"]] == [
        (2, False),
        (0, False),
        (1, True),
    ]
    assert answer["results"][2]["document"]["text"] == "b" * 2401
    # Its heading path counts.
    answer = await rerank(
        {"documents": [{"text": "abc"}, {"text": "abc", "heading_path": ["x"]}], "config": {"passage_chars": 3}}
    )
    assert [result["truncated"] for result in answer["results"]] == [False, True]


async def test_what_clients_send_besides_changes_nothing() -> None:
    besides = {
        "model": "rerank-v3.5",
        "max_tokens_per_doc": 4096,
        "max_chunks_per_doc": 10,
        "truncation": False,
        "priority": 3,
        "rank_fields": ["text"],
        "top_n": None,
        "return_documents": None,
        "config": {"rank_threshold": 1.0, "cross_check": True},
    }
    plain, full = [await rerank({"documents": ["one", "two"], **more}) for more in ({}, besides)]
    assert plain["results"] == full["results"]
    assert plain["decisions"] == full["decisions"]


async def test_without_a_decision_model_there_is_no_order(api_without_model: Api) -> None:
    response = await api_without_model.post("/v1/rerank", {"query": "a", "documents": ["b", "c"]})
    problem(response, 503, "decision-model-unavailable")
    assert int(response.headers["retry-after"]) > 0


async def test_one_document_that_was_not_judged_leaves_no_order() -> None:
    async with an_api(lambda question: None if question == Answers("a", "c") else yes(0.5)) as api:
        response = await api.post("/v1/rerank", {"query": "a", "documents": ["b", "c", "d"]})
    assert "1 of 3 documents" in problem(response, 503, "decision-model-unavailable")["detail"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"documents": ["b"]}, ["/query"]),
        ({"query": " \t", "documents": ["b"]}, ["/query"]),
        ({"query": "a"}, ["/documents"]),
        ({"query": "a", "documents": []}, ["/documents"]),
        ({"query": "a", "documents": "b"}, ["/documents"]),
        ({"query": "a", "documents": ["b"] * 501}, ["/documents"]),
        ({"query": "a", "documents": ["b", 5, None]}, ["/documents/1", "/documents/2"]),
        ({"query": "a", "documents": ["b", {"id": "c"}]}, ["/documents/1/text"]),
        ({"query": "a", "documents": [{"text": "b", "title": "c"}]}, ["/documents/0/title"]),
        ({"query": "a", "documents": ["b"], "top_n": 0}, ["/top_n"]),
        ({"query": "a", "documents": ["b"], "top_n": "1"}, ["/top_n"]),
        ({"query": "a", "documents": ["b"], "top_n": 1, "top_k": 2}, ["/top_n", "/top_k"]),
        ({"query": "a", "documents": ["b"], "rank_fields": ["text", "title"]}, ["/rank_fields/1"]),
        ({"query": "a", "documents": ["b"], "return_documents": 1}, ["/return_documents"]),
        ({"query": "a", "documents": ["b"], "limit": 1}, ["/limit"]),
        ({"query": "a", "documents": ["b"], "passage_chars": 9}, ["/passage_chars"]),
    ],
)
async def test_wrong_values_are_named(api: Api, path: str, body: object, named: list[str]) -> None:
    assert pointers(problem(await api.post(path, body), 422, "invalid-request")) == named


async def test_a_document_is_one_named_schema_that_takes_a_string_or_an_object(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    assert schemas["RerankRequest"]["properties"]["documents"]["items"] == {
        "$ref": "#/components/schemas/RerankDocument"
    }
    validator = Draft202012Validator({**schemas["RerankDocument"], "components": document["components"]})
    good: list[object] = ["a", {"text": "a"}, {"text": "a", "id": None, "heading_path": ["b"]}]
    bad: list[object] = [5, None, {}, {"id": "a"}, {"text": "a", "title": "b"}, ["a"]]
    assert [validator.is_valid(value) for value in good + bad] == [True] * 3 + [False] * 6
