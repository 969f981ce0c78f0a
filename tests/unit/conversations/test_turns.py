"""Turns and their parts (conversations design, c.1)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversations.parts import TurnPart
from app.documents.block import Block, BlockType
from app.text.tokens import approximate_tokens
from tests.unit.conversations.spoken import call, heading, parts, result, said


def bodies(*blocks: Block) -> list[tuple[int, str]]:
    """Of every part the position of its turn, and its body."""
    return [(part.turn, part.body) for part in parts(*blocks)]


# Which blocks are a turn


def test_c1_blocks_of_one_speaker_are_a_turn() -> None:
    assert bodies(said("One.", "Ann"), said("Two.", "Ann"), said("Three.", "Bo"), said("Four.", "Ann")) == [
        (0, "One.\n\nTwo."),
        (1, "Three."),
        (2, "Four."),
    ]


def test_c1_with_turn_ids_a_turn_is_what_has_one_id() -> None:
    assert bodies(said("One.", "user", turn="1"), said("Two.", "user", turn="1"), said("Three.", "user", turn="2")) == [
        (0, "One.\n\nTwo."),
        (1, "Three."),
    ]


def test_c1_a_turn_id_may_be_a_number() -> None:
    found = parts(said("One.", "user", turn=7, reply_to=3), said("Two.", "user", turn=8))

    assert [(part.body, part.source_turn, part.reply_to) for part in found] == [("One.", "7", "3"), ("Two.", "8", None)]


def test_c1_one_turn_id_never_gives_one_speaker_the_words_of_another() -> None:
    assert bodies(said("One.", "Ann", turn="1"), said("Two.", "Bo", turn="1")) == [(0, "One."), (1, "Two.")]


def test_c1_a_heading_ends_a_turn() -> None:
    found = parts(heading("Budget"), said("One.", "Ann"), heading("Rooms"), said("Two.", "Ann"))

    assert [(part.path, part.body) for part in found] == [(("Budget",), "One."), (("Rooms",), "Two.")]


def test_c1_an_attachment_is_a_turn_of_its_own_and_ends_the_one_before() -> None:
    image = said("[image]", "user", turn="1", attachment=True)
    found = parts(said("Look", "user", turn="1"), image, image, said("at this.", "user", turn="1"))

    assert [(part.turn, part.output, part.body) for part in found] == [
        (0, False, "Look"),
        (1, True, "[image]"),
        (2, True, "[image]"),
        (3, False, "at this."),
    ]


def test_c1_calls_are_messages_and_results_reasoning_and_system_text_are_outputs() -> None:
    found = parts(
        said("Be brief.", "system", attachment=True),
        said("Use ls.", "assistant", turn="1", kind="reasoning", attachment=True),
        said("Listing.", "assistant", turn="1"),
        call('ls({"p":"."})', turn="1#k", call="k", tool="ls", reply_to="1"),
        result("a.txt", turn="2#k", reply_to="1#k", tool="ls", error=True),
    )

    assert [(part.output, part.is_call, part.judged) for part in found] == [
        (True, False, False),
        (True, False, False),
        (False, False, True),
        (False, True, False),
        (True, False, False),
    ]
    assert (found[3].call, found[3].tool, found[3].reply_to, found[3].source_turn) == ("k", "ls", "1", "1#k")
    assert (found[4].error, found[4].tool, found[1].kind) == (True, "ls", "reasoning")


def test_c1_code_that_somebody_shows_is_no_call() -> None:
    shown = Block(type=BlockType.CODE, text="x = 1", meta={"speaker": "user", "turn": "1"})

    assert [(part.is_call, part.judged) for part in parts(shown)] == [(False, True)]


def test_c1_a_list_or_code_behind_what_somebody_says_is_of_that_turn() -> None:
    """Readers name the speakers of paragraphs only (readers design, section 1)."""
    items = Block(type=BlockType.LIST, text="- gloves\n- tape")
    votes = Block(type=BlockType.TABLE, text="Yes | No")

    assert bodies(said("Bring:", "Ann"), items, said("Fine.", "Bo"), votes) == [
        (0, "Bring:\n\n- gloves\n- tape"),
        (1, "Fine."),
        (2, "Yes | No"),
    ]


# What a part is


@pytest.mark.parametrize(
    ("block", "header"),
    [
        (said("Hi", "Ann"), "[Ann]"),
        (said("Hi", "Ann", time="10:02"), "[Ann, 10:02]"),
        (said("Hi", "Ann", speaker_full="Ann Lee (chair)"), "[Ann Lee (chair)]"),
        (said("Hi"), "[unattributed]"),
        (said("Hi", " "), "[unattributed]"),
    ],
)
def test_c1_the_header_says_who_spoke_and_when(block: Block, header: str) -> None:
    (part,) = parts(block)

    assert part.text == f"{header}\nHi"


def test_c1_the_header_opens_with_the_path() -> None:
    (part,) = parts(heading("Minutes"), heading("Budget", 2), said("Hi", "Ann", time="10:02"))

    assert part.text == "[Minutes > Budget | Ann, 10:02]\nHi"
    assert (part.path, part.body) == (("Minutes", "Budget"), "Hi")


def test_f24_brackets_and_line_breaks_in_names_are_spaces_in_the_header_only() -> None:
    (part,) = parts(said("Hi", "Ann", speaker_full="Lee, Ann [x]y\nz | w", time="10:02"))

    assert part.text == "[Lee, Ann [x y z | w, 10:02]\nHi"
    assert part.speaker_full == "Lee, Ann [x]y\nz | w"


def test_f24_no_path_or_time_breaks_the_header() -> None:
    (part,) = parts(heading("A\nB"), said("Hi", "Ann", time="10:02\n"))

    assert part.text == "[A B | Ann, 10:02]\nHi"


def test_c1_a_name_of_brackets_alone_is_nobodys() -> None:
    assert [part.text for part in parts(said("Hi", "]"))] == ["[unattributed]\nHi"]


def test_c1_later_parts_are_marked_and_name_their_turn() -> None:
    found = parts(said("First.", "Bo"), *[said(letter * 1200, "Ann", time=f"10:0{letter}") for letter in "123"])

    assert [(part.turn, part.text.split("\n")[0], part.body[0], part.time) for part in found] == [
        (0, "[Bo]", "F", None),
        (1, "[Ann, 10:01]", "1", "10:01"),
        (1, "[Ann, 10:02] (continued)", "2", "10:02"),
        (1, "[Ann, 10:03] (continued)", "3", "10:03"),
    ]


def test_c1_a_paragraph_without_time_was_said_at_the_time_of_the_turn() -> None:
    found = parts(said("1" * 1600, "Ann", time="10:02"), said("2" * 1600, "Ann"))

    assert [(part.body[0], part.time) for part in found] == [("1", "10:02"), ("2", "10:02")]


def test_c1_a_part_knows_its_blocks() -> None:
    found = parts(heading("T"), said("a", "Ann"), said("b" * 1700, "Ann"), said("c", "Ann"))

    assert [part.blocks for part in found] == [(1,), (2,), (2, 3)]


# Parts of 400 tokens


def test_c1_messages_are_packed_block_by_block() -> None:
    """Two blocks of 799 characters and a blank line are 400 tokens, one character more is 401."""
    assert [len(body) for _, body in bodies(said("a" * 799, "Ann"), said("b" * 799, "Ann"))] == [1600]
    assert [len(body) for _, body in bodies(said("a" * 799, "Ann"), said("b" * 800, "Ann"))] == [799, 800]


def test_c1_wide_characters_are_a_token_each() -> None:
    assert [len(body) for _, body in bodies(said("水" * 400 + "a", "Ann"))] == [400, 1]


def test_c1_a_long_block_is_cut_at_blank_lines_first() -> None:
    text = f"{'a' * 1000}\nx. y\n\n{'b' * 590}\n\n  {'c' * 1000}"

    assert [body for _, body in bodies(said(text, "Ann"))] == [
        f"{'a' * 1000}\nx. y\n\n{'b' * 590}",
        f"  {'c' * 1000}",
    ]


def test_c1_then_at_lines_then_at_sentences() -> None:
    lines = f"{'a' * 900}\n{'b' * 900}. Yes."
    sentences = f"{'a' * 900}. {'B' * 900}. Yes."

    assert [body for _, body in bodies(said(lines, "Ann"))] == ["a" * 900, f"{'b' * 900}. Yes."]
    assert [body for _, body in bodies(said(sentences, "Ann"))] == ["a" * 900 + ".", f"{'B' * 900}. Yes."]


def test_c1_a_long_sentence_is_cut_by_tokens() -> None:
    words = "word " * 700
    found = [body for _, body in bodies(said(words, "Ann"))]

    assert [approximate_tokens(body) for body in found] == [400, 400, 75]
    assert " ".join(found) == words.strip()
    assert [len(body) for _, body in bodies(said("水" * 1000, "Ann"))] == [400, 400, 200]


def test_c1_outputs_are_packed_line_by_line() -> None:
    lines = [f"{number:03} {'x' * 95}" for number in range(40)]
    found = [body for _, body in bodies(result("\n".join(lines)))]

    # 16 lines of 99 characters with their line breaks are 1,599, so 400 tokens.
    assert [body.count("\n") + 1 for body in found] == [16, 16, 8]
    assert "\n".join(found) == "\n".join(lines)


def test_c1_a_long_line_of_an_output_is_cut_every_1600_characters() -> None:
    assert [len(body) for _, body in bodies(result(f"head\n{'x' * 4000}\ntail"))] == [4, 1600, 1600, 805]


def test_c1_an_output_is_not_cut_at_sentences() -> None:
    assert [len(body) for _, body in bodies(result("a" * 900 + ". " + "B" * 900 + "."))] == [901, 901]
    assert [len(body) for _, body in bodies(result("a" * 300 + ". " + "B" * 1500 + "."))] == [1600, 203]


def test_c1_indentation_and_blank_lines_inside_a_part_stay() -> None:
    text = "  a:\n\n    b\n"

    assert bodies(result(text)) == [(0, "  a:\n\n    b")]


def test_fragments_of_a_sentence_are_joined_by_a_space() -> None:
    """Readers design, 6.2: up to 1,000 characters, under the first one's time."""
    found = parts(
        said("Lid is", "Mara", time="00:01:02"),
        said("hot.", "Mara", time="00:01:04", continues=True),
        said("Wait.", "Mara", time="00:01:09"),
    )

    assert [(part.body, part.time) for part in found] == [("Lid is hot.\n\nWait.", "00:01:02")]


