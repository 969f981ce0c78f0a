import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.postgres import cursors
from app.errors import InvalidRequest


def written(value: str) -> str:
    return base64.urlsafe_b64encode(value.encode()).decode()


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_a_text_comes_back(key: str) -> None:
    assert cursors.text_key(cursors.encode(key)) == key


@given(st.integers(0, 2**31), st.integers(0, 2**63 - 1))
def test_numbers_come_back(version: int, key: int) -> None:
    assert cursors.number_key(cursors.encode(key)) == key
    assert cursors.versioned_key(cursors.encode(version, key)) == (version, key)


def test_the_cursor_of_the_longest_id_is_short_enough_for_an_address() -> None:
    assert len(cursors.encode("🙂" * 512)) < 2800


@pytest.mark.parametrize(
    "cursor",
    [
        *("", "x", "é", "!", "\ud800", "W10", "bnVsbA", written("[" * 100_000)),
        *(written(value) for value in ('"a"', "[true]", "[1.5]", f"[{2**63}]", "[[1]]", "[1,true]", "[null]")),
        *(written(value) for value in ('["a\\u0000"]', '["\\ud800"]', '["a","b"]', "[1,2,3]", "[" + "9" * 5000 + "]")),
    ],
)
def test_anything_else_is_refused(cursor: str) -> None:
    for read in (cursors.text_key, cursors.number_key, cursors.versioned_key):
        with pytest.raises(InvalidRequest) as refused:
            read(cursor)
        assert refused.value.errors[0].pointer == "cursor"
