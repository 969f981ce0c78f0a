"""Case P17 for documents that only name what a database can't hold: escapes of NUL and of half a character."""

import json

import pytest

from tests.api import test_on_postgres
from tests.api.test_on_postgres import Stack

pytestmark = pytest.mark.anyio
stack = test_on_postgres.stack

VALUE = r'"pump\u0000 on\ud800 end"'
READ = "pump\ufffd on\ufffd end"
#: By format: a document, and what its units say of it. Lines of YAML and TOML are the file's own, escapes and all.
DOCUMENTS = {
    "json": (rf'{{"note": {VALUE}, "k\ud800": {{"$ref": "other\u0000.json"}}}}', READ),
    "jsonl": (f'{{"note": {VALUE}}}\n{{"note": {VALUE}}}', READ),
    "yaml": (r'note: "pump\0 on end"', r"pump\0 on end"),
    "toml": (r'note = "pump\u0000 on end"', r"pump\u0000 on end"),
    "ipynb": (f'{{"cells": [{{"cell_type": "markdown", "source": {VALUE}}}]}}', READ),
    "blocks": (f'[{{"type": "paragraph", "text": {VALUE}, "meta": {{"entry": {VALUE}}}}}]', READ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_escapes_of_what_a_database_can_not_hold_are_stored_and_read_back(stack: Stack, name: str) -> None:
    source, read = DOCUMENTS[name]
    job = await stack.ingest(id=name, text=source, format=name)
    assert (job["status"], job["error"]) == ("succeeded", None)

    units = (await stack.client.get(f"/v1/units?document={name}")).json()["units"]

    assert read in " ".join(unit["text"] for unit in units)
    assert not {"\x00", "\ud800"} & set(json.dumps(units, ensure_ascii=False))
    hits = (await stack.client.post("/v1/search", json={"query": "pump"})).json()["hits"]
    assert {hit["document"] for hit in hits} == {name}
