"""Units of conversations (conversations design, c.1)."""

from app.conversations.conversation_units import conversation_units
from app.documents.block import Block
from app.documents.document import Unit, UnitKind
from tests.unit.conversations.spoken import call, heading, parts, result, said


def units(*blocks: Block, outcomes: frozenset[int] = frozenset(), first: int = 1) -> list[Unit]:
    return conversation_units(parts(*blocks), outcomes, blocks, first=first)


def test_c1_messages_and_outputs_are_numbered_by_one_counter() -> None:
    found = units(said("Read a.txt", "user"), said("[image]", "user", attachment=True), said("Reading.", "assistant"))

    assert [(unit.id, unit.kind) for unit in found] == [
        ("m1", UnitKind.MESSAGE),
        ("a2", UnitKind.OUTPUT),
        ("m3", UnitKind.MESSAGE),
    ]


def test_units_may_be_numbered_from_where_others_end() -> None:
    found = units(said("a" * 1700, "Ann"), first=8)

    assert [(unit.id, unit.meta["turn"]) for unit in found] == [("m8", "m8"), ("m9", "m8")]


def test_c1_the_meta_of_a_message() -> None:
    (unit,) = units(heading("Budget"), said("40k.", "Ann", speaker_full="Ann (chair)", turn="u1", time="10:02"))

    assert unit.text == "[Budget | Ann (chair), 10:02]\n40k."
    assert unit.path == ("Budget",)
    assert unit.meta == {
        "speaker": "Ann",
        "time": "10:02",
        "turn": "m1",
        "source_turn": "u1",
        "blocks": [1],
        "profile": "conversational",
        "speaker_full": "Ann (chair)",
    }


def test_c1_speaker_and_time_may_be_null_and_the_rest_is_left_out() -> None:
    (unit,) = units(said("40k."))

    assert unit.meta == {"speaker": None, "time": None, "turn": "m1", "blocks": [0], "profile": "conversational"}


def test_c1_the_meta_of_a_call_and_its_result() -> None:
    called, answered = units(
        call("ls()", turn="1#k", call="k", tool="ls"),
        result("no such file", turn="2#k", reply_to="1#k", tool="ls", error=True),
    )

    assert (called.meta["call"], called.meta["tool"], called.meta["source_turn"]) == ("k", "ls", "1#k")
    assert not {"attachment", "error", "kind"} & set(called.meta)
    assert answered.id == "a2"
    assert (answered.meta["attachment"], answered.meta["error"], answered.meta["tool"]) == (True, True, "ls")


def test_c1_reasoning_carries_its_kind() -> None:
    (unit,) = units(said("Use ls.", "assistant", kind="reasoning", attachment=True))

    assert (unit.id, unit.meta["kind"], unit.meta["attachment"]) == ("a1", "reasoning", True)


def test_c1_the_part_that_records_an_outcome_says_so() -> None:
    found = units(said("a" * 1700, "Ann"), outcomes=frozenset({1}))

    assert [unit.meta.get("outcome") for unit in found] == [None, True]


def test_a_unit_stands_where_its_blocks_do() -> None:
    first = Block(type=said("").type, text="One.", meta={"speaker": "Ann"}, start=0, end=9)
    second = Block(type=said("").type, text="Two.", meta={"speaker": "Ann"}, start=11, end=20)

    assert [(unit.start, unit.end) for unit in units(first, second)] == [(0, 20)]
    assert [(unit.start, unit.end) for unit in units(first, said("Two.", "Ann"))] == [(None, None)]
