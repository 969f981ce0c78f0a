"""Characters that never reach a block's text (readers design, section 3, step 6). Offsets are not touched by it."""

import re
import unicodedata

from app.text.whitespace import squash

#: C0 controls that are not white space, and DEL.
_CONTROLS = "\x00-\x08\x0b\x0e-\x1f\x7f"
_IN_CODE = re.compile(f"[{_CONTROLS}]")
#: In prose, characters without width go too: a word with soft hyphens is still one search term.
_IN_PROSE = re.compile(f"[{_CONTROLS}\xad\u200b\u2060\ufeff]")
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*+\n)++")


def prose(text: str) -> str:
    """Return text on one line, as a person reads it: squashed, composed (NFC), without invisible characters."""
    return squash(prose_characters(text))


def prose_characters(text: str) -> str:
    """Like `prose`, with white space left alone."""
    text = _IN_PROSE.sub("", text)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def code(text: str) -> str:
    """Return code as written, without blank lines at both ends and without white space at its end."""
    return _BLANK_LINES.sub("", _IN_CODE.sub("", text).rstrip())
