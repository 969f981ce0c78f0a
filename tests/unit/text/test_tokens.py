import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.tokens import approximate_tokens, wide_characters


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        # Twelve characters, eleven of them Han and the full stop that only Han texts use.
        ("第一条水泵必须每日检查。", 12),
        ("水泵 ok", 3),
        ("カタカナ", 4),
        ("한국어", 3),
        # Full-width Latin letters are Latin.
        ("ａｂｃｄ", 1),
        # A prolonged sound mark belongs to Kana by its script extensions.
        ("ー", 1),
        ("🙂🙂🙂🙂", 1),
        ("éééé", 1),
    ],
)
def test_approximate_tokens(text: str, tokens: int) -> None:
    assert approximate_tokens(text) == tokens


def test_another_token_size() -> None:
    # Five of seven characters at 2.5 a token, and two that are one each.
    assert approximate_tokens("水泵 pump", 2.5) == 4


@given(st.text(), st.text())
def test_joining_never_makes_more_tokens(first: str, second: str) -> None:
    assert approximate_tokens(first + second) <= approximate_tokens(first) + approximate_tokens(second)
    assert wide_characters(first + second) == wide_characters(first) + wide_characters(second)


def test_surrogates_are_counted_as_characters() -> None:
    assert approximate_tokens("\ud800水") == 2
