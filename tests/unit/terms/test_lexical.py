import json

from app.terms.lexical import lexical
from tests.builders import a_unit


def test_counts_are_of_text_and_path_in_byte_order() -> None:
    counted = lexical(
        [a_unit("Zebra fee, ätzend.", id="p1"), a_unit("Fee 10.", id="p2", path=("Fees",)), a_unit("?", id="p3")]
    )
    # The second unit's text opens with its path, which counts once more by itself: fees, fee, 10 and fees.
    assert json.dumps(counted) == json.dumps(
        {
            "length": {"p1": 3, "p2": 4, "p3": 0},
            "terms": {
                "10": {"p2": 1},
                "fee": {"p1": 1, "p2": 1},
                "fees": {"p2": 2},
                "zebra": {"p1": 1},
                "ätzend": {"p1": 1},
            },
        }
    )


def test_a_document_without_units_has_no_terms() -> None:
    assert lexical([]) == {"length": {}, "terms": {}}
