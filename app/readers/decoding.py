"""From bytes to the normalized source that offsets count in (readers design, section 3)."""

import codecs
import re
from dataclasses import dataclass

#: Marks in the order of trial: UTF-32 first, as its little-endian mark opens with UTF-16's.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Python's name of a codec to the one that browsers read under its labels; only these may be declared.
_DECLARABLE = {
    **{
        name: name
        for name in (
            *("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "koi8-r", "koi8-u", "mac-roman"),
            *("mac-cyrillic", "cp866", "cp874", "big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949", "gb18030"),
            *(f"cp125{number}" for number in range(9)),
            *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        )
    },
    "utf-16": "utf-16-le",
    "utf-32": "utf-32-le",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The normalized source, the encoding it was read with, and what was replaced on the way."""

    text: str
    encoding: str
    warnings: tuple[str, ...]


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """Read bytes as text. It never fails: what no encoding explains is read as Windows-1252.

    A byte order mark decides first, then strict UTF-8 when the bytes hold anything beyond ASCII, then `charset` as
    browsers understand its label. An unknown or failing `charset` is ignored.
    """
    text, encoding, warnings = _to_text(data, charset)
    text, replaced = normalize(text)
    return Decoded(text, encoding, (*warnings, *replaced))


def normalize(text: str) -> tuple[str, tuple[str, ...]]:
    """Drop a leading U+FEFF, make line breaks line feeds, and replace what the database can't hold, with a warning."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    nulls = text.count("\x00")
    text, replaced = storable(text)
    return text, (*_replaced(nulls, "NUL character"), *_replaced(replaced - nulls, "unpaired surrogate"))


def storable(text: str) -> tuple[str, int]:
    """Put U+FFFD in the place of NUL characters and unpaired surrogates, and count them."""
    return (text, 0) if _is_storable(text) else _UNSTORABLE.subn("\ufffd", text)


def _is_storable(text: str) -> bool:
    """True of nearly every text, and told far quicker than by an expression."""
    if "\x00" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _replaced(count: int, what: str) -> tuple[str, ...]:
    return (f"{count} {what}{'s were' if count > 1 else ' was'} replaced by U+FFFD.",) if count else ()


def declared_codec(label: str | None) -> str | None:
    """Return the codec that browsers use for a charset label, or None when the label is unknown."""
    if label is None:
        return None
    try:
        return _DECLARABLE.get(codecs.lookup(label.strip()).name)
    except (LookupError, ValueError):
        return None


def _to_text(data: bytes, charset: str | None) -> tuple[str, str, tuple[str, ...]]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    declared = declared_codec(charset)
    for codec in ("utf-8", declared) if not data.isascii() else (declared, "utf-8"):
        if codec is not None:
            try:
                return data.decode(codec), _public_name(codec), ()
            except UnicodeDecodeError:
                continue
    guessed = () if declared == "cp1252" else ("The bytes are not UTF-8 and were read as Windows-1252.",)
    return data.decode("cp1252", "replace"), "windows-1252", guessed


def _marked(data: bytes, encoding: str) -> tuple[str, str, tuple[str, ...]]:
    try:
        return data.decode(encoding), encoding, ()
    except UnicodeDecodeError as error:
        return (
            data.decode(encoding, "replace"),
            encoding,
            (f"Bytes that are not {encoding} were replaced by U+FFFD, the first at byte {error.start}.",),
        )


def _public_name(codec: str) -> str:
    """Return the name that is shown: browsers' own for the Windows code pages, Python's for the rest."""
    return codec.replace("cp", "windows-") if codec.startswith("cp125") else codec
