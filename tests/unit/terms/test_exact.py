import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.terms.exact import exact_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("A late fee, a LATE fee.", ["late", "fee", "late", "fee"]),
        ("snake_case ERR-4042 v1.4.2 x", ["snake", "case", "err", "4042", "v1"]),
        ("Größe: 10 € — naïve", ["größe", "10", "naïve"]),
        ("第一条水泵 abc", ["第一条水泵", "abc"]),
        # Capital I with a dot lowers to i and a combining dot, which is no letter.
        ("İSTANBUL", ["stanbul"]),
        ("don't", ["don"]),
        ("x\x00yz \ud800ab", ["yz", "ab"]),
        ("a\u00a0bc\u2028de", ["bc", "de"]),
        ("", []),
    ],
)
def test_terms_are_runs_of_letters_and_digits(text: str, terms: list[str]) -> None:
    assert exact_terms(text) == terms


def test_every_character_counts_as_its_category_says() -> None:
    assigned = [each for each in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(each) not in {"Cn", "Co"}]
    expected: list[str] = []
    for character in assigned:
        kept = "".join(each if unicodedata.category(each)[0] in "LN" else " " for each in character.lower())
        expected += [run for run in f"ab{kept}cd".split(" ") if len(run) > 1]
    assert exact_terms(" ".join(f"ab{character}cd" for character in assigned)) == expected


@given(st.text(st.characters(), max_size=80))
def test_the_fast_way_equals_the_rule(text: str) -> None:
    assert exact_terms(text) == re.findall(r"[^\W_]{2,}", text.lower())