def test_fragments_are_joined_up_to_a_thousand_characters() -> None:
    ((_, body),) = bodies(*(said("x" * 400, "Mara", continues=number > 0) for number in range(3)))

    assert body == f"{'x' * 400} {'x' * 400}\n\n{'x' * 400}"


# Everything

TEXTS = st.text(st.sampled_from("ab .\n水"), min_size=1, max_size=60).map(lambda text: text * 60) | st.text(
    min_size=1, max_size=40
)
NAMES = st.sampled_from([None, "Ann", "Bo"])
BLOCKS = st.builds(
    lambda kind, text, speaker, turn, attachment: Block(
        type=kind,
        text=text,
        level=1 if kind is BlockType.HEADING else None,
        meta={
            key: value
            for key, value in {"speaker": speaker, "turn": turn, "attachment": attachment}.items()
            if value is not None
        },
    ),
    st.sampled_from([BlockType.PARAGRAPH, BlockType.CODE, BlockType.HEADING, BlockType.LIST]),
    TEXTS.filter(str.strip),
    NAMES,
    st.sampled_from([None, "1", "2"]),
    st.sampled_from([None, True]),
)


def characters(text: str) -> str:
    return "".join(text.split())


@given(st.lists(BLOCKS, max_size=8))
def test_no_text_is_lost_or_moved(blocks: list[Block]) -> None:
    found = parts(*blocks)

    said_all = "".join(characters(block.text) for block in blocks if block.type is not BlockType.HEADING)
    assert "".join(characters(part.body) for part in found) == said_all
    assert [part.blocks for part in found] == sorted(part.blocks for part in found)
    assert all(part.text.partition("\n")[2] == part.body for part in found)
    assert all("\n" not in part.text.partition("\n")[0] for part in found)


