"""YAML, JSON, JSON Lines, XML and TOML to subtrees (markup design).

The text is decoded here as for every reader; what is done with it stands in `app.markup`.
"""

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

from app.documents.markup import ParsedMarkup, SubtreeSizes
from app.errors import MalformedDocument
from app.markup.cut import MOST_UNITS
from app.markup.json_records import json_lines_subtrees, json_subtrees
from app.markup.json_values import begins_json
from app.markup.outline import DEEPEST
from app.markup.subtrees import subtrees
from app.markup.syntax import BadSyntax
from app.markup.toml_outline import toml_outline
from app.markup.xml_outline import xml_outline
from app.markup.yaml_look import looks_like_yaml
from app.markup.yaml_outline import yaml_outline
from app.ports.reader_runner import Source
from app.readers.decoding import Decoded, declared_codec, decode
from app.readers.reader import Reader

#: A look of this size may end in the middle of a document.
_CUT_SHORT = 64 * 1024
_XML_ENCODING = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']"
)
_XML_START = re.compile(
    r"\s*+(?:<\?xml\s|(?:<!--(?:(?!-->).)*+-->\s*+|<\?(?:(?!\?>).)*+\?>\s*+)*+(?:<!DOCTYPE\s++(?!html\b)\S|"
    r"<(?P<root>[A-Za-z_][\w.:-]*+)[\s/>]))",
    re.DOTALL | re.IGNORECASE,
)
_HTML_ROOT = re.compile(r"<(?:!DOCTYPE\s+)?html\b", re.IGNORECASE)
#: Elements that Markdown likes to start with.
_IN_MARKDOWN = re.compile(
    r"a|abbr|b|big|blockquote|br|center|code|dd|details|div|dl|dt|em|font|h[1-6]|hr|i|iframe|img|kbd|li|ol|p|picture|"
    r"pre|s|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video",
    re.IGNORECASE,
)
_LINE_BREAK = re.compile(r"\r\n?|\n")
#: Lines of JSON Lines that are looked at.
_LOOKED_AT = 20

#: From a text to its subtrees.
Cutter: TypeAlias = Callable[[str, SubtreeSizes], ParsedMarkup]


def _reader(
    name: str,
    cutter: Cutter,
    extensions: tuple[str, ...],
    media_types: tuple[str, ...],
    looks_like: Callable[[bytes, str], bool] | None,
) -> Reader:
    def read(source: Source) -> ParsedMarkup:
        return _read(source, name, cutter)

    return Reader(
        format=name,
        extensions=extensions,
        media_types=media_types,
        read=read,
        data=True,
        looks_like=looks_like,
        limits={"levels": DEEPEST, "units": MOST_UNITS},
    )


def _read(source: Source, name: str, cutter: Cutter) -> ParsedMarkup:
    """Read a data file.

    Raises:
        MalformedDocument: its parser refuses it; the message says where.
        TooDeep: it is nested too deeply.
        TooLarge: it makes too many units.
    """
    decoded = decode(source.data, source.charset or (_declared(source.data) if name == "xml" else None))
    try:
        with _without_collections():
            parsed = cutter(decoded.text, source.subtrees)
    except BadSyntax as refused:
        raise MalformedDocument(_sentence(refused, source.data, decoded, name)) from None
    return replace(parsed, encoding=decoded.encoding, warnings=(*decoded.warnings, *parsed.warnings))


@contextmanager
def _without_collections() -> Iterator[None]:
    """Keep the garbage collector from going through millions of nodes again and again while they are made."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _declared(data: bytes) -> str | None:
    """Return the encoding that an XML declaration names; one that could be read as bytes is not a wide one."""
    match = _XML_ENCODING.match(data)
    name = match[1].decode("ascii") if match else None
    return None if (declared_codec(name) or "").startswith(("utf-16", "utf-32")) else name


def _sentence(refused: BadSyntax, data: bytes, decoded: Decoded, name: str) -> str:
    what = f"Not {name.upper()} that can be read: {refused.what}"
    if refused.line is None:
        return f"{what}."
    place = f"{what} at line {refused.line}"
    if refused.column is None:
        return f"{place}."
    place = f"{place}, column {refused.column}"
    return (
        f"{place} (byte {_byte(data, decoded.encoding, refused.line, refused.column)})."
        if name == "json"
        else f"{place}."
    )


def _byte(data: bytes, encoding: str, line: int, column: int) -> int:
    """Return how many bytes of the document stand before a place in its text."""
    text = data.decode(encoding, "replace")
    start = 1 if text.startswith("\ufeff") else 0
    for number, match in enumerate(_LINE_BREAK.finditer(text), start=2):
        if number == line:
            start = match.end()
            break
    return len(text[: start + column - 1].encode(encoding, "replace"))


def _looks_like_xml(head: bytes, text: str) -> bool:
    match = _XML_START.match(text)
    if match is None or _HTML_ROOT.search(text, 0, 2000):
        return False
    root = match["root"]
    if root is None:
        return True
    closed = re.search(rf"(?:</{re.escape(root)}\s*|/)>\s*\Z", text[-200:])
    return _IN_MARKDOWN.fullmatch(root) is None and (bool(closed) or len(head) >= _CUT_SHORT)


def _looks_like_json(head: bytes, text: str) -> bool:
    return begins_json(text, whole=len(head) < _CUT_SHORT)


def _looks_like_json_lines(head: bytes, text: str) -> bool:
    lines = text.split("\n")[: -1 if len(head) >= _CUT_SHORT else None]
    records = [line for line in lines if line.strip()][:_LOOKED_AT]
    return len(records) > 1 and all(begins_json(record, whole=True) for record in records)


def _looks_like_yaml(head: bytes, text: str) -> bool:
    return looks_like_yaml(text.rpartition("\n")[0] if len(head) >= _CUT_SHORT else text)


READERS = (
    _reader(
        "json",
        json_subtrees,
        ("json", "geojson", "webmanifest"),
        ("application/json", "text/json", "+json"),
        _looks_like_json,
    ),
    _reader(
        "jsonl",
        json_lines_subtrees,
        ("jsonl", "ndjson"),
        ("application/x-ndjson", "application/jsonl", "application/ndjson"),
        _looks_like_json_lines,
    ),
    _reader(
        "xml",
        lambda text, sizes: subtrees(xml_outline(text), "xml", sizes),
        ("xml", "svg", "xsd", "rss", "atom", "plist"),
        ("application/xml", "text/xml", "+xml"),
        _looks_like_xml,
    ),
    _reader(
        "toml",
        lambda text, sizes: subtrees(toml_outline(text), "toml", sizes),
        ("toml",),
        ("application/toml",),
        None,
    ),
    _reader(
        "yaml",
        lambda text, sizes: subtrees(yaml_outline(text, sizes.most), "yaml", sizes),
        ("yaml", "yml"),
        ("application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml", "+yaml"),
        _looks_like_yaml,
    ),
)
