"""Where entries begin and end, what they are called, and that nothing of a section is lost."""

import re
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.documents.values import JsonValue
from app.profiling.entries import MOST_ENTRIES, Entry, entries
from app.readers.tables import table_block

LONG = "It is a text that says at some length what the line above it names, and what that is good for."


def heading(text: str, level: int = 1) -> Block:
    return Block(type=BlockType.HEADING, text=text, level=level)


def paragraph(text: str, **meta: JsonValue) -> Block:
    return Block(type=BlockType.PARAGRAPH, text=text, meta=meta)


def listed(*items: str) -> Block:
    return Block(type=BlockType.LIST, text="\n".join(items))


def table(header: Sequence[str], *rows: Sequence[str], caption: str = "") -> Block:
    made = table_block(caption=caption, header=[header] if header else [], rows=rows)
    assert made is not None
    return made


def found(*blocks: Block, title: str = "Doc", max_tokens: int = 800) -> list[Entry]:
    """The entries of a document that is reference as a whole."""
    belonging = {
        index
        for index, block in enumerate(blocks)
        if block.type is not BlockType.HEADING or _childless(blocks[index : index + 2])
    }
    made = entries(blocks, belonging, title, max_tokens=max_tokens, chars_per_token=4.0)
    assert made is not None
    return made


def _childless(pair: Sequence[Block]) -> bool:
    return len(pair) == 1 or (pair[1].type is BlockType.HEADING and (pair[1].level or 1) <= (pair[0].level or 1))


def named(*blocks: Block, **options: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(entry.name, entry.blocks) for entry in found(*blocks, **options)]  # type: ignore[arg-type]  # only titles


def test_a_block_whose_meta_names_another_entry_starts_one_and_blocks_without_it_go_on() -> None:
    made = found(
        paragraph("Opens the tap.", entry="Tap.open", signature="Tap.open(turns, speed=2)"),
        paragraph("Raises TapError when it is stuck."),
        listed("- turns: how far", "- speed: how fast"),
        paragraph("Tap.close()", entry="Tap.close", signature="Tap.close()"),
        paragraph("Closes it.", entry="Tap.close"),
    )

    assert [(entry.name, entry.blocks) for entry in made] == [("Tap.open", (0, 1, 2)), ("Tap.close", (3, 4))]
    assert made[0].fields == {"parameters": ["turns", "speed"], "exceptions": ["TapError"]}
    # The signature stands in no block, so that the text says it.
    assert made[0].text.startswith("Tap.open(turns, speed=2)\n\nOpens the tap.\n\nRaises")
    assert made[1].text == "Tap.close()\n\nCloses it."


def test_a_call_signature_starts_an_entry_that_lists_and_tables_of_parameters_belong_to() -> None:
    made = found(
        paragraph("Path.walk(top_down=True)"),
        paragraph("Walks the tree."),
        listed("- top_down: the order"),
        table(["Value", "Order"], ["True", "from the top"]),
        paragraph("Path.open(mode='r')"),
        paragraph("Opens it."),
    )

    assert [(entry.name, entry.blocks) for entry in made] == [("Path.walk", (0, 1, 2, 3)), ("Path.open", (4, 5))]
    assert [entry.fields for entry in made] == [{"parameters": ["top_down"]}, {"parameters": ["mode"]}]


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("Red clay", True),
        ("Red clay.", False),
        ("What is red clay?", False),
        ("赤土。", False),
        ("Red clay:", False),  # announces what follows
        ("x" * 60, False),  # what follows is not more than twice as long
        ("x" * 61, False),
    ],
)
def test_a_short_line_above_a_paragraph_more_than_twice_its_length_starts_an_entry(line: str, starts: bool) -> None:
    assert len(LONG) < 2 * 60
    expected = [("Doc", (0,)), (line, (1, 2))] if starts else [("Doc", (0, 1, 2))]

    assert named(paragraph("Opening."), paragraph(line), paragraph(LONG)) == expected


def test_the_length_of_a_line_is_bounded_by_60_characters() -> None:
    much = paragraph("word " * 40)

    assert named(paragraph("x" * 60), much)[0][0] == "x" * 60
    assert named(paragraph("x" * 61), much)[0][0] == "Doc"


