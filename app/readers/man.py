"""Manual pages to blocks, by Pandoc's tree (readers design, section 13)."""

import re

from app.readers.pandoc_marks import Literals
from app.readers.pandoc_texts import PandocText
from app.readers.reader import Reader

_MAN_INCLUDE = re.compile(r"^[.'][ \t]*(?:so|mso)[ \t]+(\S+)[^\n]*$", re.MULTILINE)


#: Spaces too thin to part words, which Pandoc makes whole ones of.
_THIN_SPACE = re.compile(r"(?<!\\)\\[|^]")


def _prepared_man(text: str, literals: Literals) -> str:
    text = _THIN_SPACE.sub("", text)
    return _MAN_INCLUDE.sub(lambda match: f".PP\n{literals.add(f'[include: {match[1]}]')}\n.PP", text)


_MAN_HEADING = re.compile(r"^[.'][ \t]*S[HS]\b", re.MULTILINE)
_MAN_MARKS = re.compile(r"\s*(?:[.']\\\"[^\n]*\n\s*)*[.']TH[ \t]+\S[^\n]*\n")
_MAN = PandocText("man", "man", heading=_MAN_HEADING, prepare=_prepared_man, marks=_MAN_HEADING)

READER = Reader(
    format="man",
    extensions=("man", *(str(section) for section in range(1, 10)), "roff"),
    media_types=("text/troff", "application/x-troff-man"),
    read=_MAN.read,
    looks_like=lambda _, text: _MAN_MARKS.match(text) is not None,
)
