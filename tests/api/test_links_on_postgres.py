"""Links of prose over HTTP on a real database: found by the offline engine, stored and exchanged."""

import pytest

from tests.api.test_on_postgres import Stack, stack

pytestmark = pytest.mark.anyio

__all__ = ["stack"]

TERMS = f"""# Terms

## 1 Definitions

"Late Fee" means two percent of the sum due. {"It is due at once. " * 20}

## 2 Payment

A Late Fee is charged from April, except as set out in Section 3. {"Sums are paid by transfer. " * 14}

## 3 Schools

Schools pay once a year. {"They are billed in the summer. " * 12}
"""


async def test_references_and_definitions_are_stored_as_links(stack: Stack) -> None:
    job = await stack.ingest(id="terms", text=TERMS, format="markdown", profile="normative", config={"max_tokens": 120})
    assert (job["status"], job["units"], job["degraded"]) == ("succeeded", 3, [])

    document = (await stack.client.get("/v1/documents/terms")).json()
    assert [link for link in document["links"] if link["type"] != "needs"] == [
        {"type": "defined_by", "from": "p2", "to": "p1"},
        {"type": "refers_to", "from": "p2", "to": "p3"},
    ]
