"""The readers there are, and how one is chosen (readers design, section 2)."""

import re

from app.documents.block import ParsedDocument
from app.errors import TooDeep, UnknownFormat
from app.ports.reader_runner import Source
from app.readers import blocks, markdown, text
from app.readers.binary import binary_kind
from app.readers.decoding import declared_codec, decode
from app.readers.reader import Reader

#: In the order in which messages list them.
READERS: tuple[Reader, ...] = (markdown.READER, text.READER, blocks.READER)

_BY_FORMAT = {reader.format: reader for reader in READERS}
_BY_EXTENSION = {extension: reader.format for reader in READERS for extension in reader.extensions}
_BY_MEDIA_TYPE = {media_type: reader.format for reader in READERS for media_type in reader.media_types}

#: What clients send when they don't know.
_SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-www-form-urlencoded"})
#: What tells Markdown from plain text when nothing else does: an ATX heading, a fence, a list item or a link.
_MARKDOWN_MARKS = re.compile(
    r"^(?:#{1,6}[ \t]+\S| {0,3}(?:`{3}|~{3})| {0,3}[-*+][ \t]+\S)|\[[^\]\n]{1,200}\]\(\S", re.MULTILINE
)
_SNIFFED_LINES = 200
#: Encodings whose text is full of NUL bytes.
_WIDE_CODECS = ("utf-16", "utf-32")


def resolve_format(*, declared: str | None, filename: str | None, media_type: str | None, head: bytes) -> str:
    """Return the format to read a document as: the declared one, else by extension, else by media type, else by a look.

    Args:
        declared: Name of a format, as a caller gave it.
        filename: For its extension; the folder part, if any, is ignored.
        media_type: With or without parameters.
        head: First bytes of the document, as many as are at hand.

    Raises:
        UnknownFormat: nothing names a known format, or the bytes are no text. The message lists the valid names.
    """
    _refuse_binary(head)
    if declared is not None:
        return _known(declared.strip().lower(), f"There is no format {declared!r}.")
    base = re.split(r"[/\\]", filename or "")[-1]
    extension = base.rpartition(".")[2].lower() if "." in base.lstrip(".") else ""
    media_type = (media_type or "").partition(";")[0].strip().lower()
    found = _BY_EXTENSION.get(extension) or _BY_MEDIA_TYPE.get(media_type)
    if found is not None:
        return found
    if extension or media_type not in _SAYS_NOTHING:
        said = f"The extension .{extension}" if extension else f"The media type {media_type}"
        raise UnknownFormat(f"{said} belongs to no format that can be read. {_valid_names()}")
    return _sniff(head)


def read(source: Source) -> ParsedDocument:
    """Read a document as its format says.

    Raises:
        UnknownFormat: there is no reader for the format, or the bytes are no text.
        BadInput: the reader refuses the document.
    """
    reader = _BY_FORMAT[_known(source.format, f"There is no format {source.format!r}.")]
    if not (declared_codec(source.charset) or "").startswith(_WIDE_CODECS):
        _refuse_binary(source.data)
    try:
        return reader.read(source)
    except RecursionError:
        raise TooDeep(f"The document is nested too deeply to be read as {reader.format}.") from None


def _known(name: str, otherwise: str) -> str:
    if name not in _BY_FORMAT:
        raise UnknownFormat(f"{otherwise} {_valid_names()}")
    return name


def _valid_names() -> str:
    return f"Valid formats are {', '.join(_BY_FORMAT)}."


def _refuse_binary(data: bytes) -> None:
    kind = binary_kind(data)
    if kind is not None:
        raise UnknownFormat(f"The bytes are {kind}, not text. Extract its text first and send that. {_valid_names()}")


def _sniff(head: bytes) -> str:
    lines = decode(head).text.split("\n", _SNIFFED_LINES)[:_SNIFFED_LINES]
    return markdown.READER.format if _MARKDOWN_MARKS.search("\n".join(lines)) else text.READER.format
