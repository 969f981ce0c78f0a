import json
from dataclasses import replace

from app.documents.document import Link, LinkType
from app.documents.format2 import to_format2
from app.documents.profile import Detected, DetectedBy, Profile
from app.terms.lexical import lexical
from tests.builders import a_document, a_unit


def test_the_document_reads_as_the_format_says() -> None:
    units = [
        replace(a_unit("A fee.", id="p1", path=("Terms", "Fees")), meta={"blocks": [3, 4], "profile": "normative"}),
        replace(a_unit("Pay it.", id="p2"), meta={}, start=3, end=10),
    ]
    document = replace(
        a_document(id="terms-2026", units=units, profile=Profile.NORMATIVE),
        detected=Detected(profile=Profile.NORMATIVE, score=0.91, by=DetectedBy.JEV),
        links=(Link(type=LinkType.NEEDS, source="p2", target="p1"),),
        data={"outline": [{"block": 0, "title": "Terms", "level": 1}], "sections": {"Terms": "normative"}},
    )

    # Key by key, in order.
    assert json.dumps(to_format2(document, lexical(units)), ensure_ascii=False) == (
        '{"format": 2, "id": "terms-2026", "profile": "normative", '
        '"detected": {"profile": "normative", "score": 0.91, "by": "jev"}, '
        '"units": [{"id": "p1", "kind": "passage", "text": "[Terms > Fees]\\n\\nA fee.", "path": ["Terms", "Fees"], '
        '"meta": {"blocks": [3, 4], "profile": "normative"}}, '
        '{"id": "p2", "kind": "passage", "text": "Pay it."}], '
        '"links": [{"type": "needs", "from": "p2", "to": "p1"}], '
        '"lexical": {"length": {"p1": 5, "p2": 2}, "terms": {"fee": {"p1": 1}, "fees": {"p1": 2}, "it": {"p2": 1}, '
        '"pay": {"p2": 1}, "terms": {"p1": 2}}}, '
        '"data": {"outline": [{"block": 0, "title": "Terms", "level": 1}], "sections": {"Terms": "normative"}}}'
    )


def test_a_profile_that_nobody_found_is_null() -> None:
    document = replace(a_document(units=[]), detected=None)
    assert to_format2(document, lexical([])) == {
        "format": 2,
        "id": "terms",
        "profile": "guidance",
        "detected": None,
        "units": [],
        "links": [],
        "lexical": {"length": {}, "terms": {}},
        "data": {},
    }
