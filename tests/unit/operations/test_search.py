"""Searching without judging."""

import pytest

from app.documents.context import SearchHits
from app.errors import InvalidRequest
from app.operations.search import Search
from app.ports.term_index import TermSpace
from tests.builders import a_document
from tests.unit.operations.nearby import ImpatientClock, Nearby
from tests.unit.operations.shelf import Shelf

pytestmark = pytest.mark.anyio

FEES = a_document("A late fee is charged.", "Fees, fees and fees.", "Open at nine.", id="fees")
RETURNS = a_document("Returning is free.", "No return fee is charged.", id="returns")


def a_search(nearby: Nearby | None = None, *, clock: ImpatientClock | None = None) -> tuple[Search, Shelf]:
    shelf = Shelf([FEES, RETURNS])
    search = Search(
        term_index=shelf, vector_search=nearby, documents=shelf, clock=clock or ImpatientClock(stopped=True)
    )
    return search, shelf


async def found(
    search: Search, query: str = "fee", *, documents: tuple[str, ...] | None = None, limit: int = 10
) -> SearchHits:
    return await search.run(query, collection="default", documents=documents, limit=limit, terms=TermSpace.FOLDED)


def keys(hits: SearchHits) -> list[str]:
    return [f"{hit.document}/{hit.unit}" for hit in hits.hits]


async def test_terms_alone_give_the_order_and_scores_of_the_index() -> None:
    search, shelf = a_search()
    hits = await found(search)
    expected = await shelf.search("default", "fee", space=TermSpace.FOLDED, limit=10, documents=None)
    assert keys(hits) == ["fees/p2", "fees/p1", "returns/p2"]
    assert [hit.score for hit in hits.hits] == [hit.score for hit in expected.hits]
    assert hits.hits[0].text == "Fees, fees and fees."
    assert hits.warnings == ()


async def test_the_term_space_is_the_callers_choice() -> None:
    search, _ = a_search()
    hits = await search.run("fee", collection="default", documents=None, limit=10, terms=TermSpace.EXACT)
    assert keys(hits) == ["fees/p1", "returns/p2"]


async def test_both_lists_are_fused_and_units_that_are_gone_are_left_out() -> None:
    nearby = Nearby([("returns", "p1"), ("gone", "p1"), ("fees", "p1")])
    search, shelf = a_search(nearby)
    hits = await found(search)
    # fees/p1: 1/62 + 1/63; fees/p2: 1/61; returns/p1: 1/61, not in the first list; returns/p2: 1/63.
    assert keys(hits) == ["fees/p1", "fees/p2", "returns/p1", "returns/p2"]
    assert hits.hits[0].score == pytest.approx(1 / 62 + 1 / 63)
    assert shelf.calls == ["search", "units_by_id"]
    assert nearby.asked == [("fee", 10, None)]


async def test_documents_limit_both_lists_and_unknown_ones_are_named() -> None:
    nearby = Nearby([("fees", "p3"), ("returns", "p1")])
    search, _ = a_search(nearby)
    hits = await found(search, documents=("returns", "nowhere", "returns"))
    assert keys(hits) == ["returns/p2", "returns/p1"]
    assert hits.warnings == ("Document 'nowhere' is not in the collection.",)
    assert nearby.asked == [("fee", 10, ("returns", "nowhere"))]


async def test_no_documents_allow_nothing() -> None:
    search, shelf = a_search()
    assert await found(search, documents=()) == SearchHits(hits=())
    assert shelf.calls == []


async def test_the_limit_holds_after_fusing() -> None:
    search, _ = a_search(Nearby([("returns", "p1"), ("fees", "p3")]))
    assert len((await found(search, limit=1)).hits) == 1


@pytest.mark.parametrize(
    ("nearby", "clock"),
    [
        (Nearby(failing=True), ImpatientClock(stopped=True)),
        (Nearby(hanging=True), ImpatientClock(stopped=False)),
    ],
)
async def test_a_failing_or_slow_vector_search_leaves_terms(nearby: Nearby, clock: ImpatientClock) -> None:
    search, _ = a_search(nearby, clock=clock)
    hits = await found(search)
    assert keys(hits) == ["fees/p2", "fees/p1", "returns/p2"]
    assert hits.warnings == ("The vector search did not answer: these are hits by terms alone.",)


async def test_a_blank_query_is_refused() -> None:
    search, _ = a_search()
    with pytest.raises(InvalidRequest) as caught:
        await found(search, " \t")
    assert [error.pointer for error in caught.value.errors] == ["/query"]
