import json
from dataclasses import replace

import pytest

from tests.api.conftest import REFUNDS, Api, problem

pytestmark = pytest.mark.anyio

FORMAT_2 = {
    "format": 2,
    "id": "returns/policy",
    "profile": "guidance",
    "detected": {"profile": "guidance", "score": None, "by": "caller"},
    "units": [
        {
            "id": "p1",
            "kind": "passage",
            "text": "[Returns > Refunds]\n\nA refund is paid within 14 days of the return.",
            "path": ["Returns", "Refunds"],
            "meta": {"blocks": [0], "profile": "guidance"},
        },
        {
            "id": "p2",
            "kind": "passage",
            "text": "[Returns > Parcels]\n\nParcels are collected on weekdays.",
            "path": ["Returns", "Parcels"],
            "meta": {"blocks": [0], "profile": "guidance"},
        },
    ],
    "links": [],
}


@pytest.mark.parametrize(
    "path", ["/v1/documents/returns/policy", "/v1/documents/returns%2Fpolicy", "/v1/documents?id=returns/policy"]
)
async def test_a_document_is_format_2_exactly(api: Api, path: str) -> None:
    response = await api.client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.headers["etag"] == '"3"'
    document = json.loads(response.text)
    assert list(document) == ["format", "id", "profile", "detected", "units", "links", "lexical", "data"]
    assert {key: document[key] for key in FORMAT_2} == FORMAT_2
    assert document["lexical"]["terms"]["refund"] == {"p1": 1}


@pytest.mark.parametrize(("tags", "status"), [('"3"', 304), ('"1", W/"3"', 304), ("*", 304), ('"2"', 200), ("3", 200)])
async def test_a_version_that_the_caller_has_is_not_sent_again(api: Api, tags: str, status: int) -> None:
    for path in ("/v1/documents/returns/policy", "/v1/documents?id=returns/policy"):
        response = await api.client.get(path, headers={"If-None-Match": tags})
        assert response.status_code == status
        assert response.headers["etag"] == '"3"'
        assert (response.content == b"") is (status == 304)


async def test_documents_are_listed_in_pages(api: Api) -> None:
    api.behind.shelve(replace(REFUNDS, id="a"))
    first = (await api.client.get("/v1/documents?limit=1")).json()
    assert [entry["id"] for entry in first["documents"]] == ["a"]
    second = (await api.client.get("/v1/documents", params={"limit": 1, "cursor": first["next_cursor"]})).json()
    assert [(entry["id"], entry["version"], entry["units"]) for entry in second["documents"]] == [
        ("returns/policy", 3, 2)
    ]
    assert second["next_cursor"] is None
    assert (await api.client.get("/v1/documents?collection=other")).json() == {"documents": [], "next_cursor": None}


async def test_units_are_listed_in_pages(api: Api) -> None:
    first = (await api.client.get("/v1/units", params={"document": "returns/policy", "limit": 1})).json()
    assert first["units"] == [
        {
            "document": "returns/policy",
            "version": 3,
            "id": "p1",
            "kind": "passage",
            "text": "[Returns > Refunds]\n\nA refund is paid within 14 days of the return.",
            "path": ["Returns", "Refunds"],
            "meta": {"blocks": [0], "profile": "guidance"},
            "start": 23,
            "end": 70,
        }
    ]
    cursor = first["next_cursor"]
    second = (await api.client.get("/v1/units", params={"document": "returns/policy", "cursor": cursor})).json()
    assert [unit["id"] for unit in second["units"]] == ["p2"]
    assert second["next_cursor"] is None


@pytest.mark.parametrize("path", ["/v1/documents/nobody", "/v1/documents?id=nobody", "/v1/units?document=nobody"])
async def test_unknown_documents(api: Api, path: str) -> None:
    problem(await api.client.get(path), 404, "document-not-found")


@pytest.mark.parametrize("path", ["/v1/documents/returns/policy", "/v1/documents?id=returns/policy"])
async def test_a_document_is_removed(api: Api, path: str) -> None:
    response = await api.client.delete(path)
    assert (response.status_code, response.content) == (204, b"")
    problem(await api.client.delete(path), 404, "document-not-found")


@pytest.mark.parametrize(
    ("tags", "removed"), [('"3"', True), ('"1", "3"', True), ("*", True), ('"2"', False), ('W/"3"', False)]
)
async def test_only_the_expected_version_is_removed(api: Api, tags: str, *, removed: bool) -> None:
    response = await api.client.delete("/v1/documents/returns/policy", headers={"If-Match": tags})
    assert api.behind.is_live("returns/policy") is not removed
    if removed:
        assert response.status_code == 204
    else:
        problem(response, 412, "precondition-failed")
