import math
from collections import Counter

import pytest

from app.terms.bm25 import Scored, TermPostings, best, idf
from app.terms.postings import pack
from app.terms.unit_terms import UnitTerms


def documents(*texts: tuple[int, str]) -> dict[str, TermPostings]:
    """Postings of one-unit documents: (key, text)."""
    rows: dict[str, list[tuple[int, bytes]]] = {}
    df: Counter[str] = Counter()
    for key, text in texts:
        terms = Counter(text.split())
        for row in pack([UnitTerms(exact=terms, folded={}, exact_length=terms.total(), folded_length=0)], "en", key):
            rows.setdefault(row.term, []).append((row.code, row.data))
            df[row.term] += row.df
    return {term: TermPostings(df[term], rows[term]) for term in rows}


def test_idf_is_the_formula_of_the_design() -> None:
    assert idf(10, 1) == math.log(1 + 9.5 / 1.5)
    assert idf(10, 10) == math.log(1 + 0.5 / 10.5) > 0


def test_a_score_is_the_sum_of_its_terms() -> None:
    index = documents((1, "pump pump valve"), (2, "valve"), (3, "seal seal"))
    found = best([index["pump"], index["valve"]], units=3, average_length=2.0, limit=9)

    # idf(3, 1) = ln(8 / 3), idf(3, 2) = ln 1.6. Unit 1 has 3 terms: 1.2 * (0.25 + 0.75 * 1.5) = 1.65.
    # Unit 2 has 1 term: 1.2 * (0.25 + 0.75 * 0.5) = 0.75.
    first = math.log(8 / 3) * 2 * 2.2 / (2 + 1.65) + math.log(1.6) * 2.2 / (1 + 1.65)
    second = math.log(1.6) * 2.2 / (1 + 0.75)
    assert [(each.document_key, each.ordinal) for each in found] == [(1, 0), (2, 0)]
    assert [each.score for each in found] == pytest.approx([first, second], rel=1e-15)


def test_an_average_under_one_counts_as_one() -> None:
    index = documents((1, "pump"))
    (found,) = best([index["pump"]], units=4, average_length=0.25, limit=9)
    assert found.score == pytest.approx(math.log(1 + 3.5 / 1.5), rel=1e-15)


def test_equal_scores_are_cut_by_key() -> None:
    index = documents(*((key, "pump") for key in (9, 3, 7, 1, 5)))
    found = best([index["pump"]], units=5, average_length=1.0, limit=3)
    assert [each.document_key for each in found] == [1, 3, 5]


def test_only_the_documents_asked_for_are_returned() -> None:
    index = documents((1, "pump"), (2, "pump"), (2**40, "pump"))
    found = best([index["pump"]], units=3, average_length=1.0, limit=9, document_keys={2, 2**40})
    assert [each.document_key for each in found] == [2, 2**40]
    assert best([index["pump"]], units=3, average_length=1.0, limit=9, document_keys=set()) == []


def test_keys_far_apart_are_scored_like_near_ones() -> None:
    near = documents((1, "pump valve"), (2, "valve"), (3, "pump pump"))
    far = documents((1, "pump valve"), (2**20, "valve"), (2**50, "pump pump"))
    scores = [
        [each.score for each in best([index["pump"], index["valve"]], units=3, average_length=1.5, limit=9)]
        for index in (near, far)
    ]
    assert scores[0] == scores[1]
    assert [each.document_key for each in best([far["pump"]], units=3, average_length=1.5, limit=9)] == [2**50, 1]


def test_nothing_is_found_without_postings() -> None:
    assert best([], units=3, average_length=1.0, limit=9) == []
    assert best([TermPostings(0, [])], units=0, average_length=0.0, limit=9) == []


def test_a_limit_above_what_there_is_returns_it_all() -> None:
    index = documents((1, "pump"))
    assert best([index["pump"]], units=1, average_length=1.0, limit=20) == [Scored(1, 0, idf(1, 1) * 2.2 / 2.2)]
