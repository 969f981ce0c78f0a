"""Reference entries over HTTP on a real database: stored, listed, exchanged and found."""

import pytest

from tests.api.test_on_postgres import Stack, stack

pytestmark = pytest.mark.anyio

__all__ = ["stack"]

SIZES = """# Paper

| Size | A series | B series |
| --- | --- | --- |
| 4 | 210 × 297 | 250 × 353 |
"""


async def test_entries_are_stored_exchanged_and_found_by_names_that_no_cell_holds(stack: Stack) -> None:
    job = await stack.ingest(id="paper", text=SIZES, format="markdown", profile="reference")
    assert (job["status"], job["error"], job["units"]) == ("succeeded", None, 2)

    [first, second] = (await stack.client.get("/v1/units?document=paper")).json()["units"]
    assert (first["id"], first["kind"], first["text"]) == ("e1", "entry", "[Paper]\n\nA4\nSize: 4\nA series: 210 × 297")
    assert first["meta"] == {
        "blocks": [1],
        "profile": "reference",
        "name": "A4",
        "fields": {"Size": "4", "A series": "210 × 297"},
        "row": True,
        "group": "A series",
    }
    assert second["meta"]["name"] == "B4"
    document = (await stack.client.get("/v1/documents/paper")).json()
    assert [(unit["id"], unit["kind"]) for unit in document["units"]] == [("e1", "entry"), ("e2", "entry")]
    [hit, *_] = (await stack.client.post("/v1/search", json={"query": "B4"})).json()["hits"]
    assert hit["unit"] == "e2"


async def test_an_entry_keeps_its_id_while_its_text_stays(stack: Stack) -> None:
    await stack.ingest(id="paper", text=SIZES, format="markdown", profile="reference")
    changed = SIZES.replace("| 4 | 210", "| 3 | 297 × 420 | 353 × 500 |\n| 4 | 210")
    await stack.ingest(id="paper", text=changed, format="markdown", profile="reference")

    units = (await stack.client.get("/v1/units?document=paper")).json()["units"]
    names = {unit["meta"]["name"]: unit["id"] for unit in units}
    assert names == {"A3": "e3", "B3": "e4", "A4": "e1", "B4": "e2"}


async def test_a_member_whose_name_no_database_holds_is_no_failure(stack: Stack) -> None:
    blocks = [{"type": "paragraph", "text": "Opens it.", "meta": {"entry": "Tap\x00.open", "signature": "f(\x00)"}}]
    job = await stack.ingest(id="taps", blocks=blocks, profile="reference")
    assert (job["status"], job["error"]) == ("succeeded", None)
