import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.readers.decoding import declared_codec, decode


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_first_and_is_removed(mark: bytes, encoding: str) -> None:
    decoded = decode(mark + "Pumpe, größer".encode(encoding), charset="latin1")

    assert (decoded.text, decoded.encoding, decoded.warnings) == ("Pumpe, größer", encoding, ())


def test_utf8_beats_a_declared_charset() -> None:
    assert decode("größer".encode(), charset="latin1").text == "größer"


def test_a_declared_charset_is_read_as_browsers_read_its_label() -> None:
    decoded = decode(b"caf\xe9 \x93q\x94", charset="ISO-8859-1")

    assert (decoded.text, decoded.encoding) == ("café “q”", "windows-1252")
    assert decode("наука".encode("koi8-r"), charset="koi8-r").text == "наука"
    assert decode("水泵".encode("gb18030"), charset="gb2312").text == "水泵"
    assert decode(b"\x1b$B?e\x1b(B", charset="iso-2022-jp").text == "水"
    assert decode("ab".encode("utf-16-le"), charset="utf-16").text == "ab"


@pytest.mark.parametrize("label", [None, "", "no-such", "rot13", "base64", "unicode_escape", "utf-7", "idna", "\0"])
def test_no_other_codec_can_be_declared(label: str | None) -> None:
    assert declared_codec(label) is None


def test_an_unknown_or_failing_declaration_is_ignored() -> None:
    assert decode(b"caf\xe9", charset="no-such").text == "café"
    assert decode(b"caf\xe9", charset="shift_jis").text == "café"


def test_bytes_that_nothing_explains_are_windows_1252() -> None:
    decoded = decode(bytes.fromhex("63 61 66 E9 20 93 71 94 20 81"))

    assert decoded.text == "café “q” \ufffd"
    assert decoded.encoding == "windows-1252"
    assert decoded.warnings == ("The bytes are not UTF-8 and were read as Windows-1252.",)


def test_line_breaks_are_normalized() -> None:
    assert decode(b"a\r\nb\rc\n\rd").text == "a\nb\nc\n\nd"


def test_what_the_database_cannot_hold_is_replaced_and_warned_of() -> None:
    decoded = decode(b"pump\0 on\0")

    assert decoded.text == "pump\ufffd on\ufffd"
    assert decoded.warnings == ("2 NUL characters were replaced by U+FFFD.",)


def test_a_broken_file_with_a_mark_is_read_with_a_warning() -> None:
    decoded = decode(codecs.BOM_UTF8 + b"a\xffb")

    assert decoded.text == "a\ufffdb"
    assert decoded.warnings == ("Bytes that are not utf-8 were replaced by U+FFFD, the first at byte 1.",)


@given(st.binary(max_size=60), st.sampled_from([None, "latin1", "utf-16", "gbk", "iso-2022-jp", "x"]))
def test_decoding_never_fails_and_leaves_nothing_unstorable(data: bytes, charset: str | None) -> None:
    text = decode(data, charset).text

    assert not any(character == "\0" or "\ud800" <= character <= "\udfff" or character == "\r" for character in text)
