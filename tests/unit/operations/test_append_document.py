"""Appending, from new blocks to the grown document (conversations design, section d)."""

import pytest

from app.conversations.questions import Corrects, RecordsOutcome, ReplyTo
from app.documents.block import Conversation, ParsedExport
from app.documents.document import Link, LinkType
from app.documents.job import JobStatus
from app.documents.markup import ParsedMarkup
from app.documents.profile import Detected, DetectedBy, Profile
from app.operations.append_document import NOTHING_NEW
from app.profiling.questions import SectionProfile
from tests.fakes.scripted_model import ScriptedModel
from tests.unit.conversations.spoken import call, heading, result, said
from tests.unit.operations.growing import Shelf, agree, blocks, counted, paragraph, succeeded, told

pytestmark = pytest.mark.anyio

OPENING = (
    heading("Council", 1),
    heading("Budget", 2),
    said("We propose 40k.", "Ana", time="10:02", turn="a"),
    said("Too low, 45k.", "Ben", time="10:03", turn="b"),
)


async def test_messages_go_on_with_the_conversation_that_the_document_ends_in() -> None:
    shelf = Shelf(ScriptedModel(agree))
    await shelf.ingest(blocks(*OPENING))

    job = await shelf.append(blocks(said("Agreed: 45k.", "Ana", time="10:09", turn="c", reply_to="b")))

    succeeded(job)
    assert (job.version, job.units) == (2, 3)
    document = await shelf.document()
    new = document.units[-1]
    assert (new.id, new.text, new.path) == (
        "m3",
        "[Council > Budget | Ana, 10:09]\nAgreed: 45k.",
        ("Council", "Budget"),
    )
    assert (new.meta["turn"], new.meta["source_turn"], new.meta["blocks"]) == ("m3", "c", [4])
    assert Link(type=LinkType.REPLY_TO, source="m3", target="m2") in document.links
    assert new.meta["outcome"] is True
    assert document.data["outline"] == [
        {"block": 0, "title": "Council", "level": 1},
        {"block": 1, "title": "Budget", "level": 2},
    ]


async def test_a_log_cut_between_two_turns_gives_what_the_whole_log_gives() -> None:
    log = (
        heading("Fix", 1),
        said("Why does it fail?", "user", turn="u1", time="10:00"),
        said("Running tests.", "assistant", turn="m1", speaker_full="claude-x", reply_to="u1"),
        call("Bash(make test)", turn="m1#t1", call="t1", tool="Bash", reply_to="m1"),
        result("1 failing", turn="r1#t1", tool="Bash", reply_to="m1#t1"),
        result("Think.", turn="m2", kind="reasoning"),
        said("The seal leaks. " * 200, "assistant", turn="m2", speaker_full="claude-x"),
        said("Thanks", "user", turn="u2"),
        heading("Later", 1),
        said("Again?", "user", turn="u3"),
        said("Once more.", "assistant", turn="m3"),
    )
    whole = Shelf()
    await whole.ingest(blocks(*log), format="chat")
    expected = await whole.document()
    # A log is not cut inside `m2`, whose reasoning goes with its words, nor right behind a heading.
    for cut in (2, 3, 4, 5, 7, 8, 10):
        shelf = Shelf()
        await shelf.ingest(blocks(*log[:cut]), format="chat")
        succeeded(await shelf.append(blocks(*log[cut:]), format="chat"))

        document = await shelf.document()
        assert document.units == expected.units, cut
        assert told(document) == told(expected), cut
        assert document.data["outline"] == expected.data["outline"], cut


