"""Bad input of every kind: one of our errors that says what and where, or a right document, in bounded time and memory.

Here is what all formats share. The rest stands with the formats: floods of signs in `test_<format>` and
`test_<format>_hostile`, damaged and oddly packed DOCX files in `test_docx_hostile`, damaged ODT packages in
`test_pandoc_formats`, Pandoc's limits in `test_pandoc`, nesting of data files in `test_data_files` and the tests of
`app.markup` (there also alias bombs and floods), HTML nesting in `test_html`, block lists in `test_blocks`, constructs
without an end in `test_unended`, files and addresses in `test_nothing_opened`, mutilated documents in `tests.fuzz`,
and the limits of the process that runs readers in `tests.unit.adapters`.
"""

import io
import re
import resource
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from app.documents.markup import ParsedMarkup
from app.errors import BadInput, MalformedDocument, TooDeep, TooLarge, UnknownFormat
from app.ports.reader_runner import Source
from app.readers.reader import Reader
from app.readers.registry import READERS, read, resolve_format
from tests.unit.readers.docx_files import docx, p, relationships, zipped
from tests.unit.readers.package_files import epub, odt, pptx, shape
from tests.unit.readers.test_docx_hostile import OLD_OFFICE, lying

_MEBIBYTE = 1 << 20
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(40)
GOOD = {
    "docx": docx(p("fine")),
    "odt": odt("<text:p>fine</text:p>"),
    "epub": epub("<p>fine</p>"),
    "pptx": pptx(shape("fine")),
}
#: The part of each package that holds its text.
PARTS = {"docx": "word/document.xml", "odt": "content.xml", "epub": "a.xhtml", "pptx": "ppt/slides/slide1.xml"}
ENCRYPTED = OLD_OFFICE + "EncryptedPackage".encode("utf-16-le")


@contextmanager
def bounded(seconds: float = 5, mebibytes: int = 300) -> Iterator[None]:
    """Fail when more processor time, Pandoc's included, or much more memory than ever before was taken."""
    own, others = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = time.process_time() - own + used.ru_utime + used.ru_stime - others.ru_utime - others.ru_stime
    assert taken < seconds
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < mebibytes


def refusal(data: bytes, name: str) -> BadInput:
    """The error that a document is refused with."""
    with bounded(), pytest.raises(BadInput) as caught:
        read(Source(data=data, format=name))
    return caught.value


def members(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_zeros(package: bytes, sizes: Mapping[str, int]) -> bytes:
    """A package with more members, of so many MiB of zeros each."""
    buffer = io.BytesIO(package)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, size in sizes.items():
            with archive.open(name, "w") as member:
                for _ in range(size):
                    member.write(bytes(_MEBIBYTE))
    return buffer.getvalue()


# Packages


@pytest.mark.parametrize("name", GOOD)
def test_the_packages_are_good_before_they_are_spoiled(name: str) -> None:
    found = read(Source(data=GOOD[name], format=name))

    assert "fine" in str(found)
    assert zipfile.ZipFile(io.BytesIO(GOOD[name])).getinfo(PARTS[name])


@pytest.mark.parametrize("name", GOOD)
def test_a_bomb_that_says_its_size_is_too_large(name: str) -> None:
    for sizes, said in (
        ({f"{PARTS[name]}.xml": 60}, r"unpack to (60|61) MiB; at most 50 MiB"),
        ({f"media/{number}.png": 64 for number in range(4)}, r"unpack to 256 MiB; at most 250 MiB"),
    ):
        data = with_zeros(GOOD[name], sizes)
        assert len(data) < _MEBIBYTE

        refused = refusal(data, name)

        assert isinstance(refused, TooLarge)
        assert re.search(said, refused.detail)


@pytest.mark.parametrize("name", GOOD)
def test_a_bomb_that_lies_about_its_size_is_malformed(name: str) -> None:
    inside = members(GOOD[name])
    inside[PARTS[name]] += b" " * (40 * _MEBIBYTE)
    data = lying(zipped(inside), PARTS[name], 1000)

    refused = refusal(data, name)

    assert isinstance(refused, MalformedDocument)
    assert PARTS[name] in refused.detail


SPREADSHEET = zipped(
    {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relationships(
            ("http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument", "xl/workbook.xml")
        ),
        "xl/workbook.xml": "<workbook/>",
    }
)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("docx", ("odt", "epub", "pptx", "xlsx")),
        ("odt", ("docx", "epub", "pptx", "xlsx")),
        ("epub", ("docx", "odt", "pptx", "xlsx")),
        ("pptx", ("odt", "epub")),
    ],
)
def test_a_package_of_another_kind_is_malformed(name: str, others: tuple[str, ...]) -> None:
    packages = {**GOOD, "xlsx": SPREADSHEET}
    for data in (*(packages[other] for other in others), zipped({"a.txt": "x"}), GOOD[name][:-30], GOOD[name][:60]):
        refused = refusal(data, name)

        assert isinstance(refused, MalformedDocument)
        assert name.upper() in refused.detail or "no Word document" in refused.detail


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("data", [ENCRYPTED, OLD_OFFICE, PNG, b"%PDF-1.7\n" + bytes(60), b"\x1f\x8b\x08" + bytes(60)])
def test_other_binary_files_are_malformed(name: str, data: bytes) -> None:
    assert isinstance(refusal(data, name), MalformedDocument)


