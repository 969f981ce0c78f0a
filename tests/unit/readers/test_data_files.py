import builtins
import codecs
import contextlib
import gc
import json
import socket

import pytest

from app.documents.markup import ParsedMarkup, SubtreeSizes
from app.errors import BadInput, MalformedDocument, TooDeep, UnknownFormat
from app.ports.reader_runner import Source
from app.readers import data_files
from app.readers.registry import DATA_FORMATS, read, read_blocks, resolve_format

FORMATS = ["json", "jsonl", "xml", "toml", "yaml"]


def parsed(data: bytes, name: str, charset: str | None = None, sizes: SubtreeSizes | None = None) -> ParsedMarkup:
    found = read(Source(data=data, format=name, charset=charset, subtrees=sizes or SubtreeSizes()))
    assert isinstance(found, ParsedMarkup)
    return found


def texts(data: bytes, name: str) -> list[str]:
    return [one.text for one in parsed(data, name).subtrees]


def sniffed(head: bytes) -> str:
    return resolve_format(declared=None, filename=None, media_type=None, head=head)


@pytest.mark.parametrize(
    ("data", "name", "encoding", "text"),
    [
        ('{"a": "é"}'.encode(), "json", "utf-8", '{\n  "a": "é"\n}'),
        (codecs.BOM_UTF8 + b'{"a": 1}', "json", "utf-8", '{\n  "a": 1\n}'),
        ("é: x\r\nb: y\r\n".encode("utf-16"), "yaml", "utf-16-le", "é: x\nb: y"),
        ("é: x".encode("cp1252"), "yaml", "windows-1252", "é: x"),
        ("<?xml version='1.0' encoding='iso-8859-2'?><a>ł</a>".encode("iso8859-2"), "xml", "iso8859-2", "<a>ł</a>"),
        ('<?xml version="1.0" encoding="latin1"?><a>é</a>'.encode("latin-1"), "xml", "windows-1252", "<a>é</a>"),
        ('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'.encode("utf-16"), "xml", "utf-16-le", "<a>é</a>"),
        (b'<?xml version="1.0" encoding="UTF-16"?><a>e</a>', "xml", "utf-8", "<a>e</a>"),
        ('<?xml version="1.0" encoding="ascii"?><a>é</a>'.encode(), "xml", "utf-8", "<a>é</a>"),
    ],
)
def test_bytes_are_decoded_as_for_every_reader(data: bytes, name: str, encoding: str, text: str) -> None:
    found = parsed(data, name)

    assert (found.encoding, [one.text for one in found.subtrees]) == (encoding, [text])


def test_a_charset_that_was_declared_with_the_bytes_wins_over_the_documents() -> None:
    data = '<?xml version="1.0" encoding="latin1"?><a>ж</a>'.encode("koi8-r")
    assert [one.text for one in parsed(data, "xml", "koi8-r").subtrees] == ["<a>ж</a>"]


def test_what_decoding_replaced_is_told() -> None:
    assert parsed(b"a: x\0y\n", "yaml").warnings == ("1 NUL character was replaced by U+FFFD.",)
    assert texts(b"a: x\0y\n", "yaml") == ["a: x\ufffdy"]


@pytest.mark.parametrize(
    ("data", "name", "detail"),
    [
        (b'{"a": NaN}', "json", "Not JSON that can be read: NaN is no JSON value at line 1, column 7 (byte 6)."),
        ('{"é": 1,\r\n "ü" 2}'.encode(), "json", "Expecting ':' delimiter at line 2, column 6 (byte 17)."),
        (codecs.BOM_UTF8 + b"[1,\r\rx]", "json", "Expecting value at line 3, column 1 (byte 8)."),
        ('{"é": x}'.encode("utf-16-le"), "json", ""),
        (b'{"a": 1}\n{"b": }', "jsonl", "Not JSONL that can be read: Expecting value at line 2, column 7."),
        (b"<a>\n<b></a>", "xml", "Not XML that can be read: Opening and ending tag mismatch: b line 2 and a at line 2"),
        (b"a: b: c", "yaml", "mapping values are not allowed in this context at line 1, column 5."),
        (b"a = 1\na = 2", "toml", "Not TOML that can be read: Cannot overwrite a value at line 2, column 6."),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "f">]>\n<a>&x;</a>', "xml", "the external entity 'x' is used at line 2."),
    ],
)
def test_what_a_parser_refuses_is_said_with_its_place(data: bytes, name: str, detail: str) -> None:
    if not detail:
        data, detail = codecs.BOM_UTF16_LE + data, "Expecting value at line 1, column 7 (byte 14)."
    with pytest.raises(MalformedDocument) as caught:
        parsed(data, name)
    assert detail in caught.value.detail


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "data", [b"", b" \n", codecs.BOM_UTF8, codecs.BOM_UTF16_BE, b"x", bytes(range(256)), b"\x89PNG\r\n\x1a\n"]
)
def test_little_or_nothing_is_a_result_or_a_named_error(name: str, data: bytes) -> None:
    found = 0
    with contextlib.suppress(BadInput):
        found = len(parsed(data, name).subtrees)
    assert found <= 1