def test_exactly_twice_the_length_is_not_more() -> None:
    assert named(paragraph("Clay"), paragraph("eightchr")) == [("Doc", (0, 1))]
    assert named(paragraph("Clay"), paragraph("ninechars")) == [("Clay", (0, 1))]


def test_a_list_of_terms_is_an_entry_per_item_with_what_is_nested_in_it() -> None:
    made = found(
        heading("Terms"),
        listed("- Cone: heat mark", "  - low", "  - high", "- Kiln – an oven", "- see also the manual"),
        paragraph("More in the appendix."),
    )

    assert [(entry.name, entry.text) for entry in made] == [
        ("Cone", "Cone: heat mark\n  - low\n  - high"),
        ("Kiln", "Kiln – an oven"),
        ("see also the manual", "see also the manual"),
        ("Terms", "More in the appendix."),
    ]
    assert all(entry.path == ("Terms",) for entry in made)


def test_a_list_of_which_half_open_with_a_term_is_no_list_of_terms() -> None:
    assert named(heading("Steps"), listed("- Cone: heat mark", "- lift the lid")) == [("Steps", (1,))]


def test_a_numbered_term_keeps_its_number_in_the_text_alone() -> None:
    (entry,) = found(heading("Codes"), listed("3. E42: no water"))

    assert (entry.name, entry.text) == ("E42", "3. E42: no water")


def test_blocks_under_a_heading_are_its_entry_and_a_childless_heading_is_one_of_its_own() -> None:
    made = found(
        heading("API"),
        heading("open(path, mode='r')", 2),
        paragraph("Opens a file. Added in version 3.1."),
        heading("close", 2),
        heading("flush()", 2),
    )

    assert [(entry.name, entry.path, entry.text) for entry in made] == [
        ("open", ("API", "open(path, mode='r')"), "Opens a file. Added in version 3.1."),
        ("close", ("API",), "close"),
        ("flush", ("API",), "flush()"),
    ]
    assert made[0].fields == {"parameters": ["path", "mode"], "versions": ["added in version 3.1"]}


def test_what_stands_before_the_first_heading_is_named_by_the_document() -> None:
    assert named(paragraph("Opening."), heading("A"), paragraph("Text."), title="Pump") == [("Pump", (0,)), ("A", (2,))]


def test_a_table_is_an_entry_per_row() -> None:
    made = found(
        heading("Stock"),
        table(["Clay", "kg"], ["Red", "4"], ["White", ""], caption="In March"),
        table(["Glaze", "l"], ["Blue", "2"]),
    )

    assert [(entry.name, entry.group, entry.fields, entry.text) for entry in made] == [
        ("Red", "In March", {"Clay": "Red", "kg": "4"}, "Table: In March\nClay: Red\nkg: 4"),
        ("White", "In March", {"Clay": "White"}, "Table: In March\nClay: White"),
        ("Blue", "Stock", {"Glaze": "Blue", "l": "2"}, "Glaze: Blue\nl: 2"),
    ]


def test_only_what_belongs_makes_entries_and_another_section_ends_the_open_one() -> None:
    blocks = (paragraph("Red clay"), paragraph(LONG), paragraph("A guide."), paragraph("White clay"), paragraph(LONG))

    made = entries(blocks, {0, 1, 3, 4}, "Doc", max_tokens=800, chars_per_token=4.0)

    assert made is not None
    assert [(entry.name, entry.blocks) for entry in made] == [("Red clay", (0, 1)), ("White clay", (3, 4))]


def test_a_long_entry_becomes_several_of_its_name() -> None:
    sentences = [f"Sentence number {number} of the long one." for number in range(100)]
    made = found(paragraph("flood(x)"), *(paragraph(sentence) for sentence in sentences), max_tokens=50)

    assert len(made) > 10
    assert {entry.name for entry in made} == {"flood"}
    assert all(entry.fields == {"parameters": ["x"]} for entry in made)
    # 50 tokens of 4 characters, the name, and blank lines between paragraphs.
    assert max(len(entry.text) for entry in made) <= 50 * 4 + len("flood\n\n") + 2 * 6
    assert all(entry.text.startswith("flood") for entry in made)
    assert [index for entry in made for index in entry.blocks] == list(range(101))


