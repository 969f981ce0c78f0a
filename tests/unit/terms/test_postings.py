from collections import Counter

import pytest

from app.terms.postings import pack, unpack
from app.terms.unit_terms import UnitTerms, count_terms
from tests.builders import a_unit


def counted(**counts: int) -> UnitTerms:
    return UnitTerms(exact=Counter(counts), folded={}, exact_length=sum(counts.values()), folded_length=0)


def test_a_term_has_a_row_with_a_record_for_each_unit() -> None:
    rows = {row.term: row for row in pack([counted(pump=2, valve=1), counted(), counted(pump=1)], "en", 7)}

    assert {term: (row.code, row.df) for term, row in rows.items()} == {"pump": (0, 2), "valve": (0, 1)}
    # Document, unit, count, length of the unit.
    assert unpack(0, rows["pump"].data).tolist() == [(7, 0, 2, 3), (7, 2, 1, 1)]
    # Little-endian: 4 bytes, 2, 1, 2.
    assert rows["valve"].data == bytes([7, 0, 0, 0, 0, 0, 1, 3, 0])


@pytest.mark.parametrize(
    ("document", "count", "code"),
    [(2**32 - 1, 255, 0), (2**32, 255, 1), (1, 256, 1), (1, 65_536, 1)],
)
def test_a_row_is_as_wide_as_its_records_need(document: int, count: int, code: int) -> None:
    (row,) = pack([counted(pump=count), counted(pump=1)], "en", document)
    assert row.code == code
    assert unpack(code, row.data).tolist() == [(document, 0, count, count), (document, 1, 1, 1)]


def test_only_the_rows_that_need_it_are_wide() -> None:
    rows = pack([counted(pump=1, valve=300)], "en", 1)
    # The unit has 301 terms, which fits; the count of one of them does not.
    assert {row.term: row.code for row in rows} == {"pump": 0, "valve": 1}


def test_many_units_are_wide_from_where_they_no_longer_fit() -> None:
    units = [counted(pump=1)] + [counted()] * 65_535 + [counted(valve=1)]
    assert {row.term: row.code for row in pack(units, "en", 1)} == {"pump": 0, "valve": 1}


def test_both_spaces_are_packed() -> None:
    # The path opens the unit's text, and counts again by itself.
    rows = pack(count_terms([a_unit("The pumps run", path=("Häuser",))], "de"), "de", 1)
    assert {row.term: unpack(row.code, row.data)["count"].tolist() for row in rows} == {
        "häuser": [2],
        "the": [1],
        "pumps": [1],
        "run": [1],
        "~de:haus": [2],
        "~de:the": [1],
        "~de:pumps": [1],
        "~de:run": [1],
    }


def test_nothing_packs_to_nothing() -> None:
    assert pack([], "en", 1) == []
    assert pack([counted()], "en", 1) == []