def test_a_spreadsheet_called_docx_says_what_is_missing() -> None:
    assert resolve_format(declared=None, filename="plan.docx", media_type=None, head=SPREADSHEET) == "docx"
    assert "no Word document: xl/workbook.xml" in refusal(SPREADSHEET, "docx").detail


# Text formats


@pytest.mark.parametrize("reader", [reader for reader in READERS if not reader.binary], ids=lambda one: one.format)
def test_a_picture_under_the_name_of_a_text_is_refused(reader: Reader) -> None:
    for extension in reader.extensions:
        with pytest.raises(UnknownFormat, match="The bytes are a PNG image, not text"):
            resolve_format(declared=None, filename=f"plan.{extension}", media_type=None, head=PNG)
    with pytest.raises(UnknownFormat, match="The bytes are a PNG image, not text"):
        resolve_format(declared=reader.format, filename=None, media_type=None, head=PNG)
    assert isinstance(refusal(PNG, reader.format), UnknownFormat)


@pytest.mark.parametrize("name", ["json", "jsonl", "ipynb", "blocks"])
@pytest.mark.parametrize("piece", ["[", '{"a":'])
def test_nesting_of_a_hundred_thousand_levels_is_too_deep(name: str, piece: str) -> None:
    nested = piece * 100_000
    closed = nested + "1" + ("]" if piece == "[" else "}") * 100_000
    for text in (nested, closed, f'{{"cells": {closed}}}', f'[{{"type": "quote", "text": "x", "meta": {closed}}}]'):
        refused = refusal(text.encode(), name)

        assert isinstance(refused, TooDeep)
        assert refused.code == "too-deep"


def test_tags_of_yaml_make_no_objects() -> None:
    text = (
        "a: !!python/object/apply:os.system ['exit 3']\nb: !!python/name:os.system\nc: !!binary aGk=\nd: !ruby:X {}\n"
    )

    with bounded():
        parsed = read(Source(data=text.encode(), format="yaml"))

    assert isinstance(parsed, ParsedMarkup)
    assert [one.text for one in parsed.subtrees] == [text.rstrip("\n")]


def test_aliases_of_yaml_are_not_followed() -> None:
    text = "a0: &a0 [ha, ha]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30))

    with bounded():
        parsed = read(Source(data=text.encode(), format="yaml"))

    assert isinstance(parsed, ParsedMarkup)
    assert sum(len(one.text) for one in parsed.subtrees) <= len(text) + 1000


# Document types

SYSTEM = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
PARAMETER = '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>'
BOMB = (
    '<!DOCTYPE x [<!ENTITY e0 "haha">'
    + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    + '<!ENTITY e "&e8;">]>'
)
QUADRATIC = f'<!DOCTYPE x [<!ENTITY e "{"ha" * 50_000}">]>'
DOCUMENT_TYPES = {"a file": SYSTEM, "a parameter": PARAMETER, "a bomb": BOMB, "one long entity": QUADRATIC}
#: How each format looks around a document type and a use of its entity.
AROUND = {
    "xml": "{}<x>fine {}</x>",
    "docbook": "{}<article><para>fine {}</para></article>",
    "html": '<?xml version="1.0"?>{}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>fine {}</p></body></html>',
}


@pytest.mark.parametrize("kind", DOCUMENT_TYPES)
@pytest.mark.parametrize("name", AROUND)
def test_entities_open_nothing_and_do_not_explode(name: str, kind: str) -> None:
    uses = "&e;" * (1000 if kind == "one long entity" else 1)
    source = AROUND[name].format(DOCUMENT_TYPES[kind], uses)

    with bounded():
        try:
            found = str(read(Source(data=source.encode(), format=name)))
        except MalformedDocument as refused:
            found = refused.detail
            assert "entity" in found or "line" in found

    assert "root:" not in found
    assert found.count("ha") < 100_000
    assert name != "html" or "fine" in found


@pytest.mark.parametrize("kind", DOCUMENT_TYPES)
@pytest.mark.parametrize("name", GOOD)
def test_entities_in_packages_open_nothing_and_do_not_explode(name: str, kind: str) -> None:
    inside = members(GOOD[name])
    written = inside[PARTS[name]].replace(b"fine", b"fine &e;")
    declaration, mark, rest = written.partition(b"?>")
    doctype = DOCUMENT_TYPES[kind].encode()
    inside[PARTS[name]] = declaration + mark + doctype + rest if mark else doctype + written

    with bounded():
        try:
            found = str(read(Source(data=zipped(inside), format=name)))
        except MalformedDocument as refused:
            found = refused.detail
            assert name != "docx" or PARTS[name] in found

    assert "root:" not in found
    assert found.count("ha") < 100_000


def test_xml_with_the_entities_of_p19_is_quick() -> None:
    """P19: a file entity, and 8 nested entities of 10."""
    for doctype in (SYSTEM, BOMB):
        with bounded(seconds=1), pytest.raises(MalformedDocument) as caught:
            read(Source(data=f"{doctype}<x>&e;</x>".encode(), format="xml"))
        assert caught.value.code == "malformed"
        assert "root:" not in caught.value.detail
