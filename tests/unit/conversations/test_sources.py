"""Links that source or rule tell (conversations design, c.2, replies 1 to 3, outputs, and d)."""

import pytest

from app.conversations.parts import TurnPart
from app.conversations.sources import is_session, told_links
from tests.unit.conversations.spoken import call, parts, result, said
from tests.unit.conversations.turns import message, output, tool_call


def replies(*turns: TurnPart) -> dict[int, int]:
    return dict(told_links(turns).replies)


def outputs(*turns: TurnPart) -> dict[int, int]:
    return dict(told_links(turns).outputs)


# Replies


def test_c2_a_message_is_linked_to_the_earlier_turn_that_it_names() -> None:
    assert replies(message(0, "a", name="x"), message(1, "b", name="y"), message(2, "c", name="z", reply_to="x")) == {
        2: 0
    }


@pytest.mark.parametrize("name", ["nobody", "z", "later"])
def test_c2_a_name_of_nothing_of_itself_or_of_a_later_turn_links_nothing(name: str) -> None:
    assert (
        replies(message(0, "a", name="x"), message(1, "b", name="z", reply_to=name), message(2, "c", name="later"))
        == {}
    )


def test_c2_an_id_of_several_turns_means_the_latest_earlier_message_of_them() -> None:
    turns = [
        message(0, "look", name="x"),
        message(1, "at this", name="x"),
        output(2, "[image]", name="x"),
        message(3, "nice", "Ben", name="y", reply_to="x"),
        message(4, "and this", name="x"),
    ]
    assert replies(*turns) == {3: 1}


def test_c2_an_id_of_outputs_only_means_the_latest_of_them() -> None:
    assert replies(output(0, name="x"), output(1, name="x"), message(2, "nice", reply_to="x")) == {2: 1}


def test_c2_only_the_first_part_of_a_turn_answers() -> None:
    turns = [
        message(0, "a", name="x"),
        message(1, "b", "Ben", reply_to="x"),
        message(2, "c", "Ben", turn=1, reply_to="x"),
    ]
    assert replies(*turns) == {1: 0}


def test_c2_in_a_log_of_one_person_a_message_answers_the_nearest_of_another_speaker() -> None:
    turns = [
        message(0, "hi", "user"),
        message(1, "hello", "assistant"),
        message(2, "run it", "assistant"),
        message(3, "ok", "user"),
        message(4, "and then?", "user"),
    ]
    assert replies(*turns) == {1: 0, 2: 0, 3: 2, 4: 2}


def test_c2_the_rule_yields_to_a_parent_even_one_that_is_missing() -> None:
    turns = [
        message(0, "hi", "user", name="x"),
        message(1, "hello", "assistant", name="y"),
        message(2, "again", "assistant", name="z", reply_to="gone"),
        message(3, "ok", "user", reply_to="y"),
    ]
    assert replies(*turns) == {1: 0, 3: 1}


def test_c2_the_rule_does_not_reach_into_the_conversation_before() -> None:
    turns = [
        message(0, "hi", "user", path=("Cooking",)),
        message(1, "hello", "assistant", path=("Cooking",)),
        message(2, "hi", "user", path=("Travel",)),
        message(3, "hello", "assistant", path=("Travel",)),
    ]
    assert replies(*turns) == {1: 0, 3: 2}


def test_c2_people_with_names_are_no_session() -> None:
    assert replies(message(0, "hi", "user"), message(1, "hello", "Ben")) == {}


@pytest.mark.parametrize(
    ("speakers", "session"),
    [
        (["user", "assistant", "system", "tool"], True),
        (["user"], True),
        (["user", None], True),
        (["user", "Ana"], False),
        ([None], False),
        ([], False),
    ],
)
def test_c2_a_session_has_speakers_with_names_of_roles_only(speakers: list[str | None], *, session: bool) -> None:
    assert is_session([message(at, "hi", speaker) for at, speaker in enumerate(speakers)]) is session


# Outputs


def test_c2_a_result_belongs_to_the_call_that_it_answers() -> None:
    turns = parts(
        said("Find both.", "user", turn="1"),
        said("Looking.", "assistant", turn="2", reply_to="1"),
        call('ls("a")', turn="2#k1", call="k1", tool="ls", reply_to="2"),
        call('ls("b")', turn="2#k2", call="k2", tool="ls", reply_to="2"),
        result("b.txt", turn="3#k2", reply_to="2#k2", call="k2", tool="ls"),
        result("a.txt", turn="3#k1", reply_to="2#k1", call="k1", tool="ls"),
    )
    assert dict(told_links(turns).replies) == {1: 0, 2: 1, 3: 1}
    assert dict(told_links(turns).outputs) == {4: 3, 5: 2}


def test_c2_an_output_belongs_to_the_message_of_its_own_turn_first() -> None:
    turns = parts(
        said("Look.", "Ana", turn="1"),
        said("I see it.", "Ben", turn="2", reply_to="1"),
        said("[image]", "Ben", turn="2", reply_to="1", attachment=True),
    )
    assert dict(told_links(turns).outputs) == {2: 1}


def test_c2_an_output_without_a_source_belongs_to_the_nearest_message() -> None:
    assert outputs(message(0, "a"), message(1, "b"), output(2), output(3)) == {2: 1, 3: 1}


def test_c2_what_opens_a_conversation_belongs_to_nothing() -> None:
    system = output(0, "Be brief.")
    assert outputs(system, message(1, "hi", "user")) == {}
    assert outputs(message(0, "bye", path=("One",)), output(1, "Be brief.", path=("Two",))) == {}


def test_c2_only_the_first_part_of_an_output_is_linked() -> None:
    assert outputs(message(0, "a"), output(1), output(2, turn=1)) == {1: 0}


@pytest.mark.parametrize(("name", "id_"), [("7#k1", None), ("7", "k1")])
def test_d_a_result_finds_its_stored_call_by_the_calls_id(name: str, id_: str | None) -> None:
    turns = [
        tool_call(0, name, id_=id_, stored=True),
        message(1, "wait", "assistant", stored=True),
        output(2, call="k1", name="8#k1"),
    ]
    assert outputs(*turns) == {2: 0}


def test_d_stored_turns_are_pointed_at_and_not_linked_again() -> None:
    turns = [
        message(0, "a", name="x", stored=True),
        message(1, "b", "Ben", name="y", reply_to="x", stored=True),
        message(2, "c", name="z", reply_to="x"),
    ]
    assert replies(*turns) == {2: 0}
