import pytest

from tests.api.conftest import Api, pointers, problem

pytestmark = pytest.mark.anyio

GUIDE = "# Guide\n\n## Fees\n\nA late fee is 5 %.\n"
FIELDS = {
    *("index", "text", "content", "blocks", "path", "heading_path", "heading_level", "section", "tokens"),
    *("overlap", "overlap_text", "topic_start", "start", "end"),
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
        ({}, ["/text", "/blocks"]),
    ],
)
async def test_wrong_values_are_named(api: Api, body: object, named: list[str]) -> None:
    assert pointers(problem(await api.post("/v1/chunk", body), 422, "invalid-request")) == named


async def test_wrong_form_fields_are_named(api: Api) -> None:
    response = await api.client.post("/v1/chunk", files={"file": ("a.md", b"a")}, data={"max_tokens": "many"})
    assert pointers(problem(response, 422, "invalid-request")) == ["/max_tokens"]
