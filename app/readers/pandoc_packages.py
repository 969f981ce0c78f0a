"""ODT, EPUB and PPTX: a ZIP package is judged before Pandoc unpacks it (readers design, sections 4 and 13)."""

import html
import re
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO

from app.errors import MalformedDocument, TooLarge

_MEBIBYTE = 1024 * 1024
_MOST_MEMBERS = 10_000
_MOST_TEXT = 50 * _MEBIBYTE
_MOST_UNPACKED = 250 * _MEBIBYTE
#: Text in these formats shrinks to a tenth; what shrinks to less than this share is made of one repeated byte.
_MOST_RATIO = 250
LIMITS = {"members": _MOST_MEMBERS, "unpacked_bytes": _MOST_UNPACKED, "unpacked_text_bytes": _MOST_TEXT}
#: Small packages may be as dense as they like.
_SMALL = 4 * _MEBIBYTE
_TEXT = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx", ".svg", ".css")
_READABLE = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_FLAG_ENCRYPTED = 1
_PROPERTIES = 64 * 1024
_TITLE = re.compile(rb"<dc:title\b[^<>]*>([^<]*)</dc:title>")
_LANGUAGE = re.compile(rb"<dc:language\b[^<>]*>([^<]*)</dc:language>")
#: Up to a member's name, whose length is the first group.
_LOCAL_HEADER = re.compile(rb"PK\x03\x04.{22}(..)..", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Properties:
    """What a package says of its document, and how much text it unpacks to."""

    title: str
    language: str | None
    text_size: int


def inspect(data: bytes, name: str, properties_member: str, main_member: str = "") -> Properties:
    """Judge a package by its directory, before anything is unpacked, and read its document's properties.

    Args:
        data: The package.
        name: The format as messages call it.
        properties_member: Where the properties stand.
        main_member: What no such package is without, where that has one name.

    Raises:
        MalformedDocument: no package, one of another kind, damaged, or encrypted.
        TooLarge: it would unpack to more than a document may.
    """
    try:
        package = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise MalformedDocument(f"The bytes are no {name} package: {error}.") from None
    members = package.infolist()
    _check(members, len(data), name)
    if main_member and all(info.filename != main_member for info in members):
        raise MalformedDocument(f"The package is no {name} document: {main_member} is missing.")
    properties = b""
    for info in members:
        start = _checked_start(package, info)
        properties = start if info.filename == properties_member else properties
    return Properties(_value(_TITLE, properties), _value(_LANGUAGE, properties) or None, _text_size(members))


def has_member(head: bytes, start: bytes) -> bool:
    """True when the first bytes are those of a ZIP archive with a member whose name starts so."""
    if not head.startswith(b"PK\x03\x04"):
        return False
    names = (head[at.end() : at.end() + int.from_bytes(at[1], "little")] for at in _LOCAL_HEADER.finditer(head))
    return any(member.startswith(start) for member in names)


def _check(members: list[zipfile.ZipInfo], packed: int, name: str) -> None:
    if len(members) > _MOST_MEMBERS:
        raise TooLarge(f"The {name} package has {len(members)} members; at most {_MOST_MEMBERS} are read.")
    for info in members:
        if info.flag_bits & _FLAG_ENCRYPTED:
            raise MalformedDocument(f"{info.filename} in the package is encrypted. Send it without a password.")
        if info.compress_type not in _READABLE:
            raise MalformedDocument(f"{info.filename} in the package is compressed in a way that can't be read.")
    unpacked = sum(info.file_size for info in members)
    for size, limit, what in (
        (_text_size(members), _MOST_TEXT, "The text parts"),
        (unpacked, _MOST_UNPACKED, "The members"),
    ):
        if size > limit:
            says = f"{what} of the {name} package unpack to {size // _MEBIBYTE} MiB"
            raise TooLarge(f"{says}; at most {limit // _MEBIBYTE} MiB are read.")
    if unpacked > _SMALL and unpacked > packed * _MOST_RATIO:
        raise TooLarge(f"The {name} package unpacks to over {_MOST_RATIO} times its size.")


def _checked_start(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return how a member begins, after a look at whether the directory is right about its size and its sum."""
    try:
        with package.open(info) as member:
            start = member.read(_PROPERTIES)
            while member.read(_MEBIBYTE):
                pass
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise MalformedDocument(f"{info.filename} in the package is damaged: {error}.") from None
    return start


def _text_size(members: list[zipfile.ZipInfo]) -> int:
    return sum(info.file_size for info in members if info.filename.lower().endswith(_TEXT))


def _value(pattern: re.Pattern[bytes], properties: bytes) -> str:
    match = pattern.search(properties)
    return " ".join(html.unescape(match[1].decode(errors="replace")).split()) if match else ""
