from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.text.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Close the lid. ", "Press start."],
        ["Why? ", "Because! ", "So there."],
        # Abbreviations and initials.
        ["Dr. A. B. Smith met Mr. Jones. ", "They left."],
        ["It was, e.g., cheap (see Fig. 2). ", "It broke."],
        ["J. K. Rowling wrote it. ", "We read it."],
        ["Smith et al. agree on No. 5 and Sec. B of it. ", "Others don't."],
        ["Das ist z. B. gut. ", "Ja."],
        ["On Jan. 5 it failed. ", "On May 6 it ran."],
        ["Acme Inc. Board members met. ", "Acme Inc. ", "The board met."],
        # Acronyms with dots end a sentence only before a word that opens one.
        ["He joined the U.S. Army in 1970. ", "He lives in the U.S. ", "It is big."],
        # Decimals, versions, addresses, file names.
        ["It costs 3.5 euros in version 2.1.0 of run.py today. ", "Pay it."],
        ["See https://e.org/a.b?c=d. ", "Or write to a.b@e.org."],
        # Dots of omission.
        ["Or not... maybe. ", "Wait… ", "What?"],
        # Quotations and brackets.
        ["He said “Stop!” and left. ", "“Now.” ", "She went (at last). ", "End."],
        # Full-width marks need no white space.
        ["第一条水泵必须每日检查。", "第二条也是。", "“真的吗？”", "好！"],
        ["水泵。 ok"[:4], "ok"],
        # Steps keep their number.
        ["1. Open the lid. ", "Wait."],
        ["First.\n2. Close the lid."[:7], "2. Close the lid."],
        # A blank line ends anything.
        ["A title without a stop\n\n", "text goes on"],
        ["lower case. goes on."],
        ["   "],
    ],
)
def test_sentences(parts: list[str]) -> None:
    assert sentences("".join(parts)) == parts


def test_a_full_stop_of_chinese_ends_each_of_its_sentences() -> None:
    assert sentences("第一条水泵必须每日检查。" * 400) == ["第一条水泵必须每日检查。"] * 400


def test_nothing_has_no_sentences() -> None:
    assert sentence_spans("") == []


@given(st.text(st.sampled_from("aB1 .!?…。\n\"'”()-–:é水🙂\u0301") | st.characters(), max_size=200))
@example("Dr. Who?\n\n \n")
def test_spans_are_contiguous_and_lossless(text: str) -> None:
    spans = sentence_spans(text)

    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    assert text.isspace() or all(text[start:end].strip() for start, end in spans)
