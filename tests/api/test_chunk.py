import base64
import hashlib

import pytest

from tests.api.conftest import Api, pointers, problem

pytestmark = pytest.mark.anyio

GUIDE = "# Guide\n\n## Fees\n\nA late fee is 5 %.\n"
FIELDS = {
    *("id", "hash", "index", "total", "text", "content", "header", "context", "embed", "type", "blocks", "block_types"),
    *("path", "heading_path", "path_truncated", "breadcrumb", "heading", "heading_level", "section", "sections"),
    *("length", "tokens", "overlap", "overlap_text", "topic_start", "start", "end", "page", "pages", "synthetic"),
    "metadata",
}


async def test_markdown_is_cut_at_headings(api: Api) -> None:
    response = await api.post("/v1/chunk", {"text": GUIDE, "format": "markdown", "strategy": "topic"})
    assert response.status_code == 200
    answer = response.json()
    assert set(answer) == {"chunks", "outline", "used_jev", "decisions", "degraded", "warnings", "options"}
    [chunk] = answer["chunks"]
    assert set(chunk) == FIELDS
    assert chunk["text"] == "[Guide > Fees]\n\nA late fee is 5 %."
    assert chunk["content"] == "A late fee is 5 %."
    assert chunk["path"] == chunk["heading_path"] == ["Guide", "Fees"]
    assert GUIDE[chunk["start"] : chunk["end"]] == "A late fee is 5 %."
    assert answer["outline"] == [
        {"block": 0, "title": "Guide", "level": 1},
        {"block": 1, "title": "Fees", "level": 2},
    ]
    assert answer["used_jev"] is False


async def test_the_options_in_force_are_echoed(api: Api) -> None:
    response = await api.post("/v1/chunk", {"text": "a", "type": "text", "max_tokens": 100, "use_jev": False})
    options = response.json()["options"]
    assert (options["strategy"], options["format"], options["use_jev"]) == ("topic", "text", False)
    # Unset, the least is a quarter of the most (ruling 29).
    assert (options["max_tokens"], options["min_tokens"]) == (100, 25)
    assert options["overlap_tokens"] == 80


async def test_blocks_keep_their_indexes(api: Api) -> None:
    blocks = [{"type": "heading", "text": "Fees", "level": 1}, {"type": "paragraph", "text": "5 %"}]
    for body in ({"blocks": blocks}, {"blocks": blocks, "format": "blocks"}):
        [chunk] = (await api.post("/v1/chunk", body)).json()["chunks"]
        assert (chunk["blocks"], chunk["content"], chunk["start"]) == ([1], "5 %", None)


async def test_a_file_is_cut_as_its_text_would_be(api: Api) -> None:
    as_text = await api.post("/v1/chunk", {"text": GUIDE, "format": "markdown", "max_tokens": 300})
    as_file = await api.client.post(
        "/v1/chunk", files={"file": ("guide.md", GUIDE.encode())}, data={"max_tokens": "300", "strategy": "topic"}
    )
    assert as_file.json() == as_text.json()


async def test_bytes_that_are_not_utf_8_are_read_as_windows_1252(api: Api) -> None:
    response = await api.client.post("/v1/chunk", files={"file": ("a.txt", b"caf\xe9 \x93q\x94")})
    assert response.json()["chunks"][0]["content"] == "café “q”"


async def test_nul_and_surrogates_are_replaced_with_warnings(api: Api) -> None:
    answer = (await api.raw("/v1/chunk", b'{"text": "pump\\u0000 on\\ud800", "format": "text"}')).json()
    assert answer["chunks"][0]["content"] == "pump\ufffd on\ufffd"
    assert len(answer["warnings"]) == 2


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"text": "a", "max_tokens": 100, "min_tokens": 200}, ["/min_tokens", "/max_tokens"]),
        ({"text": "a", "maxtokens": 100}, ["/maxtokens"]),
        ({"text": "a", "config": {}}, ["/config"]),
        ({"text": "a", "strategy": "magic"}, ["/strategy"]),
        ({"text": "a", "format": "text", "type": "markdown"}, ["/format", "/type"]),
        ({"text": "a", "use_jev": "no"}, ["/use_jev"]),
        ({}, ["/text", "/blocks", "/base64", "/documents"]),
        ({"text": "a", "documents": [{"text": "b"}]}, ["/text", "/blocks", "/base64", "/documents"]),
        ({"documents": [{"text": "b"}, {}]}, ["/documents/1/text", "/documents/1/blocks", "/documents/1/base64"]),
        ({"documents": [{"text": "b"}], "format": "text"}, ["/format"]),
        ({"documents": []}, ["/documents"]),
        ({"base64": "a!"}, ["/base64"]),
        ({"text": "a", "strategy": "budget", "overlap": -1}, ["/overlap"]),
        ({"text": "a", "strategy": "budget", "chunk_size": 0}, ["/chunk_size"]),
        ({"text": "a", "strategy": "budget", "unit": "words"}, ["/unit"]),
        ({"text": "a", "strategy": "budget", "encoding": "magic"}, ["/encoding"]),
        (
            {"text": "a", "strategy": "budget", "chunk_size": 100, "min_chunk_size": 200},
            ["/min_chunk_size", "/chunk_size"],
        ),
        ({"text": "a", "strategy": "budget", "max_tokens": 100}, ["/max_tokens"]),
        ({"text": "a", "chunk_size": 100, "overlap": 3}, ["/chunk_size", "/overlap"]),
        ({"text": "a", "strategy": "budget", "header": "tree", "heading_path": False}, ["/header", "/heading_path"]),
    ],
)
async def test_wrong_values_are_named(api: Api, body: object, named: list[str]) -> None:
    assert pointers(problem(await api.post("/v1/chunk", body), 422, "invalid-request")) == named


