"""Questions to documents of every profile, with a decision model that tells the truth over the wire.

A context must then hold exactly what the scope and the links of its question take: no unit less and none more.
"""

import pytest

from tests.golden.question_documents import DOCUMENTS, JsonDict, squashed, text_of, truth_about, units_with
from tests.golden.question_stack import asked_stack, found, ingest, retrieve
from tests.golden.truth import Truth

pytestmark = pytest.mark.anyio

#: What each profile offers (retrieval design, "Profiles"); a question to each stands in the files.
SCOPES = {
    "guidance": {"one passage", "several places"},
    "normative": {"one passage", "a whole section", "several places"},
    "narrative": {"one passage", "several places"},
    "procedural": {"one passage", "all the steps", "the next or previous step", "several places"},
    "reference": {"one entry", "named entries", "all entries with a property"},
    "markup": set(),
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_a_context_holds_exactly_what_its_scope_and_links_take(
    database_url: str, redis_url: str, name: str
) -> None:
    truth = Truth(truth_about(name))
    async with asked_stack(database_url, redis_url, truth) as stack:
        document = await ingest(stack, name)
        assert document["job"]["degraded"] == []
        assert_profiled(document, truth.document.get("sections", "markup"))
        for question in truth.document["questions"]:
            context = await retrieve(stack, name, question["ask"])
            about = question["ask"], context["text"], context["trace"]
            assert found(context) == units_with(document["units"], question["holds"]), about
            assert_shown_whole(context, document)
            assert_cited(context, truth.document["title"], text_of(name), question["holds"])
            assert (context["reason"], context["degraded"]) == (None if question["holds"] else "not_answered", False)
            for quote in question.get("absent", ()):
                assert units_with(document["units"], [quote]), quote
                assert quote not in squashed(context["text"]), about
            if "scope" in question:
                assert question["scope"] in context["trace"]["scopes"].values(), about


def assert_profiled(document: JsonDict, sections: str | dict[str, str]) -> None:
    """Every unit has the profile of its section, and the document that of the larger part."""
    profiles = {sections} if isinstance(sections, str) else set(sections.values())
    assert {unit["meta"]["profile"] for unit in document["units"]} == profiles
    assert document["profile"] == (sections if isinstance(sections, str) else next(iter(sections.values())))


def assert_shown_whole(context: JsonDict, document: JsonDict) -> None:
    """A context is its units, each under its headings, a blank line between."""
    units = {unit["id"]: unit for unit in document["units"]}
    shown = [units[unit] for unit in found(context)]
    headings = [f"[{' > '.join(unit['path'])}]\n\n" if unit.get("path") else "" for unit in shown]
    texts = [line + unit["text"].removeprefix(line) for line, unit in zip(headings, shown, strict=True)]
    assert context["text"] == "\n\n".join(texts)
    assert [source["path"] for source in context["sources"]] == [unit.get("path", []) for unit in shown]


def assert_cited(context: JsonDict, title: str, text: str, quotes: list[str]) -> None:
    """A source names the document, and where its format has offsets the place of what is quoted."""
    for source in context["sources"]:
        assert (source["document"], source["title"]) == (source["collection"], title)
        if source["start"] is not None:
            cited = squashed(text[source["start"] : source["end"]])
            assert any(quote in cited for quote in quotes), (cited, quotes)


@pytest.mark.parametrize("name", SCOPES)
def test_the_questions_ask_for_every_scope_and_for_what_is_not_there(name: str) -> None:
    asked = truth_about(name)["questions"]

    assert {question["scope"] for question in asked if question["holds"] and "scope" in question} == SCOPES[name]
    assert any(not question["holds"] for question in asked)


async def test_the_profile_of_a_mixed_document_parts_its_links(database_url: str, redis_url: str) -> None:
    """Of the policy alone is asked what it defines, and its numbers alone are referred to."""
    truth = Truth(truth_about("mixed"))
    async with asked_stack(database_url, redis_url, truth) as stack:
        document = await ingest(stack, "mixed")

    policy = {unit["id"] for unit in document["units"] if unit["meta"]["profile"] == "normative"}
    assert truth.asked.count("defines") == len(policy)
    linked = [link for link in document["links"] if link["type"] != "needs"]
    assert linked
    assert all({link["from"], link["to"]} <= policy for link in linked)
