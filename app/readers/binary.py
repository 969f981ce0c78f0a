"""Bytes that are no text, whatever they are called (readers design, section 2, "Sniffing")."""

import codecs

#: First bytes of a gzip archive.
GZIP = b"\x1f\x8b\x08"

#: First bytes and what they begin. Bytes that text could open with too are left to the share of control characters.
_SIGNATURES = (
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (GZIP, "a gzip archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file"),
    (b"\x7fELF", "an executable"),
    (b"OggS\x00", "an Ogg file"),
    (b"ID3\x03", "an MP3 file"),
    (b"ID3\x04", "an MP3 file"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"RIFF", "a RIFF file"),
)
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
#: NUL and the other C0 controls that no text uses: tab, line feed, form feed, carriage return and escape are used.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
#: More than one control character in so many characters is no text; one by itself is a slip of somebody's editor.
_TOLERATED_SHARE = 10


def binary_kind(data: bytes) -> str | None:
    """Return what the bytes are when they are no text, as words for a message, else None.

    Text in UTF-16 or UTF-32 counts as text when it opens with its byte order mark.
    """
    if data.startswith(_WIDE_MARKS):
        return None
    start = data[:1024].removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")
    for signature, kind in _SIGNATURES:
        if start.startswith(signature) and (signature != b"RIFF" or start[8:12] in {b"WEBP", b"WAVE", b"AVI "}):
            return kind
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return "binary data" if controls > 1 and controls * _TOLERATED_SHARE > len(data) else None