async def test_wrong_form_fields_are_named(api: Api) -> None:
    response = await api.client.post("/v1/chunk", files={"file": ("a.md", b"a")}, data={"max_tokens": "many"})
    assert pointers(problem(response, 422, "invalid-request")) == ["/max_tokens"]


GUIDE_CHUNK = "# Guide\n\n## Fees\n\nA late fee is 5 %."


async def test_a_budget_packs_whole_blocks_and_tells_all_of_a_chunk(api: Api) -> None:
    body = {
        "text": GUIDE,
        "format": "markdown",
        "strategy": "budget",
        "source": "guide-1",
        "metadata": {"lang": "en"},
    }
    answer = (await api.post("/v1/chunk", body)).json()
    [chunk] = answer["chunks"]
    assert set(chunk) == FIELDS
    digest = hashlib.sha256(GUIDE_CHUNK.encode()).hexdigest()
    assert (chunk["id"], chunk["hash"]) == (f"guide-1#0-{digest[:8]}", digest)
    assert chunk["text"] == f"[Guide > Fees]\n\n{GUIDE_CHUNK}"
    assert (chunk["content"], chunk["header"], chunk["context"]) == (GUIDE_CHUNK, "[Guide > Fees]", "")
    assert (chunk["start"], chunk["end"], chunk["synthetic"]) == (0, 36, False)
    assert (chunk["heading"], chunk["heading_level"], chunk["breadcrumb"]) == ("Fees", 2, "Guide > Fees")
    assert (chunk["total"], chunk["length"], chunk["blocks"]) == (1, 52, [0, 1, 2])
    assert (chunk["metadata"], chunk["type"], chunk["embed"]) == ({"lang": "en"}, "markdown", "full")
    assert chunk["tokens"] == (await api.post("/v1/tokens", {"text": chunk["text"]})).json()["tokens"]
    assert answer["options"] == {
        "strategy": "budget",
        "format": "markdown",
        "unit": "chars",
        "chunk_size": 1024,
        "overlap": 128,
        "min_chunk_size": 256,
        "encoding": "cl100k_base",
        "embed": "full",
        "header": "tree",
        "split_on_headings": True,
        "strip_data_uri": True,
        "strip_html_comments": True,
    }


async def test_the_defaults_in_tokens_are_256_and_32(api: Api) -> None:
    body = {"text": "word " * 2000, "format": "text", "strategy": "budget", "unit": "tokens", "encoding": "gpt-4o"}
    answer = (await api.post("/v1/chunk", body)).json()
    assert (answer["options"]["chunk_size"], answer["options"]["overlap"]) == (256, 32)
    assert len(answer["chunks"]) > 5
    for chunk in answer["chunks"]:
        counted = (await api.post("/v1/tokens", {"text": chunk["text"], "encoding": "gpt-4o"})).json()
        assert chunk["tokens"] == counted["tokens"] <= 256


async def test_sizes_out_of_bounds_are_clamped_with_warnings(api: Api) -> None:
    body = {"text": "a", "format": "text", "strategy": "budget", "chunk_size": 5, "overlap": 900}
    answer = (await api.post("/v1/chunk", body)).json()
    assert (answer["options"]["chunk_size"], answer["options"]["overlap"]) == (32, 16)
    assert len(answer["warnings"]) == 2


async def test_the_seeds_names_for_the_header_are_understood(api: Api) -> None:
    for fields, header in (({"heading_path": False}, "[Fees]"), ({"prepend_heading": False}, "")):
        answer = (
            await api.post("/v1/chunk", {"text": GUIDE, "format": "markdown", "strategy": "budget", **fields})
        ).json()
        assert answer["chunks"][0]["header"] == header


