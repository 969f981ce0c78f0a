import random
import struct
import zipfile
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import BadInput, MalformedDocument, NeedsBytes, TooDeep, TooLarge, UnknownFormat
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks, resolve_format
from tests.unit.readers.docx_files import docx, item, members_of, p, part, tbl, tc, tr, zipped

OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def read_bytes(data: bytes) -> list[str]:
    return [block.text for block in read_blocks(Source(data=data, format="docx")).blocks]


def test_text_needs_to_be_sent_as_bytes() -> None:
    with pytest.raises(NeedsBytes, match="docx is a binary format"):
        read_bytes(b"# A heading")
    with pytest.raises(NeedsBytes):
        resolve_format(declared="docx", filename=None, media_type=None, head="grön".encode())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no DOCX package"),
        (b"\n", "no DOCX package"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "no DOCX package"),
        (b"%PDF-1.7\n" + bytes(100), "no DOCX package"),
        (b"PK\x03\x04" + bytes(100), "no DOCX package"),
        (bytes(range(256)), "no DOCX package"),
        (OLD_OFFICE, "old Office format"),
        (OLD_OFFICE + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (zipped({"xl/workbook.xml": "<x/>"}), "no Word document"),
        (zipped({"word/document.xml": ""}), "no Word document"),
        (zipped({"word/document.xml": "<x/>"}), "no Word document"),
        (zipped({"word/document.xml": "<w:document"}), "not well formed"),
        (zipped({"word/document.xml": b"\xff\xfe\x00"}), "not well formed"),
        (zipped({**members_of(p("x")), "word/styles.xml": "<w:styles>"}), "word/styles.xml is not well formed"),
    ],
)
def test_what_is_no_package_is_malformed(data: bytes, said: str) -> None:
    with pytest.raises(MalformedDocument, match=said):
        read_bytes(data)


def test_a_zip_is_sniffed_by_its_members() -> None:
    picture_first = zipped({"docProps/thumbnail.jpeg": b"\xff\xd8", **members_of(p("x"))})

    assert resolve_format(declared=None, filename=None, media_type=None, head=docx(p("x"))) == "docx"
    assert (
        resolve_format(declared=None, filename="a", media_type="application/octet-stream", head=picture_first) == "docx"
    )
    assert resolve_format(declared=None, filename="a.docx", media_type=None, head=b"PK\x03\x04") == "docx"
    for other in (zipped({"a.txt": "word/document.xml"}), b"PK\x03\x04"):
        with pytest.raises(UnknownFormat, match="ZIP archive"):
            resolve_format(declared=None, filename=None, media_type=None, head=other)
    with pytest.raises(UnknownFormat, match="ZIP archive"):
        resolve_format(declared="markdown", filename=None, media_type=None, head=docx(p("x")))


# Unpacking


def test_a_bomb_that_says_its_size_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(TooLarge, match="XML parts of the package unpack to 60 MiB; at most 50 MiB"):
        read_bytes(zipped({**members_of(p("x")), "word/theme.xml": bytes(60 << 20)}))
    pictures = {f"word/media/{number}.png": bytes(64 << 20) for number in range(4)}
    with pytest.raises(TooLarge, match="members of the package unpack to 256 MiB; at most 250 MiB"):
        read_bytes(zipped({**members_of(p("x")), **pictures}))


def lying(data: bytes, name: str, size: int) -> bytes:
    """Give a member another size in the directory."""
    at = data.index(name.encode(), data.index(b"PK\x01\x02"))
    while data[at - 46 : at - 42] != b"PK\x01\x02":
        at = data.index(name.encode(), at + 1)
    return data[: at - 22] + struct.pack("<I", size) + data[at - 18 :]


def test_a_bomb_that_lies_about_its_size_is_cut_short() -> None:
    inside = part("w:document", f"<w:body>{p('x' * 100)}</w:body>{' ' * (200 << 20)}")
    data = lying(zipped({"word/document.xml": inside}), "word/document.xml", 1000)

    with pytest.raises(MalformedDocument, match="damaged"):
        read_bytes(data)


def test_damaged_and_oddly_packed_members_are_refused() -> None:
    good = docx(p("x"))
    flipped = good.replace(b"word/document.xml", b"word/document.xmL", 1)
    with pytest.raises(MalformedDocument, match="damaged"):
        read_bytes(flipped)
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(MalformedDocument, match="compressed in a way"):
        read_bytes(buffer.getvalue())
    at = good.index(b"PK\x01\x02") + 8
    with pytest.raises(MalformedDocument, match="encrypted"):
        read_bytes(good[:at] + b"\x01\x00" + good[at + 2 :])