async def test_only_what_is_new_is_asked_about_and_old_messages_are_candidates() -> None:
    model = ScriptedModel(agree)
    shelf = Shelf(model)
    await shelf.ingest(blocks(*OPENING))
    model.asked.clear()

    await shelf.append(blocks(said("No: the tax is 46k then.", "Cy")))

    replies = [question for question in model.asked_of(ReplyTo) if isinstance(question, ReplyTo)]
    assert [question.message.words for question in replies] == ["No: the tax is 46k then."]
    assert [shown.words for shown in replies[0].earlier] == ["Too low, 45k.", "We propose 40k."]
    outcomes = [question for question in model.asked_of(RecordsOutcome) if isinstance(question, RecordsOutcome)]
    assert [question.message.words for question in outcomes] == ["No: the tax is 46k then."]
    corrections = [question for question in model.asked_of(Corrects) if isinstance(question, Corrects)]
    assert {question.later.words for question in corrections} == {"No: the tax is 46k then."}
    assert model.asked_of(SectionProfile) == []
    document = await shelf.document()
    assert Link(type=LinkType.CORRECTS, source="m3", target="m2") in document.links
    assert Link(type=LinkType.REPLY_TO, source="m3", target="m2") in document.links


async def test_what_is_stored_stays_as_it_is() -> None:
    shelf = Shelf(ScriptedModel(agree))
    await shelf.ingest(blocks(*OPENING), title="Minutes")
    before = await shelf.document()

    await shelf.append(blocks(heading("Pump", 1), paragraph("Bolt the pump to the floor, then press start.")))

    after = await shelf.document()
    assert after.units[: len(before.units)] == before.units
    assert set(before.links) <= set(after.links)
    assert (after.profile, after.detected, after.title) == (
        Profile.CONVERSATIONAL,
        Detected(Profile.CONVERSATIONAL, None, DetectedBy.SPEAKERS),
        "Minutes",
    )


async def test_other_blocks_are_new_prose_with_a_profile_of_their_own() -> None:
    shelf = Shelf(ScriptedModel(agree))
    await shelf.ingest(blocks(*OPENING))

    await shelf.append(blocks(paragraph("The pump is serviced once a year."), heading("Use", 1), paragraph("Press.")))

    document = await shelf.document()
    first, second = document.units[2:]
    assert [(unit.id, unit.path, unit.meta["profile"], unit.meta["blocks"]) for unit in (first, second)] == [
        ("p1", (), "procedural", [4]),
        ("p2", ("Use",), "procedural", [6]),
    ]
    assert document.data["outline"][-1] == {"block": 5, "title": "Use", "level": 1}  # type: ignore[index]  # a list
    # The paragraph has no heading, so it counts under the document's title, as the conversation does.
    assert document.data["sections"] == {"Council": "conversational", "Use": "procedural"}


async def test_messages_behind_prose_are_numbered_on_and_begin_a_conversation() -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(heading("Pump", 1), paragraph("Press start.")), profile="guidance")

    await shelf.append(blocks(said("Where?", "Ana"), said("Left.", "Ben")))
    await shelf.append(blocks(heading("Seal", 1), paragraph("Replace the seal.")))

    document = await shelf.document()
    assert [(unit.id, unit.path, unit.meta["blocks"]) for unit in document.units] == [
        ("p1", ("Pump",), [1]),
        ("m1", (), [2]),
        ("m2", (), [3]),
        ("p2", ("Seal",), [5]),
    ]


@pytest.mark.parametrize(("other", "continues"), [("x" * 16, True), ("x" * 17, False)])
async def test_half_of_the_lead_has_to_name_who_speaks(other: str, continues: bool) -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(*OPENING))

    await shelf.append(blocks(said("s" * 16, "Ana"), paragraph(other)))

    new = (await shelf.document()).units[2:]
    assert (new[0].path == ("Council", "Budget")) is continues


async def test_numbers_go_on_from_the_highest_ever_used() -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(said("One.", "Ana"), said("Two.", "Ben"), said("Three.", "Ana")))
    await shelf.ingest(blocks(said("One.", "Ana"), said("Four.", "Ben")))
    assert [unit.id for unit in (await shelf.document()).units] == ["m1", "m4"]

    await shelf.append(blocks(said("Five.", "Ana"), result("Image.", speaker="Ana"), said("Six.", "Ben")))

    assert [unit.id for unit in (await shelf.document()).units] == ["m1", "m4", "m5", "a6", "m7"]


