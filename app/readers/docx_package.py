"""A DOCX file as a package: guards, relationships and parts as XML trees (readers design, section 11).

Only the parts that are read get unpacked, and a relationship that leads nowhere is no reason to refuse a document:
python-docx loads every member and refuses packages with such a relationship, templates, macro-enabled documents and
strict namespaces (measured with 1.2), so it is the tests' second opinion only.
"""

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TypeAlias

from lxml import etree

from app.errors import MalformedDocument, TooDeep, TooLarge

#: An element of a part; lxml's own stubs know it under this name.
Element: TypeAlias = etree._Element  # noqa: SLF001 - lxml offers no public name for it

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

_MEBIBYTE = 1024 * 1024
_MOST_XML = 50 * _MEBIBYTE
_MOST_UNPACKED = 250 * _MEBIBYTE
_MOST_MEMBERS = 20_000
LIMITS = {"members": _MOST_MEMBERS, "unpacked_bytes": _MOST_UNPACKED, "unpacked_xml_bytes": _MOST_XML}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_READABLE = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_FLAG_ENCRYPTED = 1
#: Bytes of a part in which a document type declaration is looked for before the part is parsed.
_PROLOG = 4096
_DOCTYPE = re.compile(rb"<!\s*DOCTYPE", re.IGNORECASE)
_STRICT = "http://purl.oclc.org/ooxml/"
_TRANSITIONAL = {
    f"{_STRICT}wordprocessingml/main": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    f"{_STRICT}drawingml/wordprocessingDrawing": (
        "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    ),
    f"{_STRICT}officeDocument/math": "http://schemas.openxmlformats.org/officeDocument/2006/math",
}


@dataclass(frozen=True, slots=True)
class _Relationship:
    kind: str
    target: str


class Package:
    """The members of a DOCX file, by part name.

    Raises:
        MalformedDocument: no package, or one that must not be opened.
        TooLarge: it would unpack to more than a document may.
    """

    def __init__(self, data: bytes) -> None:
        self._zip = _open(data)
        self._members: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            self._members[_part_name(info.filename)] = info
        _check(self._zip.infolist())
        for name, info in self._members.items():
            if name.endswith((".xml", ".rels")) and _DOCTYPE.search(self._unpack(info, _PROLOG)):
                raise _no_doctype(name)
        self.main = self.related("", "officeDocument") or "word/document.xml"

    def related(self, part: str, kind: str) -> str | None:
        """Return the name of the part that a part names for a kind of relationship, if it is in the package."""
        folder, name = posixpath.split(part)
        rels = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
        for relationship in _relationships(rels):
            if relationship.kind == kind:
                target = posixpath.normpath(posixpath.join("/", folder, relationship.target)).lstrip("/").lower()
                if target in self._members:
                    return target
        return None

    def tree(self, part: str | None) -> Element | None:
        """Return a part's root element, or None when the package has no such part.

        Raises:
            MalformedDocument: not well formed, with a DOCTYPE, or damaged.
            TooDeep: elements are nested over 256 levels deep.
        """
        info = self._members.get((part or "").lower())
        if info is None:
            return None
        data = self._unpack(info, info.file_size + 1)
        if not data.strip():
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            if "depth" in str(error):
                raise TooDeep(f"{part} is nested over 256 levels deep.") from None
            raise MalformedDocument(f"{part} is not well formed: {error.msg}.") from None
        if root.getroottree().docinfo.internalDTD is not None:
            raise _no_doctype(str(part))
        _to_transitional(root)
        return root

    def _unpack(self, info: zipfile.ZipInfo, most: int) -> bytes:
        """Return a member's bytes, at most so many: the directory's word on its size is not trusted."""
        try:
            with self._zip.open(info) as member:
                return member.read(most)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise MalformedDocument(f"{info.filename} in the package is damaged: {error}.") from None


def is_docx(head: bytes, _text: str = "") -> bool:
    """True when the first bytes are those of a ZIP archive with a Word document's members."""
    if not head.startswith(b"PK\x03\x04"):
        return False
    names = (head[at.end() : at.end() + int.from_bytes(at[1], "little")] for at in _LOCAL_HEADER.finditer(head))
    return any(name.replace(b"\\", b"/").lower().lstrip(b"/").startswith(b"word/") for name in names)


#: Up to a member's name, whose length is the first group.
_LOCAL_HEADER = re.compile(rb"PK\x03\x04.{22}(..)..", re.DOTALL)


def _open(data: bytes) -> zipfile.ZipFile:
    if data.startswith(_OLD_OFFICE):
        if _ENCRYPTED in data:
            raise MalformedDocument("The document is encrypted. Save it without a password and send that.")
        raise MalformedDocument("The document is in the old Office format (.doc). Save it as .docx and send that.")
    try:
        return zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise MalformedDocument(f"The bytes are no DOCX package: {error}.") from None


def _check(members: list[zipfile.ZipInfo]) -> None:
    """Judge a package by its directory, before anything is unpacked."""
    if len(members) > _MOST_MEMBERS:
        raise TooLarge(f"The package has {len(members)} members; at most {_MOST_MEMBERS} are read.")
    for info in members:
        if info.flag_bits & _FLAG_ENCRYPTED:
            raise MalformedDocument(f"{info.filename} in the package is encrypted. Send it without a password.")
        if info.compress_type not in _READABLE:
            raise MalformedDocument(f"{info.filename} in the package is compressed in a way that DOCX doesn't use.")
    xml = sum(info.file_size for info in members if info.filename.lower().endswith((".xml", ".rels")))
    for size, limit, what in (
        (xml, _MOST_XML, "The XML parts"),
        (sum(info.file_size for info in members), _MOST_UNPACKED, "The members"),
    ):
        if size > limit:
            unpacked = f"{what} of the package unpack to {size // _MEBIBYTE} MiB"
            raise TooLarge(f"{unpacked}; at most {limit // _MEBIBYTE} MiB are read.")


def _part_name(name: str) -> str:
    """Part names are compared without case; some writers use the other slash."""
    return name.replace("\\", "/").lstrip("/").lower()


def _relationships(rels: Element | None) -> Iterator[_Relationship]:
    """Yield the relationships inside the package; what lies outside is never looked at."""
    for element in rels if rels is not None else ():
        if element.get("TargetMode") != "External":
            yield _Relationship(element.get("Type", "").rpartition("/")[2], element.get("Target", ""))


def _to_transitional(root: Element) -> None:
    """Rename what a strict document calls otherwise, so that readers know one name for each thing."""
    if not any(address.startswith(_STRICT) for address in root.nsmap.values()):
        return
    for element in root.iter(etree.Element):
        element.tag = _renamed(str(element.tag))
        for name, value in element.attrib.items():
            renamed = _renamed(str(name))
            if renamed != name:
                del element.attrib[name]
                element.set(renamed, value)


def _renamed(name: str) -> str:
    address, brace, local = name[1:].partition("}")
    return f"{{{_TRANSITIONAL[address]}}}{local}" if brace and address in _TRANSITIONAL else name


def _no_doctype(part: str) -> MalformedDocument:
    return MalformedDocument(f"{part} has a document type declaration (DOCTYPE), which no DOCX part may have.")
