import pytest

from app.linking.number_ranges import between


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("4", "7", ["5", "6"]),
        ("4", "5", []),
        ("9", "11", ["10"]),
        ("3.1", "3.4", ["3.2", "3.3"]),
        ("12a", "12d", ["12b", "12c"]),
        ("a", "d", ["b", "c"]),
        ("i", "iv", ["ii", "iii"]),
        ("viii", "xi", ["ix", "x"]),
        ("b.2", "b.4", ["b.3"]),
        ("1", "101", [str(number) for number in range(2, 101)]),
        ("7", "4", None),
        ("4", "4", None),
        ("3.1", "4.2", None),
        ("4", "d", None),
        ("1", "102", None),
        ("iv", "i", None),
        ("", "4", None),
    ],
)
def test_the_numbers_between_two(first: str, last: str, expected: list[str] | None) -> None:
    assert between(first, last) == expected
