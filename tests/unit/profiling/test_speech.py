"""Which sections are conversations (conversations design, b)."""

import pytest

from app.documents.block import Block, BlockType
from app.documents.values import JsonValue
from app.profiling.sections import divide
from app.profiling.speech import spoken_titles


def block(text: str, speaker: JsonValue = None, kind: BlockType = BlockType.PARAGRAPH) -> Block:
    return Block(type=kind, text=text, meta={} if speaker is None else {"speaker": speaker})


def is_spoken(*blocks: Block) -> bool:
    texts = [(("Talk",), blocks)]
    return spoken_titles(texts, divide([path for path, _ in texts], "Title")) == {"Talk"}


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ((block("12345", "Ann"), block("12345")), True),
        ((block("12345", "Ann"), block("123456")), False),
        # Characters at the ends don't count.
        ((block("12345", "Ann"), block("  12345 \n")), True),
        ((block("  12345  ", "Ann"), block("123456")), False),
        # An empty name is none, nor is what is no name.
        ((block("12345", ""), block("1")), False),
        ((block("12345", " "), block("1")), False),
        ((block("12345", 7), block("1")), False),
        # Every block but headings counts.
        ((block("12345", "Ann"), block("123456", kind=BlockType.TABLE)), False),
        ((block("12345", "Ann", BlockType.CODE), block("12345")), True),
    ],
)
def test_b_a_section_is_a_conversation_when_half_of_its_text_has_a_speaker(
    blocks: tuple[Block, ...], expected: bool
) -> None:
    assert is_spoken(*blocks) is expected


def test_b_sections_are_judged_one_by_one_wherever_they_stand() -> None:
    texts = [
        (("Policy",), [block("A rule of some length.")]),
        (("Minutes", "May"), [block("Agreed.", "Ann")]),
        (("Minutes", "June"), [block("Not.")]),
        (("Policy", "Notes"), [block("Fine.", "Bo")]),
    ]

    assert spoken_titles(texts, divide([path for path, _ in texts], "Title")) == {"Minutes"}


def test_b_text_before_the_first_heading_counts_under_the_documents_title() -> None:
    texts = [((), [block("Hello.", "Ann")]), (("Policy",), [block("A rule.")])]

    assert spoken_titles(texts, divide([path for path, _ in texts], "Title")) == {"Title"}
