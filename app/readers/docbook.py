"""DocBook to blocks, by Pandoc's tree (readers design, section 13)."""

import re

from app.readers.docbook_mending import mended_docbook
from app.readers.docbook_source import plain_docbook, prepared_docbook
from app.readers.pandoc_texts import PandocText
from app.readers.reader import Reader

_XML_ENCODING = re.compile(rb"\A\s*<\?xml\b[^<>]*?\bencoding\s*=\s*[\"']([\w.:-]+)[\"']")
#: Characters in which the root element opens.
_LONGEST_PROLOG = 10_000


def _xml_charset(data: bytes) -> str | None:
    match = _XML_ENCODING.match(data[:1024])
    return match[1].decode("ascii") if match else None


_LANGUAGE = re.compile(r"<(?:book|article|set|part|chapter|refentry)\b[^<>]*?\s(?:xml:)?lang\s*=\s*[\"']([\w-]+)[\"']")


def _language(text: str) -> str | None:
    match = _LANGUAGE.search(text, 0, _LONGEST_PROLOG)
    return match[1] if match else None


_DOCBOOK_MARKS = re.compile(r"docbook\.org/ns/docbook|//OASIS//DTD DocBook", re.IGNORECASE)

_DOCBOOK = PandocText(
    "docbook",
    "DocBook",
    prepare=prepared_docbook,
    plain=plain_docbook,
    repair=mended_docbook,
    charset=_xml_charset,
    language=_language,
)

READER = Reader(
    format="docbook",
    extensions=("docbook", "dbk"),
    media_types=("application/docbook+xml",),
    read=_DOCBOOK.read,
    looks_like=lambda _, text: text.lstrip().startswith("<") and _DOCBOOK_MARKS.search(text[:2000]) is not None,
)
