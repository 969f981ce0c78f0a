import pytest
from docutils.statemachine import StringList

from app.readers.rst_lines import Lines


def some_lines() -> Lines:
    return Lines(StringList(["a", "b", "c", "d"], source="x"))


def test_the_rest_of_the_lines_is_a_view_and_a_part_is_a_copy() -> None:
    rest = some_lines()[1:][1:]
    part = some_lines()[1:3]

    assert isinstance(rest, Lines)
    assert (len(rest), rest[0], list(rest)) == (2, "c", ["c", "d"])
    assert type(part) is StringList
    assert list(part) == ["b", "c"]
    assert list(rest[0:9]) == ["c", "d"]
    assert list(rest[2:1]) == []


def test_lines_know_their_places() -> None:
    rest = some_lines()[2:]

    assert rest.info(0) == ("x", 2)
    assert rest[0:2].info(1) == ("x", 3)
    assert rest.data[-1] == "d"


def test_there_is_nothing_behind_the_last_line() -> None:
    rest = some_lines()[3:]

    with pytest.raises(IndexError):
        rest[1]
    assert len(rest[1:]) == 0
