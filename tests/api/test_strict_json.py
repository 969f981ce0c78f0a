import json

import pytest

from app.api.strict_json import MAX_DEPTH, SURROGATES_REPLACED, Json, parse
from app.errors import MalformedRequest, TooLarge


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
        (b"\xef\xbb\xbf{}", {}),
        (b'"\\ud83d\\ude42"', "🙂"),
        ('"caf\u00e9"'.encode(), "café"),
        (b'"a\\u0000b"', "a\x00b"),
    ],
)
def test_reads_json(body: bytes, value: Json) -> None:
    assert parse(body).value == value
    assert parse(body).warnings == ()


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"a": 1, "b": 2, "a": 3}', 'The key "a" stands twice in one object.'),
        (b'{"x": {"a": 1, "a": 1}}', 'The key "a" stands twice in one object.'),
        (b'{"a": NaN}', "NaN is not a JSON value."),
        (b"[Infinity]", "Infinity is not a JSON value."),
        (b"[-Infinity]", "-Infinity is not a JSON value."),
        (b"[1e999]", "The number 1e999 is too large."),
        (b'{"a": 1,\n  }', "line 2, column 3"),
        (b'{"a": "\xe9"}', "byte 7 can't be read"),
        (b"{} {}", "line 1, column 4"),
        (b'["a\nb"]', "line 1, column 4"),
    ],
)
def test_refuses_what_parsers_disagree_about(body: bytes, says: str) -> None:
    with pytest.raises(MalformedRequest) as raised:
        parse(body)
    assert says in raised.value.detail


def test_refuses_numbers_of_thousands_of_digits() -> None:
    with pytest.raises(MalformedRequest, match="too many digits"):
        parse(b"9" * 5000)


def test_nesting_is_read_up_to_the_limit_and_refused_past_it() -> None:
    assert parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH).value is not None
    with pytest.raises(MalformedRequest) as raised:
        parse(b'{"a":\n ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}")
    # The object is level 1, so the 200th bracket of line 2, after one space, is level 201.
    assert raised.value.detail == "Nested more than 200 levels deep at line 2, byte 201."


def test_a_hundred_thousand_levels_are_refused_by_name() -> None:
    with pytest.raises(MalformedRequest, match="Nested more than 200 levels deep"):
        parse(b"[" * 100_000)


def test_brackets_in_strings_are_no_nesting() -> None:
    text = '[{"' * 1000
    assert parse(json.dumps([text]).encode()).value == [text]


def test_unclosed_strings_of_quotes_are_read_in_one_pass() -> None:
    # A scan from every quote to the end would take hours.
    with pytest.raises(MalformedRequest, match="Not valid JSON"):
        parse(b"[" + b"[]," * 300 + b'"' + b'\\"' * 500_000)


def test_unpaired_surrogates_are_replaced_with_a_warning() -> None:
    parsed = parse(b'{"text": "a\\ud800b", "\\udc00": ["\\ud83d\\ude42"]}')
    assert parsed.value == {"text": "a\ufffdb", "\ufffd": ["🙂"]}
    assert parsed.warnings == (SURROGATES_REPLACED,)


def test_keys_that_become_equal_are_refused() -> None:
    with pytest.raises(MalformedRequest, match="Two keys of one object are the same"):
        parse(b'{"\\ud800": 1, "\\udc00": 2}')


def test_millions_of_tiny_values_are_refused_before_they_are_made() -> None:
    with pytest.raises(TooLarge, match="1,000,000 arrays and objects"):
        parse(b"[" + b"[]," * 1_000_001 + b"[]]")
