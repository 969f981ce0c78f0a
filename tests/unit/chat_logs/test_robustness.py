"""What breaks other readers (conversations design, a.1 and f)."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import ParsedDocument
from app.documents.markup import ParsedMarkup
from app.errors import MalformedDocument, TooLarge, UnknownFormat
from app.ports.reader_runner import Source
from app.readers import registry
from tests.unit.chat_logs.logs import parsed, read

LOG = [
    {"role": "user", "content": "Is the café open?"},
    {"role": "assistant", "content": "Until six."},
    {"role": "user", "content": "Thanks"},
]
LINES = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in LOG)
BLOCKS = ['P user 0 "Is the café open?"', 'P assistant 1 "Until six."', 'P user 2 "Thanks"']


@pytest.mark.parametrize(
    "data",
    [
        LINES.encode(),
        b"\xef\xbb\xbf" + LINES.encode(),
        LINES.replace("\n", "\r\n").encode(),
        LINES.replace("\n", "\n\n").encode(),
        b"\xff\xfe" + LINES.encode("utf-16-le"),
        b"\xfe\xff" + LINES.encode("utf-16-be"),
        gzip.compress(LINES.encode()),
        LINES.encode() + b'{"role": "user", "cont',
        LINES.encode("cp1252"),
    ],
)
def test_the_same_log_gives_the_same_blocks(data: bytes) -> None:
    assert read(data) == BLOCKS


def test_a_bad_line_is_skipped_and_counted_with_its_number() -> None:
    first, *rest = LINES.splitlines()
    document = parsed("\n".join([first, "{broken", "[1]", *rest]))
    assert [block.text for block in document.blocks] == ["Is the café open?", "Until six.", "Thanks"]
    assert document.data["conversation"] == {"items": 3, "bad_lines": {"count": 2, "first": 2}}
    assert document.warnings == ("2 lines are no JSON objects and were skipped, the first at line 2.",)


def test_a_bad_line_of_a_long_log_counts_once() -> None:
    good = json.dumps(LOG[0]) + "\n"
    document = parsed(good * 50 + "{broken\n" + good * 349)
    assert document.data["conversation"] == {"items": 399, "bad_lines": {"count": 1, "first": 51}}


def test_twenty_lines_without_an_object_are_no_log() -> None:
    with pytest.raises(MalformedDocument):
        parsed("no json\n" * 25)


def test_one_wrong_byte_spoils_its_own_line_only() -> None:
    data = LINES.encode() + b'{"role": "user", "content": "caf\xe9 \x81"}\n'
    assert read(data) == [*BLOCKS, 'P user 3 "café \ufffd"']


def test_nul_and_lone_surrogates_become_replacement_characters() -> None:
    assert read('[{"role": "user", "content": "a\\u0000b \\ud800c"}]') == ['P user 0 "a\ufffdb \ufffdc"']


def test_deep_nesting_is_a_bad_line_and_no_crash() -> None:
    deep = '{"role": "user", "content": "x", "data": ' + "[" * 600 + "]" * 600 + "}"
    assert read(LINES + deep + "\n") == BLOCKS
    assert read(LINES + "[" * 100_000 + "\n") == BLOCKS


def test_a_bomb_is_refused() -> None:
    with pytest.raises(TooLarge):
        parsed(gzip.compress(b"0" * 30_000_000))
    with pytest.raises(MalformedDocument):
        parsed(gzip.compress(LINES.encode())[:-9])


def test_bytes_never_become_text() -> None:
    payload = "iVBORw0KGgo" * 200
    url = f"data:image/png;base64,{payload}"
    content = [
        {"type": "text", "text": f"See {url} and {payload}"},
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "strange", "media_type": "image/png", "data": payload, "signature": "zzz"},
    ]
    log = [{"role": "user", "content": content}, {"role": "assistant", "content": "Nice."}]
    assert read(log) == [
        'P user 0 "See [image] and [binary data: 1650 bytes]"',
        'P user 0 att "[image]"',
        r'P user 0 att kind=unknown "{\"type\":\"strange\",\"media_type\":\"image/png\",\"data\":\"[image]\"}"',
        'P assistant 1 "Nice."',
    ]


def test_unknown_kinds_are_kept_or_counted() -> None:
    log = [
        {"role": "user", "content": [{"type": "hologram", "content": "Waving"}]},
        {"type": "telepathy", "text": "Hm"},
        {"type": "heartbeat", "beats": 3},
    ]
    document = parsed(json.dumps(log))
    assert [block.text for block in document.blocks] == ["Waving", "Hm"]
    assert document.blocks[1].meta["kind"] == "unknown:telepathy"
    assert document.data["conversation"] == {"items": 3, "skipped": {"heartbeat": 1}}


def test_a_result_never_answers_a_later_call() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    log = [
        {"role": "tool", "tool_call_id": "c", "content": "early"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "late"},
    ]
    early, _, late = parsed(json.dumps(log)).blocks
    assert "reply_to" not in early.meta
    assert late.meta["reply_to"] == "1#c"


def undeclared(value: object, format_: str = "json") -> ParsedDocument | ParsedMarkup:
    found = registry.read(Source(data=json.dumps(value).encode(), format=format_, declared=False))
    assert isinstance(found, ParsedDocument | ParsedMarkup)
    return found


def test_a_json_file_is_a_log_when_it_looks_like_one_and_nobody_says_what_it_is() -> None:
    assert isinstance(undeclared(LOG), ParsedDocument)
    assert isinstance(undeclared({"messages": LOG}), ParsedDocument)
    assert isinstance(registry.read(Source(data=LINES.encode(), format="jsonl", declared=False)), ParsedDocument)
    assert isinstance(registry.read(Source(data=LINES.encode(), format="jsonl")), ParsedMarkup)


@pytest.mark.parametrize(
    "value",
    [
        {"data": [{"type": "user", "name": "Ada"}, {"type": "user", "name": "Ben"}]},
        [{"type": "user", "email": "a@b.example"}] * 5,
        {"items": [{"sku": 1, "text": "a"}, {"sku": 2, "text": "b"}]},
        [{"role": "admin", "rights": ["read"]}, {"role": "guest", "rights": []}],
        [1, 2, 3],
        {},
        [],
    ],
)
def test_ordinary_json_is_data(value: object) -> None:
    assert isinstance(undeclared(value), ParsedMarkup)


ROLES = st.sampled_from(["user", "assistant", "Ana"])
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40)


@given(st.lists(st.tuples(ROLES, WORDS), max_size=12))
def test_no_text_is_lost_or_said_by_somebody_else(told: list[tuple[str, str]]) -> None:
    document = parsed(json.dumps([{"role": role, "content": text} for role, text in told]))
    assert [(block.meta["speaker"], block.text) for block in document.blocks] == [
        (role, text.strip()) for role, text in told if text.strip()
    ]


@pytest.mark.parametrize("filename", ["session.jsonl.gz", "export.JSON.gz"])
def test_a_gzipped_log_is_read_by_its_name_or_by_its_format(filename: str) -> None:
    data = gzip.compress(LINES.encode())
    for declared in (None, "chat"):
        format_ = registry.resolve_format(declared=declared, filename=filename, media_type=None, head=data)
        assert format_ == "chat"
    document = registry.read(Source(data=data, format="chat"))
    assert isinstance(document, ParsedDocument)
    assert len(document.blocks) == 3
    with pytest.raises(UnknownFormat):
        registry.resolve_format(declared=None, filename="notes.md.gz", media_type=None, head=data)
