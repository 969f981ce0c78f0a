"""Longer copies of logs: only what is new in them is structured (conversations design, section d)."""

import pytest

from app.conversations.questions import RecordsOutcome
from app.documents.block import ParsedDocument
from app.operations.append_document import CUT_LINE
from tests.fakes.scripted_model import ScriptedModel
from tests.unit.conversations.spoken import said
from tests.unit.operations.growing import Shelf, agree, blocks, counted, shown, succeeded

pytestmark = pytest.mark.anyio

ONE, TWO, THREE = b'{"n": 1}\n', b'{"n": 2}\n', b'{"n": 3}\n'


def lines(*words: str) -> ParsedDocument:
    """What the reader makes of a log with a line for each word."""
    said_words = (said(word, "user", turn=f"t-{word}") for word in words)
    return blocks(*said_words, conversation={"items": len(words)})


async def test_of_a_longer_copy_only_the_new_lines_are_appended() -> None:
    model = ScriptedModel(agree)
    shelf = Shelf(model)
    await shelf.ingest(lines("one", "two"), ONE + TWO, format="chat")
    before = await shelf.document()
    model.asked.clear()
    await shelf.append(lines("one", "two", "three"), ONE + TWO + THREE, format="chat")

    document = await shelf.document()
    assert document.units[:2] == before.units
    assert shown(document.units) == [("m1", "[user]\none"), ("m2", "[user]\ntwo"), ("m3", "[user]\nthree")]
    assert counted(document, "items") == 3


async def test_ingesting_a_longer_copy_asks_about_the_new_lines_only() -> None:
    model = ScriptedModel(agree)
    shelf = Shelf(model)
    await shelf.ingest(lines("one", "two"), ONE + TWO, format="chat")
    model.asked.clear()

    job = await shelf.ingest(lines("one", "two", "three"), ONE + TWO + THREE, format="chat")

    succeeded(job)
    assert (job.version, job.units) == (2, 3)
    asked = [question for question in model.asked_of(RecordsOutcome) if isinstance(question, RecordsOutcome)]
    assert [question.message.words for question in asked] == ["three"]
    whole = Shelf()
    await whole.ingest(lines("one", "two", "three"), ONE + TWO + THREE, format="chat")
    assert (await shelf.document()).units == (await whole.document()).units


async def test_a_log_read_in_pieces_is_known_again() -> None:
    shelf = Shelf()
    await shelf.ingest(lines("one"), ONE, format="chat")
    await shelf.append(lines("two"), TWO, format="chat")
    shelf.reader.outcomes[ONE + TWO] = lines("one", "two")
    await shelf.append(lines("one", "two", "three"), ONE + TWO + THREE, format="chat")
    assert [unit.text for unit in (await shelf.document()).units] == ["[user]\none", "[user]\ntwo", "[user]\nthree"]
    # Once it was sent whole it is known as a whole.
    assert len((await shelf.growing()).origin.pieces) == 1


async def test_new_lines_that_change_what_is_stored_mean_ingesting_anew() -> None:
    shelf = Shelf()
    await shelf.ingest(lines("one", "two"), ONE + TWO, format="chat")

    # The third line takes the second one back.
    job = await shelf.append(lines("one", "three"), ONE + TWO + THREE, format="chat")
    assert job.error is not None
    assert job.error["type"] == "urn:context-atlas:problem:cannot-append"
    assert [unit.text for unit in (await shelf.document()).units] == ["[user]\none", "[user]\ntwo"]

    succeeded(await shelf.ingest(lines("one", "three"), ONE + TWO + THREE, format="chat"))
    assert [unit.text for unit in (await shelf.document()).units] == ["[user]\none", "[user]\nthree"]


@pytest.mark.parametrize(
    "change",
    [
        {"force": True},
        {"config": {"conversation_replies": False}},
        {"profile": "conversational"},
        {"title": "Other"},
        {"metadata": {"team": "x"}},
        {"ingestion_version": "99"},
    ],
)
async def test_a_longer_copy_that_is_to_be_ingested_otherwise_is_ingested_anew(change: dict[str, object]) -> None:
    model = ScriptedModel(agree)
    shelf = Shelf(model)
    await shelf.ingest(lines("one", "two"), ONE + TWO, format="chat")
    model.asked.clear()
    succeeded(await shelf.ingest(lines("one", "two", "three"), ONE + TWO + THREE, format="chat", **change))
    asked = [question for question in model.asked_of(RecordsOutcome) if isinstance(question, RecordsOutcome)]
    assert [question.message.words for question in asked] == ["one", "two", "three"]


async def test_a_cut_last_line_is_read_whole_the_next_time() -> None:
    shelf = Shelf()
    cut = b'{"n": 2, "te'
    await shelf.ingest(lines("one"), ONE + cut, format="chat")
    assert [piece.size for piece in (await shelf.growing()).origin.pieces] == [len(ONE)]

    shelf.reader.outcomes[ONE] = lines("one")
    await shelf.append(lines("one", "two"), ONE + TWO, format="chat")
    shelf.reader.outcomes[THREE] = lines("three")
    job = await shelf.append(lines("never read"), THREE + cut, format="chat")

    assert job.warnings == (CUT_LINE,)
    assert [unit.text for unit in (await shelf.document()).units] == ["[user]\none", "[user]\ntwo", "[user]\nthree"]


async def test_unnamed_json_lines_behind_a_chat_log_are_chat() -> None:
    shelf = Shelf()
    await shelf.ingest(lines("one"), ONE, format="chat")
    succeeded(await shelf.append(lines("two"), TWO, format="jsonl", declared=False))
    assert shelf.reader.sources[-1].format == "chat"