@given(st.lists(BLOCKS, max_size=8))
def test_no_part_is_over_400_tokens(blocks: list[Block]) -> None:
    assert all(0 < approximate_tokens(part.body) <= 400 for part in parts(*blocks))


@given(st.lists(BLOCKS, max_size=8))
def test_nobody_is_given_the_words_of_another(blocks: list[Block]) -> None:
    for part in parts(*blocks):
        speakers = {blocks[index].meta.get("speaker", part.speaker) for index in part.blocks}
        assert speakers == {part.speaker}


@given(st.lists(BLOCKS, max_size=8))
def test_parts_of_a_turn_stand_together_behind_its_first(blocks: list[Block]) -> None:
    found = parts(*blocks)

    for position, part in enumerate(found):
        opens = part.turn == position
        assert opens or (position > 0 and found[position - 1].turn == part.turn)
        assert opens != part.text.partition("\n")[0].endswith("] (continued)")


# Cost


def a_long_talk(turns: int) -> list[Block]:
    return [said(f"Point {number}: the pump is loud. " * 4, f"Person {number % 7}") for number in range(turns)]


def cpu_seconds(blocks: list[Block]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        found: list[TurnPart] = list(parts(*blocks))
        best = min(best, time.process_time() - start)
        assert len(found) >= 1
    return best


def test_ten_thousand_turns_take_under_two_seconds() -> None:
    assert cpu_seconds(a_long_talk(10_000)) < 2


def test_one_turn_of_many_lines_takes_time_in_proportion() -> None:
    short, long = (result("a line of an output\n" * count) for count in (20_000, 80_000))

    assert cpu_seconds([long]) < 8 * max(cpu_seconds([short]), 0.02)
