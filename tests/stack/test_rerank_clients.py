"""Published clients of other rerank services, pointed at a running service (service design, "Rerank"; ruling 5)."""

from collections.abc import Iterator

import cohere
import httpx
import pytest

QUERY = "How long does a refund take?"
PARCELS = "Parcels are collected on weekdays."
REFUND = "A refund is paid within 14 days of the return."
LUNCH = "The canteen serves lunch from noon."


@pytest.fixture
def wire() -> Iterator[httpx.Client]:
    """What the clients send through: straight to the service, whatever proxy the environment names."""
    with httpx.Client(trust_env=False, timeout=60) as client:
        yield client


@pytest.fixture
def client(service: httpx.Client, wire: httpx.Client) -> cohere.Client:
    return cohere.Client("any key", base_url=str(service.base_url), httpx_client=wire)


@pytest.mark.slow
def test_coheres_client_reads_our_order(client: cohere.Client) -> None:
    answer = client.rerank(model="rerank-v3.5", query=QUERY, documents=[PARCELS, REFUND, LUNCH])
    assert answer.results[0].index == 1
    assert sorted(result.index for result in answer.results) == [0, 1, 2]
    scores = [result.relevance_score for result in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(result.document is None for result in answer.results)
    assert answer.id
    assert answer.meta is not None
    assert answer.meta.api_version is not None
    assert answer.meta.api_version.version == "1"


@pytest.mark.slow
def test_coheres_client_may_send_all_that_it_knows(client: cohere.Client) -> None:
    answer = client.rerank(
        model="rerank-english-v3.0",
        query=QUERY,
        documents=[{"text": PARCELS}, {"text": REFUND, "id": "refunds"}, LUNCH],
        top_n=1,
        rank_fields=["text"],
        return_documents=True,
        max_chunks_per_doc=10,
    )
    [best] = answer.results
    assert best.index == 1
    assert best.document is not None
    assert best.document.text == REFUND


@pytest.mark.slow
def test_coheres_newer_client_finds_the_alias(service: httpx.Client, wire: httpx.Client) -> None:
    client = cohere.ClientV2("any key", base_url=str(service.base_url), httpx_client=wire)
    answer = client.rerank(
        model="rerank-v3.5", query=QUERY, documents=[PARCELS, REFUND], top_n=1, max_tokens_per_doc=4096, priority=1
    )
    assert [result.index for result in answer.results] == [1]


@pytest.mark.slow
def test_coheres_client_is_told_what_was_wrong(client: cohere.Client) -> None:
    with pytest.raises(cohere.UnprocessableEntityError) as caught:
        client.rerank(query=" ", documents=[PARCELS])
    assert caught.value.body["errors"] == [{"pointer": "/query", "detail": "Must not be blank."}]


@pytest.mark.slow
def test_what_jinas_clients_send_is_answered_with_what_they_read(service: httpx.Client) -> None:
    sent = {
        "model": "jina-reranker-v2-base-multilingual",
        "query": QUERY,
        "documents": [PARCELS, {"text": REFUND}],
        "top_n": 2,
        "return_documents": True,
        "truncation": True,
    }
    response = service.post("/v1/rerank", json=sent, headers={"Authorization": "Bearer jina_any"})
    assert response.status_code == 200
    answer = response.json()
    assert [(result["index"], result["document"]) for result in answer["results"]] == [
        (1, {"text": REFUND}),
        (0, {"text": PARCELS}),
    ]
    # Haystack's client takes these two over into its own answer.
    assert answer["model"].startswith("offline-")
    assert set(answer["usage"]) == {"total_tokens", "prompt_tokens"}
