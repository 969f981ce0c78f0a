r"""What a data file's text says where it has escapes: `"caf\u00e9"` is `café` (markup design, section 9)."""

import re

#: Where in a text escapes stand, by what a subtree's `escapes` says: in all of it (JSON has strings only to hold
#: them), or in its quoted strings (YAML, TOML). An apostrophe quotes too, but what it quotes has no escapes.
EVERYWHERE, IN_QUOTES = "everywhere", "in quotes"
_QUOTED = re.compile(
    r"(?<!\w)'(?:[^'\n]|'')*+'"
    r"|(?P<quoted>\"\"\"(?:[^\\]|\\.)*?\"\"\"|(?<![\w\\])\"(?:[^\"\\\n]|\\.)*+(?:\"|$))",
    re.DOTALL | re.MULTILINE,
)
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL
)
#: Letters that stand for white space or a control character: none of them is a letter of a word.
_NO_LETTERS = frozenset("abefnrtv0NLP_\n")


def as_said(text: str, escapes: str) -> str:
    r"""Return a text with its escapes as the characters that they stand for; line breaks and controls are spaces.

    Args:
        text: Lines of a data file.
        escapes: `EVERYWHERE` or `IN_QUOTES`; anything else means that it has none.
    """
    if escapes == EVERYWHERE:
        return _decoded(text)
    if escapes == IN_QUOTES:
        return _QUOTED.sub(lambda match: _decoded(match[0]) if match["quoted"] else match[0], text)
    return text


def _decoded(text: str) -> str:
    text = _ESCAPE.sub(_character, text)
    # A character beyond the sixteenth bit may be written as two halves.
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _character(match: re.Match[str]) -> str:
    number = match[1] or match[2] or match[3]
    if number:
        return chr(int(number, 16))
    return " " if match[4] in _NO_LETTERS else match[4]
