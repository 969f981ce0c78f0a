"""Typst to blocks, by Pandoc's tree (readers design, section 13)."""

import re

from app.readers.pandoc_dialect import Dialect
from app.readers.pandoc_marks import Literals
from app.readers.pandoc_texts import PandocText
from app.readers.reader import Reader

_TYPST_INCLUDE = re.compile(r"^[ \t]*#include[ \t]+\"([^\"\n]*)\"[ \t]*$", re.MULTILINE)
_TYPST_IMPORT = re.compile(r"^[ \t]*#import[ \t][^\n]*$", re.MULTILINE)
_TYPST_LET = re.compile(r"^#(?:let|set|show)\b", re.MULTILINE)
_BRACKET = re.compile(r"[(\[{]|[)\]}]|\n|\"(?:[^\"\\\n]|\\.)*\"")


def _prepared_typst(text: str, literals: Literals) -> str:
    text = _TYPST_INCLUDE.sub(lambda match: f"\n{literals.add(f'[include: {match[1]}]')}\n", text)
    return _TYPST_IMPORT.sub("", text)


def _typst_definitions(text: str) -> str:
    """Return the definitions that hold for the whole file: each to the end of the line that closes its brackets."""
    found: list[str] = []
    at = 0
    for match in _TYPST_LET.finditer(text):
        if match.start() < at:
            continue
        depth, at = 0, len(text)
        for sign in _BRACKET.finditer(text, match.end()):
            if sign[0] == "\n" and depth <= 0:
                at = sign.end()
                break
            depth += (sign[0] in "([{") - (sign[0] in ")]}")
        found.append(text[match.start() : at])
    return "\n".join(found)


class _TypstDialect(Dialect):
    labels_follow_headings = True
    cites_sections = True


_LANGUAGE = re.compile(r"^#set[ \t]+text\([^()\n]*\blang:[ \t]*\"([A-Za-z-]{2,12})\"", re.MULTILINE)


def _language(text: str) -> str | None:
    match = _LANGUAGE.search(text)
    return match[1] if match else None


_TYPST_HEADING = re.compile(r"^={1,6}[ \t]+\S", re.MULTILINE)
_TYPST = PandocText(
    "typst",
    "Typst",
    _TypstDialect,
    _TYPST_HEADING,
    prepare=_prepared_typst,
    shared=_typst_definitions,
    language=_language,
)

READER = Reader(
    format="typst", extensions=("typ", "typst"), media_types=("text/x-typst", "text/vnd.typst"), read=_TYPST.read
)