def test_one_long_block_is_cut_between_its_sentences() -> None:
    text = " ".join(f"Sentence number {number} ends here." for number in range(100))
    made = found(heading("Flood"), paragraph(text), max_tokens=50)

    assert len(made) > 10
    assert all(entry.text.rstrip().endswith("ends here.") for entry in made)
    assert " ".join(entry.text.strip() for entry in made) == text


def test_more_entries_than_a_document_may_have_are_none() -> None:
    many = listed(*(f"- term {number}: x" for number in range(MOST_ENTRIES)))

    assert len(found(many)) == MOST_ENTRIES
    assert entries([many, paragraph("One more.")], {0, 1}, "Doc", max_tokens=800, chars_per_token=4.0) is None


def test_a_heading_that_is_too_long_for_a_path_is_said_in_full_once() -> None:
    title = "Everything about clay " * 20

    made = found(heading(title), table(["Clay"], ["Red"], ["White"]))

    assert made[0].text == title
    assert [entry.name for entry in made[1:]] == ["Red", "White"]
    assert all(len(part) <= 120 for entry in made for part in entry.path)


VOCABULARY = ["Cone", "kiln", "heat:", "open(turns)", "Red", "clay.", "4", "IV", "A", "B", "series", "OSError", "-"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1)
LINE = WORDS.map(" ".join)
CELLS = st.one_of(st.just(""), LINE)
BLOCK = st.one_of(
    st.builds(heading, LINE, st.integers(1, 4)),
    st.builds(paragraph, LINE),
    st.builds(lambda name, text: paragraph(text, entry=name), LINE, LINE),
    st.builds(lambda name, text: paragraph(text, signature=name), LINE, LINE),
    st.builds(lambda items: listed(*(f"- {item}" for item in items)), st.lists(LINE, min_size=1)),
    st.builds(lambda text: Block(type=BlockType.CODE, text=text), LINE),
    st.builds(
        lambda header, rows, caption: table(header, *rows, caption=caption),
        st.lists(LINE, min_size=1, max_size=4),
        st.lists(st.lists(CELLS, min_size=4, max_size=4), min_size=1),
        st.one_of(st.just(""), LINE),
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(BLOCK, max_size=12), st.sampled_from([20, 60, 800]))
def test_every_word_of_every_block_is_in_an_entry_as_often_as_the_block_says_it(
    blocks: list[Block], max_tokens: int
) -> None:
    made = found(*blocks, max_tokens=max_tokens)

    for index, block in enumerate(blocks):
        said = [word for entry in made if index in entry.blocks for word in _words(entry.text)]
        if block.type is BlockType.HEADING:
            said += [word for entry in made for title in entry.path for word in _words(title)]
        assert set(_words(block.text)) <= set(said)
        if block.type is not BlockType.HEADING:
            assert all(said.count(word) >= _words(block.text).count(word) for word in set(_words(block.text)))
    assert [entry.blocks[0] for entry in made] == sorted(entry.blocks[0] for entry in made)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize(
    "flood",
    [
        lambda size: [table(["Key", "Value"], *([f"k{row}", "v"] for row in range(size)))],
        lambda size: [table([f"A h{column}" for column in range(size // 20)], ["4"] * (size // 20))],
        lambda size: [heading("long " * size), *(paragraph("Text.") for _ in range(size))],
        lambda size: [paragraph("f(x)"), *(paragraph("ValueError since version 3." * 3) for _ in range(size))],
        lambda size: [listed(*("- a: b" for _ in range(size)))],
        lambda size: [paragraph("f(" + "(" * size), paragraph("word" * size)],
    ],
)
def test_large_sections_take_linear_time(flood: object) -> None:
    assert callable(flood)

    def seconds(size: int) -> float:
        blocks = flood(size)
        best = float("inf")
        for _ in range(3):
            begun = time.process_time()
            found(*blocks)
            best = min(best, time.process_time() - begun)
        return best

    assert seconds(16_000) < 8 * seconds(4_000) + 0.05
