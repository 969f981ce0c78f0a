"""Manual pages to blocks, by Pandoc's tree (readers design, section 13)."""

import re

from app.readers.pandoc_marks import Literals
from app.readers.pandoc_texts import PandocText
from app.readers.reader import Reader

_MAN_INCLUDE = re.compile(r"^[.'][ \t]*(?:so|mso)[ \t]+(\S+)[^\n]*$", re.MULTILINE)


#: Spaces too thin to part words, which Pandoc makes whole ones of.
_THIN_SPACE = re.compile(r"(?<!\\)\\[|^]")
_REQUEST = r"^[.'][ \t]*"
_NAME = r"(?:\[[^\]\n\\]{1,200}\]|\([^\s\\]{2})"
#: Escapes that are whole: what takes a name or an argument has all of it. Braces belong to conditions.
_WHOLE = re.compile(
    rf"(?P<whole>{_REQUEST}(?:(?:if|ie|el|while|de|ds|nr)\b|\\[\"#}}])[^\n]*$"
    rf"|\\(?:[*fnmMFkgVYO$]?[+-]?{_NAME}|[*fnmMFkgVYO$][^\s\[(\\]"
    rf"|s[+-]?(?:{_NAME}|'[^'\n]{{1,200}}'|\d)"
    r"|[A-DHLNRSXZbdhlovwx](?P<quote>[^\w\s\\])[^\n]{0,200}?(?P=quote)"
    r"|[^*$\[({}A-DFHL-OR-SV-Zbdf-hk-os-x]|[du])"
    r"|\\$)|\\",
    re.MULTILINE,
)
_NO_TEXT = re.compile(rf"{_REQUEST}(?:TH\b|\\\"|\\#)[^\n]*\n?", re.MULTILINE)
_REQUEST_NAME = re.compile(rf"{_REQUEST}\w*[ \t]*", re.MULTILINE)
_LOOK = re.compile(rf"\\(?:f(?:{_NAME}|[^\s\[(])|s[+-]?\d|&)")
_SIGN = re.compile(r"\\([-.'`/ ])")


def _prepared_man(text: str, literals: Literals) -> str:
    text = _THIN_SPACE.sub("", text)
    if "\\{" not in text:
        # It ends nothing; Pandoc has it end the document.
        text = text.replace("\\}", "\\e}")
    return _MAN_INCLUDE.sub(lambda match: f".PP\n{literals.add(f'[include: {match[1]}]')}\n.PP", text)


def _repaired_man(text: str) -> str | None:
    """Return a source whose backslashes that open nothing whole are text; None where it has none of those."""
    repaired = _WHOLE.sub(lambda match: match["whole"] or "\\e", text)
    return repaired if repaired != text else None


def _plain_man(text: str) -> str:
    """Return the text of a source without requests and looks; of its signs, the common ones are put as they show."""
    text = _REQUEST_NAME.sub("", _NO_TEXT.sub("", text))
    return _SIGN.sub(r"\1", _LOOK.sub("", text)).replace("\\e", "\\")


_MAN_HEADING = re.compile(rf"{_REQUEST}S[HS]\b", re.MULTILINE)
_MAN_MARKS = re.compile(r"\s*(?:[.']\\\"[^\n]*\n\s*)*[.']TH[ \t]+\S[^\n]*\n")
_MAN = PandocText(
    "man",
    "man",
    heading=_MAN_HEADING,
    prepare=_prepared_man,
    plain=_plain_man,
    repair=_repaired_man,
    marks=re.compile(rf"{_REQUEST}(?:S[HS]|TH)\b", re.MULTILINE),
)

READER = Reader(
    format="man",
    extensions=("man", *(str(section) for section in range(1, 10)), "roff"),
    media_types=("text/troff", "application/x-troff-man"),
    read=_MAN.read,
    looks_like=lambda _, text: _MAN_MARKS.match(text) is not None,
)