async def test_a_batch_is_answered_in_order_and_one_failure_is_its_own(api: Api) -> None:
    documents = [
        {"text": GUIDE, "format": "markdown", "source": "a", "metadata": {"n": 1}},
        {"text": "{", "format": "ipynb"},
        {"base64": base64.b64encode(b"caf\xe9").decode(), "name": "b.txt"},
        {"text": "a", "format": "magic"},
    ]
    answer = (await api.post("/v1/chunk", {"documents": documents, "strategy": "budget", "source": "all"})).json()
    assert set(answer) == {"results"}
    first, second, third, fourth = answer["results"]
    assert (first["chunks"][0]["id"][:4], first["chunks"][0]["metadata"]) == ("a#0-", {"n": 1})
    assert (second["error"]["status"], set(second)) == (422, {"error"})
    assert (third["chunks"][0]["content"], third["chunks"][0]["id"][:6]) == ("café", "all#0-")
    assert fourth["error"]["status"] == 415


async def test_several_files_are_a_batch(api: Api) -> None:
    files = [("file", ("a.md", GUIDE.encode())), ("file", ("b.png", b"\x89PNG\r\n\x1a\n\0"))]
    response = await api.client.post("/v1/chunk", files=files, data={"strategy": "budget", "unit": "chars"})
    first, second = response.json()["results"]
    assert first["chunks"][0]["content"] == GUIDE_CHUNK
    assert second["error"]["status"] == 415


async def test_a_document_read_as_a_file_of_another_format_is_cut_by_its_blocks(api: Api) -> None:
    html = "<h1>Guide</h1><p>A late fee is 5 %.</p>"
    response = await api.client.post(
        "/v1/chunk", files={"file": ("a.html", html.encode())}, data={"strategy": "budget", "header": "none"}
    )
    [chunk] = response.json()["chunks"]
    assert (chunk["text"], chunk["start"], chunk["path"]) == ("Guide\n\nA late fee is 5 %.", None, ["Guide"])


async def test_chunks_can_get_their_notes_in_the_same_call(api: Api) -> None:
    body = {
        "text": GUIDE,
        "format": "markdown",
        "strategy": "budget",
        "chunk_size": 200,
        "source": "g",
        "contextualize": {"temperature": None},
    }
    answer = (await api.post("/v1/chunk", body)).json()
    [chunk] = answer["chunks"]
    note = "It is about the pump.\npump, P-100"
    assert (chunk["context"], chunk["content"], chunk["over_budget"]) == (note, GUIDE_CHUNK, False)
    assert chunk["text"] == f"[Guide > Fees]\n\n{note}\n\n{GUIDE_CHUNK}"
    assert (chunk["length"], answer["failures"], answer["usage"]["requests"]) == (len(chunk["text"]), [], 1)
    # The room of the note is kept free when the text is cut, and the note shown the document.
    assert GUIDE.strip() in api.behind.chat.asked[0].user
    assert answer["options"]["chunk_size"] == 200


async def test_notes_for_many_chunks_are_a_job(api: Api) -> None:
    text = "\n\n".join(f"# Part {number}\n\nA late fee is {number} %." for number in range(12))
    body = {
        "text": text,
        "format": "markdown",
        "strategy": "budget",
        "chunk_size": 100,
        "min_chunk_size": 0,
        "contextualize": {},
    }
    response = await api.post("/v1/chunk", body)
    assert response.status_code == 202
    job = response.json()
    assert (job["kind"], job["status"], job["estimate"]["calls"]) == ("contextualize", "queued", 12)
    assert response.headers["location"] == f"/v1/jobs/{job['id']}"
    assert api.behind.chat.asked == []


async def test_notes_are_written_for_one_document_at_a_time(api: Api) -> None:
    body = {"documents": [{"text": "a"}, {"text": "b"}], "contextualize": {}}
    assert pointers(problem(await api.post("/v1/chunk", body), 422, "invalid-request")) == ["/contextualize"]
    wrong = {"text": "a", "contextualize": {"template": "{nothing}"}}
    assert problem(await api.post("/v1/chunk", wrong), 422, "invalid-request")


async def test_a_data_file_is_cut_by_its_subtrees(api: Api) -> None:
    text = "fees:\n  late: 5 %\n  none: 0 %\nhours:\n  open: 9\n"
    for strategy in ("topic", "budget"):
        answer = (await api.post("/v1/chunk", {"text": text, "format": "yaml", "strategy": strategy})).json()
        [chunk] = answer["chunks"]
        assert chunk["content"] == f"(top level)\n{text.strip()}"
        assert (chunk["block_types"], chunk["start"], chunk["type"]) == (["code"], None, "yaml")
