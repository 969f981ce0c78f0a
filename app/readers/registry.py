"""The readers there are, and how one is chosen (readers design, section 2)."""

import re
from dataclasses import replace

from app.documents.block import ParsedDocument
from app.documents.job import MAY_BE_CHAT
from app.documents.markup import Parsed
from app.errors import NeedsBytes, TooDeep, UnknownFormat
from app.ports.reader_runner import Source
from app.readers import (
    asciidoc,
    blocks,
    captions,
    chat,
    data_files,
    docx,
    html,
    latex,
    markdown,
    mdx,
    notebook,
    org,
    pandoc_formats,
    pdf_text,
    rst,
    text,
)
from app.readers.binary import GZIP, binary_kind
from app.readers.decoding import declared_codec, decode
from app.readers.reader import Reader
from app.readers.speakers import infer_speakers

#: In the order in which messages list them.
READERS: tuple[Reader, ...] = (
    markdown.READER,
    text.READER,
    html.READER,
    docx.READER,
    rst.READER,
    captions.VTT_READER,
    captions.SRT_READER,
    notebook.READER,
    pdf_text.READER,
    mdx.READER,
    asciidoc.READER,
    org.READER,
    latex.READER,
    *pandoc_formats.READERS,
    chat.READER,
    *data_files.READERS,
    blocks.READER,
)

#: Formats whose documents become subtrees, and have the profile `markup`.
DATA_FORMATS = frozenset(reader.format for reader in READERS if reader.data)
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
        NeedsBytes: they are text, and a binary format was named.
    """
    if declared is not None:
        return _checked(_known(declared.strip().lower(), f"There is no format {declared!r}."), head)
    base = re.split(r"[/\\]", filename or "")[-1]
    extensions = base.lower().lstrip(".").split(".")[1:]
    extension = extensions[-1] if extensions else ""
    media_type = (media_type or "").partition(";")[0].strip().lower()
    suffix = f"+{media_type.rpartition('+')[2]}" if "+" in media_type else ""
    found = _BY_EXTENSION.get(".".join(extensions[-2:])) or _BY_EXTENSION.get(extension)
    found = found or _BY_MEDIA_TYPE.get(media_type) or _BY_MEDIA_TYPE.get(suffix)
    if found is not None:
        return _checked(found, head)
    if extension or media_type not in _SAYS_NOTHING:
        _refuse_binary(head)
        said = f"The extension .{extension}" if extension else f"The media type {media_type}"
        raise UnknownFormat(f"{said} belongs to no format that can be read. {_valid_names()}")
    return _sniff(head)


def read(source: Source) -> Parsed:
    """Read a document as its format says.

    Raises:
        UnknownFormat: there is no reader for the format, or the bytes are no text.
        NeedsBytes: they are text, and the format is binary.
        BadInput: the reader refuses the document.
    """
    reader = _BY_FORMAT[_known(source.format, f"There is no format {source.format!r}.")]
    if reader.binary or not (declared_codec(source.charset) or "").startswith(_WIDE_CODECS):
        _checked(reader.format, source.data)
    try:
        told = chat.read_if_chat(source) if reader.format in MAY_BE_CHAT and not source.declared else None
        parsed = reader.read(source) if told is None else told
    except RecursionError:
        raise TooDeep(f"The document is nested too deeply to be read as {reader.format}.") from None
    if told is not None or reader.knows_speakers or not source.infer_speakers or not isinstance(parsed, ParsedDocument):
        return parsed
    # The places of a caller's own blocks are what an answer refers to.
    found = infer_speakers(parsed.blocks, keep_places=reader is blocks.READER)
    return replace(parsed, blocks=found)


def read_blocks(source: Source) -> ParsedDocument:
    """Read a document that is to become blocks.

    Raises:
        UnknownFormat: its format is one of data files, or see `read`.
        BadInput: see `read`.
    """
    parsed = None if source.format in DATA_FORMATS else read(source)
    if not isinstance(parsed, ParsedDocument):
        valid = ", ".join(known for known in _BY_FORMAT if known not in DATA_FORMATS)
        raise UnknownFormat(
            f"{source.format} is a data format: it is cut into subtrees, and has no blocks. Valid formats are {valid}."
        )
    return parsed


def _known(name: str, otherwise: str) -> str:
    if name not in _BY_FORMAT:
        raise UnknownFormat(f"{otherwise} {_valid_names()}")
    return name


def _valid_names() -> str:
    return f"Valid formats are {', '.join(_BY_FORMAT)}."


def _checked(name: str, data: bytes) -> str:
    """Return the name of a format after a look at whether the bytes can be of it: text or not text."""
    reader = _BY_FORMAT[name]
    if reader.gzipped and data.startswith(GZIP):
        return name
    if not reader.binary:
        _refuse_binary(data)
    elif data.strip() and binary_kind(data) is None:
        raise NeedsBytes(f"{name} is a binary format: send the file's bytes, not text.")
    return name


def _refuse_binary(data: bytes) -> None:
    kind = binary_kind(data)
    if kind is not None:
        raise UnknownFormat(f"The bytes are {kind}, not text. Extract its text first and send that. {_valid_names()}")


def _sniff(head: bytes) -> str:
    for reader in READERS:
        if reader.binary and reader.looks_like is not None and reader.looks_like(head, ""):
            return reader.format
    _refuse_binary(head)
    decoded = decode(head).text
    for reader in READERS:
        if not reader.binary and reader.looks_like is not None and reader.looks_like(head, decoded):
            return reader.format
    lines = decoded.split("\n", _SNIFFED_LINES)[:_SNIFFED_LINES]
    return markdown.READER.format if _MARKDOWN_MARKS.search("\n".join(lines)) else text.READER.format