def test_sizes_come_with_the_source() -> None:
    data = b"a: some words\nb: some words\n"

    assert len(parsed(data, "yaml").subtrees) == 1
    assert len(parsed(data, "yaml", sizes=SubtreeSizes(most=10, small=3)).subtrees) == 2
    # Small is never over the most.
    assert len(parsed(data, "yaml", sizes=SubtreeSizes(most=3, small=90)).subtrees) == 4


def test_the_garbage_collector_is_as_it_was() -> None:
    assert gc.isenabled()
    parsed(b"[1]", "json")
    with pytest.raises(MalformedDocument):
        parsed(b"[1", "json")
    assert gc.isenabled()
    gc.disable()
    try:
        parsed(b"[1]", "json")
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("filename", "media_type", "name"),
    [
        ("a.YML", None, "yaml"),
        ("a.ndjson", None, "jsonl"),
        ("map.geojson", None, "json"),
        ("feed.rss", None, "xml"),
        ("pyproject.toml", None, "toml"),
        (None, "application/yaml; charset=utf-8", "yaml"),
        (None, "application/problem+json", "json"),
        (None, "image/svg+xml", "xml"),
        (None, "application/xhtml+xml", "html"),
        (None, "application/x-ndjson", "jsonl"),
    ],
)
def test_extensions_and_media_types(filename: str | None, media_type: str | None, name: str) -> None:
    assert resolve_format(declared=None, filename=filename, media_type=media_type, head=b"x") == name


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b' {"a": [1, 2]}\n', "json"),
        (b"[]", "json"),
        (json.dumps([{"n": "x" * 100}] * 1_000).encode()[: 64 * 1024], "json"),
        (b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        ((b'{"a": "x"}\n' * 10_000)[: 64 * 1024], "jsonl"),
        (b'<?xml version="1.0"?>\n<!-- c --><a>', "xml"),
        (b"<!-- c -->\n<store><a/></store>\n", "xml"),
        (b'<!DOCTYPE note SYSTEM "n.dtd"><note/>', "xml"),
        (b"<store/>", "xml"),
        (b"<store " + b"a='b' " * 20_000, "xml"),
        (b"# head\nversion: 3\nname: web\nport: 80\nlist:\n  - 80\n", "yaml"),
        (b"key: value\nother: [1, 2]\nlast: x\n" * 1 + b"list:\n" + b"  - some item\n" * 6_000, "yaml"),
        (b"<store> is a word", "text"),
        (b"<store> and </other>", "text"),
        (b"<p>one</p>\n\n# Two\n\n<p>three</p>", "markdown"),
        (b"<details><summary>x</summary></details>", "text"),
        (b"<!DOCTYPE html><p>x", "html"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>', "html"),
        (b"[link](target) and text", "markdown"),
        (b"{not json}", "text"),
        (b'{"a": 1}\n{"b": ', "text"),
        (b"5\n6\n", "text"),
        (b"Ann: hi\nBob: hello\nAnn: how are you?\n", "text"),
        (b"---\ntitle: T\nauthor: A\ndate: D\n---\n\n# T\n\nText.\n", "markdown"),
    ],
)
def test_a_look_tells_data_from_prose(head: bytes, name: str) -> None:
    assert sniffed(head) == name


def test_data_formats_have_no_blocks() -> None:
    assert set(FORMATS) == DATA_FORMATS == {reader.format for reader in data_files.READERS}
    for name in FORMATS:
        with pytest.raises(
            UnknownFormat, match=f"{name} is a data format.* Valid formats are markdown, text,"
        ) as caught:
            read_blocks(Source(data=b"a", format=name))
        assert not {"yaml", "json", "toml"} & set(caught.value.detail.partition("Valid")[2].rstrip(".").split(", "))
    assert read_blocks(Source(data=b"a", format="text")).blocks[0].text == "a"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"a: {$ref: 'file:///etc/passwd'}\nb: !include /etc/passwd\nc: {$ref: 'http://10.0.0.1/x#/a'}\n", "yaml"),
        (b'{"$ref": "file:///etc/passwd", "x": {"$ref": "https://e.org/s.json"}}', "json"),
        (b'<a xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="/etc/passwd" parse="text"/></a>', "xml"),
        (b'<!DOCTYPE a SYSTEM "http://10.0.0.1/a.dtd"><a>x</a>', "xml"),
        (b'<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a>x</a>', "xml"),
        (b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "xml"),
        (b'"$ref" = "file:///etc/passwd"\n', "toml"),
    ],
)
def test_nothing_is_opened(data: bytes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("A reader opens nothing.")

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr(socket, "socket", refuse)
    try:
        found = str(parsed(data, name))
    except MalformedDocument as error:
        found = error.detail
    assert "root:" not in found


@pytest.mark.parametrize("name", ["json", "yaml", "xml"])
def test_a_bomb_is_a_named_error(name: str) -> None:
    piece = b"<a>" if name == "xml" else b'{"a":'
    with pytest.raises(TooDeep):
        parsed(piece * 200_000, name)
