"""EPUB to blocks, by Pandoc's tree (readers design, section 13)."""

import re
from typing import Any

from app.readers.pandoc_archives import PandocPackage
from app.readers.pandoc_packages import LIMITS
from app.readers.pandoc_texts import Made
from app.readers.reader import Reader

_PAGE_BREAKS = frozenset({"pagebreak", "doc-pagebreak"})
_NUMBER = re.compile(r"\s*(?:[^\W\d_]+[.:]?\s*)?(\d{1,6})\s*[.:]?\s*\Z")


class _EpubDialect(Made):
    def page(self, attributes: Any, text: str) -> int | None:  # noqa: ANN401 - a node's own payload
        """Return the page of the printed book that begins at a page break, by its label: `12`, `Page 12.`."""
        _, classes, pairs = attributes
        named = dict(pairs)
        if _PAGE_BREAKS.isdisjoint((*classes, named.get("role", ""))):
            return None
        labels = (named.get("title", ""), named.get("aria-label", ""), text)
        return next((int(match[1]) for label in labels if (match := _NUMBER.match(label))), None)


_EPUB = PandocPackage("epub", "EPUB", "", "META-INF/container.xml", _EpubDialect)

READER = Reader(
    format="epub",
    extensions=("epub",),
    media_types=("application/epub+zip",),
    read=_EPUB.read,
    looks_like=lambda head, _: b"mimetypeapplication/epub+zip" in head[:200],
    binary=True,
    limits=LIMITS,
)
