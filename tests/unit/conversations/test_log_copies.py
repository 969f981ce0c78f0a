"""Logs that grow: what is known again, and where a cut line begins (conversations design, section d)."""

import hashlib

import pytest

from app.conversations.log_copies import MOST_PIECES, complete_size, extended, is_line_log, known_size, pieces_of
from app.documents.growth import Piece

ONE, TWO = b'{"a": 1}\n', b'{"b": "\xc3\xa9"}\n'


def piece(data: bytes) -> Piece:
    return Piece(len(data), hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (ONE + TWO, True),
        (b"\xef\xbb\xbf\n \n" + ONE, True),
        (b'{"a": 1}\r\n{"b": 2}\r\n', True),
        (b'{\n  "a": 1\n}\n', False),  # JSON over several lines
        (b'[{"a": 1}]\n', False),
        (b'{"a": 1}, {"b": 2}\n', False),
        (b"Ana: hi\n", False),
        (ONE.decode().encode("utf-16"), False),
        (b"", False),
        (b" \n\n", False),
    ],
)
def test_a_log_begins_with_an_object_on_a_line(data: bytes, expected: bool) -> None:
    assert is_line_log(data) is expected


@pytest.mark.parametrize(
    ("last", "complete"),
    [(b"", True), (b'{"c": 3}', True), (b"  \r", True), (b'{"c": 3', False), (b'{"c": "\xc3', False)],
)
def test_a_cut_last_line_is_not_complete(last: bytes, complete: bool) -> None:
    assert complete_size(ONE + TWO + last) == len(ONE + TWO) + (len(last) if complete else 0)


def test_a_line_that_is_nested_without_end_is_complete() -> None:
    deep = b"[" * 200_000 + b"]" * 200_000
    assert complete_size(ONE + deep) == len(ONE + deep)


def test_a_log_is_kept_as_the_digest_of_its_complete_lines() -> None:
    assert pieces_of(ONE + TWO + b'{"c') == (piece(ONE + TWO),)
    assert pieces_of(b"Ana: hi\n") == ()


def test_a_copy_is_known_by_all_pieces_one_behind_the_other() -> None:
    pieces = (piece(ONE), piece(TWO))
    for rest in (b"", b'{"c": 3}\n'):
        assert known_size(ONE + TWO + rest, pieces) == len(ONE + TWO)
    for other in (ONE, TWO + ONE, ONE + ONE + TWO, ONE + TWO[:-1], b" " + ONE + TWO):
        assert known_size(other, pieces) is None


def test_what_was_never_a_log_is_not_known_again() -> None:
    assert known_size(ONE, ()) is None
    assert extended((), ONE) == ()


def test_a_log_in_too_many_pieces_is_not_kept_on() -> None:
    pieces = [piece(ONE)] * (MOST_PIECES - 1)
    assert extended(pieces, TWO) == (*pieces, piece(TWO))
    assert extended([*pieces, piece(ONE)], TWO) == ()