def test_members_without_number_are_refused() -> None:
    with pytest.raises(TooLarge, match="20001 members"):
        read_bytes(zipped({f"{number}.bin": b"" for number in range(20_001)}))


# XML

_ENTITY = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
_BOMB = '<!DOCTYPE x [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9)) + "]>"


@pytest.mark.parametrize("doctype", [_ENTITY, _BOMB, "<!DOCTYPE x>"])
@pytest.mark.parametrize("name", ["word/document.xml", "word/styles.xml", "_rels/.rels", "word/theme/theme1.xml"])
def test_a_document_type_is_refused_in_every_part(doctype: str, name: str) -> None:
    members = {"word/theme/theme1.xml": "<x/>", **members_of(p("&e;"))}
    declaration, mark, rest = str(members[name]).partition("?>")
    members[name] = declaration + mark + doctype + rest if mark else doctype + declaration

    with pytest.raises(MalformedDocument, match=r"DOCTYPE|well formed"):
        read_bytes(zipped(members))


def test_a_document_type_behind_a_long_comment_is_refused_too() -> None:
    data = zipped({"word/document.xml": f"<!-- {'x' * 5000} -->{_ENTITY}<x>&e;</x>"})

    with pytest.raises(MalformedDocument, match="DOCTYPE"):
        read_bytes(data)


def test_entities_in_another_encoding_are_refused_too() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?>' + _ENTITY + "<x>&e;</x>"

    with pytest.raises(MalformedDocument, match="DOCTYPE"):
        read_bytes(zipped({"word/document.xml": text.encode("utf-16")}))


def test_elements_may_be_nested_256_deep() -> None:
    def nested(levels: int) -> bytes:
        return docx("<w:ins>" * levels + p("x") + "</w:ins>" * levels)

    assert read_bytes(nested(250)) == ["x"]
    with pytest.raises(TooDeep, match=r"word/document\.xml is nested over 256 levels"):
        read_bytes(nested(300))
    with pytest.raises(TooDeep):
        read_bytes(nested(200_000))


def test_tables_in_tables_are_read_as_deep_as_they_may_be() -> None:
    inside = p("x")
    for _ in range(60):
        inside = tbl(tr(tc(inside), "y"))

    assert len(read_bytes(docx(inside))) == 1


def test_words_of_10_megabytes_are_refused_by_name() -> None:
    with pytest.raises(BadInput):
        read_bytes(docx(p("x" * 11_000_000)))


@pytest.mark.parametrize(
    "body",
    [
        p(*('<w:r><w:fldChar w:fldCharType="begin"/></w:r>',) * 20_000),
        p(*('<w:r><w:fldChar w:fldCharType="end"/></w:r>',) * 20_000),
        p("<w:r><w:drawing/></w:r>" * 20_000),
        tbl(*(tr(tc("", "<w:vMerge/>")) for _ in range(5_000))),
        "".join(p(style="Kod") for _ in range(20_000)),
        "".join(p("a", props="<w:rPr><w:del/></w:rPr>") for _ in range(2_000)),
        '<w:p><w:pPr><w:outlineLvl w:val="-99999999999999999999"/></w:pPr></w:p>',
        p("x", props='<w:numPr><w:ilvl w:val="999999999"/><w:numId w:val="9999999999999999999999"/></w:numPr>'),
    ],
)
def test_odd_bodies_are_read(body: str) -> None:
    read_bytes(docx(body))


@given(st.binary(max_size=200))
def test_any_bytes_give_blocks_or_a_named_error(data: bytes) -> None:
    for candidate in (data, b"PK\x03\x04" + data, zipped({"word/document.xml": data})):
        with pytest.raises(BadInput):
            read_bytes(candidate)


@given(st.integers(0, 2**32))
def test_a_mutated_document_gives_blocks_or_a_named_error(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - damage, not cryptography
    members = members_of(
        item("a", 1) + p("b", style="Kod") + tbl(tr("a", tc("b", '<w:gridSpan w:val="2"/>'))), footnotes="<w:x/>"
    )
    name = chance.choice(sorted(members))
    text = str(members[name])
    at, length = chance.randrange(len(text)), chance.randrange(1, 40)
    members[name] = text[:at] + text[chance.randrange(len(text)) :][:length] + text[at + length :]
    data = bytearray(zipped(members))
    if chance.random() < 0.5:
        data[chance.randrange(len(data))] = chance.randrange(256)
    with suppress(BadInput):
        read_bytes(bytes(data))
