"""Leaving out what says nothing."""

import pytest

from app.retrieval.common_words import without_common_words


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the late payment fee?", "late payment fee?"),
        ("How long do I have to return an order?", "long return order?"),
        ("Where's “the” form for ERR-4042 and snake_case?", "form ERR-4042 snake_case?"),
        ("Don’t we pay?", "pay?"),
        ("第一条水泵", "第一条水泵"),
        ("", ""),
    ],
)
def test_common_words_go(question: str, expected: str) -> None:
    assert without_common_words(question) == expected


def test_a_question_of_common_words_alone_keeps_them() -> None:
    assert without_common_words("Who are you?") == "Who are you?"
    assert without_common_words("To be or not to be") == "To be or not to be"


def test_capitals_are_a_name_unless_everything_is_shouted() -> None:
    assert without_common_words("Does the WHO advise IT staff?") == "WHO advise IT staff?"
    assert without_common_words("WHO PAYS THE FEE?") == "PAYS FEE?"
    assert without_common_words("May I pay?") == "pay?"
