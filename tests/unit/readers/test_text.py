import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.ports.reader_runner import Source
from app.readers.text import read_text
from tests.unit.readers.reading import lines, parsed, slices


def test_the_example_of_the_design() -> None:
    source = "2.1. Firing\n\n   Heat slowly for six hours.\n\n      kiln --ramp 80"

    assert parsed(source, "text").blocks == (
        Block(type=BlockType.HEADING, text="2.1. Firing", level=2, start=0, end=11),
        Block(type=BlockType.PARAGRAPH, text="Heat slowly for six hours.", start=16, end=42),
        Block(type=BlockType.CODE, text="kiln --ramp 80", start=44, end=64),
    )


LONG = "This passage is more than twice as long as any of the titles that stand above it in these tests."

CASES = {
    "paragraphs are squashed": ("one\n  two\n\nthree\n", ["p | one two", "p | three"]),
    "numbered titles": (
        f"4 Title\n\n{LONG}\n\n1.2.3. Deep\n\n{LONG}\n\nAppendix B. Tables\n\nAnnex B.1 More\n\nx",
        [
            *("h1 | 4 Title", f"p | {LONG}", "h3 | 1.2.3. Deep", f"p | {LONG}"),
            *("h1 | Appendix B. Tables", "h2 | Annex B.1 More", "p | x"),
        ],
    ),
    "numbers that open no title": (
        f"3 lower case\n\n2. It ends in a stop.\n\n5 {'Long ' * 17}title\n\n{LONG}",
        ["p | 3 lower case", "list | 2. It ends in a stop.", f"p | 5 {'Long ' * 17}title", f"p | {LONG}"],
    ),
    "numbered lines without text between them are items": (
        "1. Open lid\n\n2. Press start\n\nThen wait a little longer.",
        ["list | 1. Open lid\n2. Press start", "p | Then wait a little longer."],
    ),
    "numbered lines with text between them are titles": (
        f"1. Scope\n\n{LONG}\n\n2. Terms\n\n{LONG}",
        ["h1 | 1. Scope", f"p | {LONG}", "h1 | 2. Terms", f"p | {LONG}"],
    ),
    "a short line above a long passage": (f"Short title\n\n{LONG}", ["h1 | Short title", f"p | {LONG}"]),
    "short lines that are no titles": (
        f"Not so.\n\n{LONG}\n\nlower\n\n{LONG}\n\nShort\n\nshort too",
        ["p | Not so.", f"p | {LONG}", "p | lower", f"p | {LONG}", "p | Short", "p | short too"],
    ),
    "capitals alone": ("THE END\n\nx\n\nA B C:\n\nx", ["h1 | THE END", "p | x", "p | A B C:", "p | x"]),
    "underlined titles by order of appearance": (
        "Sub\n---\n\na\n\nTop\n===\nb\n\nNext\n----\n\nc",
        ["h1 | Sub", "p | a", "h2 | Top", "p | b", "h1 | Next", "p | c"],
    ),
    "lists": (
        "Needs:\n- a\n  more\n  - b\n* c\n\n- d\n\n• e",
        ["p | Needs:", "list | - a more\n  - b\n- c\n- d\n- e"],
    ),
    "indented lists are no code": (
        "text at the left edge\n\n    - a\n    - b",
        ["p | text at the left edge", "list | - a\n- b"],
    ),
    "other marks start other lists": (
        "a) x\nb) y\n\n1) one\n2) two\n\n7) seven",
        ["list | a. x\nb. y", "list | 1. one\n2. two", "list | 7. seven"],
    ),
    "a dash inside a passage is no list": ("one\n- two\nthree", ["p | one - two three"]),
    "code": (
        f"{LONG}\n\n    x = 1\n      y\n\n\tz",
        [f"p | {LONG}", "code | x = 1\n  y", "code | z"],
    ),
    "text that is indented throughout is no code": ("    one\n    two\n\n    three", ["p | one two", "p | three"]),
    "names": (
        "Ann: hi\nBob Cole (chair): ho\nand on\n\nNote: mind it\nTip: rest",
        ["p | Ann: hi", "p | Bob Cole (chair): ho and on", "p | Note: mind it Tip: rest"],
    ),
    "one name is a label": ("Ann: hi\nthere", ["p | Ann: hi there"]),
    "tables": (
        "| a | b | c |\n|---|---|---|\n| 1 |  | 3 |\n\nx\ty\tz\n1\t2\t3",
        ["table | a | b | c\n1 |  | 3", "table | x | y | z\n1 | 2 | 3"],
    ),
    "a form feed is a line break": ("one\ftwo\n\nthree", ["p | one two", "p | three"]),
    "control characters go": ("a\x01b\u200bc", ["p | abc"]),
}


@pytest.mark.parametrize("name", CASES)
def test_passages(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "text") == expected


def test_the_grid_of_a_table() -> None:
    document = parsed("a | b | c\n--|---|--\n1 | | 3", "text")

    assert document.blocks[0].meta == {"caption": "", "header": ["a", "b", "c"], "rows": [["1", "", "3"]]}


def test_what_pages_repeat_is_dropped_and_their_paragraphs_are_joined() -> None:
    bodies = [
        ("The pump runs\nall day and", "is checked by hand."),
        ("Close the valve first.", "Open it last."),
        ("Ends with a comma,", "Then goes on."),
    ]
    source = "".join(
        f"ACME Manual\n\n{first}\n\nPage {2 * number} of 6\n\fACME Manual\n\n{second}\n\nPage {2 * number + 1} of 6\n\f"
        for number, (first, second) in enumerate(bodies)
    )

    assert lines(source, "text") == [
        "p | The pump runs all day and is checked by hand.",
        "p | Close the valve first.",
        "p | Open it last.",
        "p | Ends with a comma, Then goes on.",
    ]


def test_lines_that_two_pages_share_stay() -> None:
    assert lines("Head\n\none.\n\fHead\n\ntwo.", "text") == ["p | Head", "p | one.", "p | Head", "p | two."]


def test_pages_that_hold_nothing_else_are_kept() -> None:
    assert lines("word\n\f\nword\n\f\nword", "text") == ["p | word", "p | word", "p | word"]


def test_blocks_are_sliced_as_written() -> None:
    source = "Title é\n=====\n\n  one and more\n  two \n\n  - a\n   b\n\n      x\n       y\n"

    assert slices(parsed(source, "text")) == ["Title é\n=====", "one and more\n  two", "- a\n   b", "      x\n       y"]


LINE = st.sampled_from(
    [
        *("", "", "word", "Two words", "  in", "      deep", "ends.", "LOUD", "===", "---", "水泵 é", "\u200b"),
        *("- item", "1. Step", "2. Step", "2.1 Title", "a) x", "a | b | c", "x\ty\tz", "Ann: hi", "Bob: ho"),
    ]
)


@given(st.lists(LINE, max_size=20).map("\n".join))
def test_every_word_comes_out_once_and_in_order(source: str) -> None:
    # Who speaks is found by the registry, and is no text then.
    document = read_text(Source(data=source.encode(), format="text"))

    words = " ".join(block.text for block in document.blocks).replace("|", " ").split()
    written = source.replace("|", " ").replace("\u200b", "").split()
    marks = {"-", "===", "---", "1.", "2.", "a)", "a."}
    assert [word for word in words if word not in marks] == [word for word in written if word not in marks]
    places = [(block.start or 0, block.end or 0) for block in document.blocks]
    assert places == sorted(places)
    assert all(start < end <= len(document.source or "") for start, end in places)
    assert parsed(source, "text") == parsed(source, "text")
