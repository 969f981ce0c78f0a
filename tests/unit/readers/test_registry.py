import codecs

import pytest

from app.errors import TooDeep, UnknownFormat
from app.ports.reader_runner import Source
from app.readers import registry
from app.readers.binary import binary_kind
from app.readers.reader import Reader
from app.readers.registry import READERS, read, resolve_format
from tests.unit.readers.reading import lines, parsed


def resolved(
    declared: str | None = None, filename: str | None = None, media_type: str | None = None, head: bytes = b"text"
) -> str:
    return resolve_format(declared=declared, filename=filename, media_type=media_type, head=head)


def test_the_declared_format_wins_over_the_extension_and_that_over_the_media_type() -> None:
    assert resolved("text", "a.md", "text/markdown") == "text"
    assert resolved(None, "a.md", "text/plain") == "markdown"
    assert resolved(None, "README", "text/markdown; charset=utf-8") == "markdown"
    assert resolved(None, "page.html", "text/plain") == "html"


@pytest.mark.parametrize("name", ["A.MD", "b.x.markdown", "dir.txt/c.md", "C:\\docs\\d.md", "e.mkd"])
def test_the_extension_is_what_follows_the_last_dot_of_the_base_name(name: str) -> None:
    assert resolved(filename=name) == "markdown"


@pytest.mark.parametrize(
    ("declared", "filename", "media_type"),
    [("papyrus", None, None), ("", "a.md", None), (None, "a.papyrus", None), (None, "README", "text/papyrus")],
)
def test_an_unknown_format_lists_the_known_ones(
    declared: str | None, filename: str | None, media_type: str | None
) -> None:
    with pytest.raises(UnknownFormat, match="Valid formats are markdown, "):
        resolved(declared, filename, media_type)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"# Pump\n\ntext", "markdown"),
        (b"text\n\n```\ncode\n```\n", "markdown"),
        (b"- one\n- two", "markdown"),
        (b"see [the manual](m.html)", "markdown"),
        (b"plain text #1, 3 * 4", "text"),
        (b"\n" * 300 + b"# too late", "text"),
        (b"", "text"),
        ("# größer".encode("utf-16"), "markdown"),
    ],
)
def test_a_look_decides_when_nothing_else_says_anything(head: bytes, name: str) -> None:
    assert resolved(head=head) == name
    assert resolved(filename="README", media_type="application/octet-stream", head=head) == name


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n%...",
        b"\n %PDF-1.4",
        b"\x89PNG\r\n\x1a\n....",
        b"GIF89a...",
        b"\xff\xd8\xff\xe0..",
        b"PK\x03\x04....",
        b"RIFF\x00\x00\x00\x00WEBPVP8 ",
        bytes(range(256)),
        b"\0" * 50,
        "no mark".encode("utf-16-le"),
    ],
)
@pytest.mark.parametrize("declared", [None, "markdown", "text"])
def test_binary_is_refused_even_when_a_text_format_is_named(data: bytes, declared: str | None) -> None:
    with pytest.raises(UnknownFormat, match="not text"):
        resolved(declared, head=data)
    with pytest.raises(UnknownFormat, match="not text"):
        read(Source(data=data, format=declared or "markdown"))


@pytest.mark.parametrize(
    "data",
    [
        b"pump\0 on",
        "größer".encode("utf-16"),
        codecs.BOM_UTF32_LE + "abc".encode("utf-32-le"),
        b"RIFF is a format",
        b"a\x1b[1mbold\x1b[0m log",
        b"",
        b"\0",
    ],
)
def test_text_is_not_taken_for_binary(data: bytes) -> None:
    assert binary_kind(data) is None


def test_a_declared_wide_charset_needs_no_mark() -> None:
    assert [block.text for block in parsed("größer".encode("utf-16-le"), "text", "utf-16le").blocks] == ["größer"]


def test_a_lone_nul_is_replaced_with_a_warning() -> None:
    document = parsed(b"pump\0 on", "text")

    assert [block.text for block in document.blocks] == ["pump\ufffd on"]
    assert document.warnings == ("1 NUL character was replaced by U+FFFD.",)


def test_no_name_belongs_to_two_readers() -> None:
    for names in (
        [reader.format for reader in READERS],
        [extension for reader in READERS for extension in reader.extensions],
        [media_type for reader in READERS for media_type in reader.media_types],
    ):
        assert len(names) == len(set(names))


def test_an_unknown_format_cannot_be_read() -> None:
    with pytest.raises(UnknownFormat):
        read(Source(data=b"x", format="papyrus"))


@pytest.mark.parametrize("name", ["markdown", "text"])
@pytest.mark.parametrize("data", [b"", b" \n\t\n", codecs.BOM_UTF8, codecs.BOM_UTF16_BE, "\u200b\u00ad".encode()])
def test_nothing_to_read_makes_no_blocks(name: str, data: bytes) -> None:
    assert parsed(data, name).blocks == ()


@pytest.mark.parametrize("name", ["markdown", "text"])
def test_one_character_makes_one_block(name: str) -> None:
    assert lines("x", name) == ["p | x"]


def test_a_parser_that_runs_out_of_stack_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def bottomless(source: Source) -> object:
        return bottomless(source)

    monkeypatch.setitem(registry._BY_FORMAT, "text", Reader(format="text", read=bottomless))  # type: ignore[arg-type]  # returns nothing at all
    with pytest.raises(TooDeep):
        read(Source(data=b"x", format="text"))
