"""What every `TermIndex` does."""

import pytest

from app.ports.term_index import TermSpace
from tests.builders import a_document, a_unit
from tests.contract.conftest import Stores

pytestmark = pytest.mark.anyio


async def found(
    stores: Stores,
    query: str,
    *,
    space: TermSpace = TermSpace.FOLDED,
    limit: int = 20,
    documents: list[str] | None = None,
    collection: str = "default",
) -> list[tuple[str, str]]:
    answer = await stores.index.search(collection, query, space=space, limit=limit, documents=documents)
    return [(hit.document, hit.unit.id) for hit in answer.hits]


async def test_a_score_is_the_formula_of_the_design(stores: Stores) -> None:
    await stores.put(a_document("pump pump valve", "valve"))
    answer = await stores.index.search("default", "pump", space=TermSpace.EXACT, limit=20, documents=None)

    # N 2, df 1: idf = ln(1 + 1.5 / 1.5). Count 2, length 3, average 2: 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)).
    (hit,) = answer.hits
    assert hit.score == pytest.approx(0.6931471805599453 * 4.4 / 3.65, rel=1e-15)
    assert (hit.unit.text, hit.title, hit.version) == ("pump pump valve", "Terms", 1)


async def test_units_are_found_by_their_path_too(stores: Stores) -> None:
    await stores.put(a_document(units=[a_unit("Other."), a_unit("Close it.", id="p2", path=("Valves",))]))
    assert await found(stores, "valves", space=TermSpace.EXACT) == [("terms", "p2")]


async def test_ties_are_ordered_by_document_then_unit(stores: Stores) -> None:
    for name in ("b", "a"):
        await stores.put(a_document("pump on", "pump on", id=name))
    # b came first, so its key is the lower one.
    assert await found(stores, "pump") == [("b", "p1"), ("b", "p2"), ("a", "p1"), ("a", "p2")]
    assert await found(stores, "pump", limit=3) == [("b", "p1"), ("b", "p2"), ("a", "p1")]


async def test_documents_limit_what_is_returned_not_the_statistics(stores: Stores) -> None:
    await stores.put(a_document("pump on", "valve off", id="a"))
    await stores.put(a_document("pump off", id="b"))
    everywhere = await stores.index.search("default", "pump", space=TermSpace.EXACT, limit=9, documents=None)
    limited = await stores.index.search(
        "default", "pump", space=TermSpace.EXACT, limit=9, documents=["nowhere", "b", "b"]
    )

    assert [hit for hit in everywhere.hits if hit.document == "b"] == list(limited.hits)
    assert limited.unknown_documents == ("nowhere",)
    assert (await stores.index.search("default", "pump", space=TermSpace.EXACT, limit=9, documents=[])).hits == ()


async def test_nothing_is_found_where_nothing_is(stores: Stores) -> None:
    answer = await stores.index.search("nowhere", "pump", space=TermSpace.EXACT, limit=9, documents=["a"])
    assert (answer.hits, answer.unknown_documents) == ((), ("a",))
    await stores.put(a_document("pump on"))
    for query in ["", "?", "zebra", "\x00"]:
        assert await found(stores, query) == []


async def test_only_live_units_count(stores: Stores) -> None:
    await stores.put(a_document("pump", "valve", id="a"))
    await stores.put(a_document("pump", id="b"))
    await stores.put(a_document("seal", id="a"))
    assert await found(stores, "pump") == [("b", "p1")]
    assert await found(stores, "seal") == [("a", "p3")]
    await stores.documents.remove("default", "b")
    assert await found(stores, "pump") == []


async def test_collections_are_apart(stores: Stores) -> None:
    await stores.put(a_document("pump"), collection="one")
    await stores.put(a_document("pump", "pump pump"), collection="two")
    one = await stores.index.search("one", "pump", space=TermSpace.EXACT, limit=9, documents=None)
    # N 1, df 1, count 1, average length: ln(1 + 0.5 / 1.5) * 2.2 / 2.2.
    assert [hit.score for hit in one.hits] == [pytest.approx(0.28768207245178085, rel=1e-15)]


async def test_unspaced_scripts_and_accents_are_found_folded(stores: Stores) -> None:
    await stores.put(a_document("第一条水泵必须每日检查。", id="zh", language="zh"))
    await stores.put(a_document("cafe\u0301", id="decomposed"))
    await stores.put(a_document("café", id="composed"))
    assert await found(stores, "水泵") == [("zh", "p1")]
    assert await found(stores, "café") == [("decomposed", "p1"), ("composed", "p1")]
    assert await found(stores, "cafe\u0301") == [("decomposed", "p1"), ("composed", "p1")]


async def test_a_question_is_folded_by_every_language_of_the_collection(stores: Stores) -> None:
    await stores.put(a_document("The pumps were running.", id="english", language="en"))
    assert await found(stores, "Häuser") == []
    await stores.put(a_document("Das Haus steht.", id="german", language="de-AT"))
    assert await found(stores, "Häuser") == [("german", "p1")]
    assert await found(stores, "pump runs") == [("english", "p1")]


async def test_inflections_meet_in_the_folded_space_only(stores: Stores) -> None:
    await stores.put(a_document("It was inspected."))
    assert await found(stores, "inspecting") == [("terms", "p1")]
    assert await found(stores, "inspecting", space=TermSpace.EXACT) == []


async def test_a_whole_identifier_outranks_its_parts(stores: Stores) -> None:
    await stores.put(
        a_document(
            "get the name of the user, get it by name, user by user",
            "the user has a name that you get",
            "call getUserName here",
            "error 4042 of err",
            "raises ERR-4042 then",
            "v1 and 4 and 2",
            "since v1.4.2 only",
        )
    )
    assert (await found(stores, "getUserName"))[0] == ("terms", "p3")
    assert (await found(stores, "ERR-4042"))[0] == ("terms", "p5")
    assert (await found(stores, "v1.4.2"))[0] == ("terms", "p7")


async def test_long_words_do_not_break_the_index(stores: Stores) -> None:
    word = "ä" * 20_000
    await stores.put(a_document(f"a {word} b", "short"))
    for space in TermSpace:
        assert await found(stores, word, space=space) == [("terms", "p1")]
        assert await found(stores, word[1:], space=space) == []


async def test_many_terms_of_one_kind_are_counted_exactly(stores: Stores) -> None:
    # 300 of a term, and more than 65,535 terms in a unit, are over what the narrow records hold.
    await stores.put(a_document("pump " * 300, "valve " * 70_000 + "pump", "pump valve"))
    answer = await stores.index.search("default", "pump", space=TermSpace.EXACT, limit=9, documents=None)
    assert {hit.unit.id: hit.score > 0 for hit in answer.hits} == {"p1": True, "p2": True, "p3": True}
    # N 3, df 3: idf = ln(1 + 0.5 / 3.5). Average length (300 + 70001 + 2) / 3.
    idf, average = 0.13353139262452263, 70303 / 3
    expected = [idf * c * 2.2 / (c + 1.2 * (0.25 + 0.75 * n / average)) for c, n in [(300, 300), (1, 2), (1, 70001)]]
    assert [hit.score for hit in answer.hits] == pytest.approx(expected, rel=1e-14)