async def test_a_result_finds_the_call_that_was_stored() -> None:
    shelf = Shelf()
    await shelf.ingest(
        blocks(said("Go.", "user", turn="0"), call("ls()", turn="1#c9", call="c9", tool="ls")), format="chat"
    )

    # The reader of the new lines knows no call of that id, and so no tool.
    await shelf.append(blocks(result("a.ts", turn="2#c9")), format="chat")

    document = await shelf.document()
    output = document.units[-1]
    assert (output.id, output.meta["tool"]) == ("a3", "ls")
    assert Link(type=LinkType.OUTPUT_OF, source="a3", target="m2") in document.links


async def test_places_that_name_turns_go_on_from_the_items_of_the_stored_log() -> None:
    shelf = Shelf()
    opening = (said("Hi", "user", turn="0"), said("Yes?", "assistant", turn="1"))
    await shelf.ingest(blocks(*opening, conversation={"items": 5}), format="chat")

    added = (said("Go", "user", turn="0"), call("ls()", turn="1#0", tool="ls", reply_to="1"))
    await shelf.append(blocks(*added, conversation={"items": 2}), format="chat")
    await shelf.append(blocks(said("Hm", "user", turn="0"), conversation={"items": 1}), format="chat")

    document = await shelf.document()
    assert [unit.meta["source_turn"] for unit in document.units] == ["0", "1", "5", "6#0", "7"]
    assert counted(document, "items") == 8


async def test_numbers_that_are_ids_of_their_own_stay() -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(said("Hi", "user", turn="41"), conversation={"items": 1}), format="chat")
    await shelf.append(blocks(said("Go", "user", turn="42", reply_to="41"), conversation={"items": 1}), format="chat")
    document = await shelf.document()
    assert [unit.meta["source_turn"] for unit in document.units] == ["41", "42"]
    assert Link(type=LinkType.REPLY_TO, source="m2", target="m1") in document.links


async def test_a_turn_that_is_stored_already_is_skipped() -> None:
    shelf = Shelf()
    long = "The seal leaks where it meets the lid. " * 100
    await shelf.ingest(blocks(said("Hi", "user", turn="u1"), said(long, "assistant", turn="m1")), format="chat")
    stored = len((await shelf.document()).units)

    await shelf.append(
        blocks(
            said("Hi", "user", turn="u1"),
            said(long, "assistant", turn="m1"),
            call("ls()", turn="m1#t", tool="ls", call="t"),
            said("Hi", "user", turn="u2"),
        ),
        format="chat",
    )

    new = (await shelf.document()).units[stored:]
    assert [unit.meta["source_turn"] for unit in new] == ["m1#t", "u2"]


async def test_secrets_of_new_lines_are_masked_as_the_stored_ones_were() -> None:
    for config, text in (({}, "A_KEY=[redacted: secret value]"), ({"redact_secrets": False}, "A_KEY=abc")):
        shelf = Shelf()
        await shelf.ingest(blocks(said("Hi", "user")), format="chat", config=config)
        await shelf.append(blocks(said("A_KEY=abc", "user")), format="chat")
        assert (await shelf.document()).units[-1].text == f"[user]\n{text}"


async def test_data_is_not_appended() -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(paragraph("Press start.")))
    job = await shelf.append(ParsedMarkup(subtrees=(), links=(), data={}), format="json", declared=False)
    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert job.error["status"] == 422
    assert (await shelf.growing()).stored.version == 1


async def test_an_export_is_appended_as_one() -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(said("Hi", "user")), format="chat")
    export = ParsedExport(
        conversations=tuple(
            Conversation(id=name, document=blocks(heading(name), said("Yes?", "user"))) for name in ("a", "b")
        )
    )
    succeeded(await shelf.append(export, format="chat"))
    assert [unit.path for unit in (await shelf.document()).units] == [(), ("a",), ("b",)]


async def test_an_append_of_nothing_succeeds_and_says_so() -> None:
    shelf = Shelf()
    await shelf.ingest(blocks(said("Hi", "user")))
    job = await shelf.append(blocks())
    succeeded(job)
    assert job.warnings == (NOTHING_NEW,)
    assert [unit.text for unit in (await shelf.document()).units] == ["[user]\nHi"]
