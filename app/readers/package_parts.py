"""Parts of a package as XML trees, once the package has been judged (readers design, section 4)."""

import posixpath
import zipfile
from dataclasses import dataclass
from io import BytesIO
from typing import TypeAlias

from lxml import etree

from app.errors import MalformedDocument, TooDeep

#: An element of a part; lxml's own stubs know it under this name.
Element: TypeAlias = etree._Element  # noqa: SLF001 - lxml offers no public name for it


@dataclass(frozen=True, slots=True)
class Relationship:
    """Where a part of an Office package leads: to which part, and what that is to it."""

    kind: str
    target: str


class PackageParts:
    """The members of a package that `inspect` has let through."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(BytesIO(data))
        self._names = frozenset(self._zip.namelist())

    def tree(self, name: str) -> Element | None:
        """Return a part's root element, or None when the package has no such part.

        Raises:
            MalformedDocument: it is not well formed, or has a document type declaration.
            TooDeep: elements are nested over 256 levels deep.
        """
        if name not in self._names:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(self._zip.read(name), parser)
        except etree.XMLSyntaxError as error:
            if "depth" in str(error):
                raise TooDeep(f"{name} is nested over 256 levels deep.") from None
            raise MalformedDocument(f"{name} is not well formed: {error.msg}.") from None
        if root.getroottree().docinfo.internalDTD is not None:
            raise MalformedDocument(f"{name} has a document type declaration (DOCTYPE), which no part may have.")
        return root

    def relationships(self, name: str) -> dict[str, Relationship]:
        """Return where a part of an Office package leads inside the package, by identifier."""
        folder, base = posixpath.split(name)
        root = self.tree(posixpath.join(folder, "_rels", f"{base}.rels"))
        return {
            element.get("Id", ""): Relationship(
                element.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, element.get("Target", ""))).lstrip("/"),
            )
            for element in (root if root is not None else ())
            if element.get("TargetMode") != "External"
        }

    def replaced(self, name: str, root: Element) -> bytes:
        """Return the package with another tree in the place of a part's."""
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as package:
            for info in self._zip.infolist():
                data = etree.tostring(root, encoding="UTF-8") if info.filename == name else self._zip.read(info)
                package.writestr(info.filename, data)
        return buffer.getvalue()
