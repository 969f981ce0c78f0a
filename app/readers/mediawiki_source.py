"""A pass over MediaWiki before Pandoc reads it (readers design, sections 5 and 13).

Pandoc 3.9 takes a picture's file name for its caption and loses its alternative text, shows galleries as they are
written, and cuts a header at its first row, so that cells which reach further down move all others aside (measured).
"""

import re
from collections.abc import Sequence

from app.readers.pandoc_marks import HEADER_CELL, Literals

#: What opens or closes a part whose content is no markup, or a gallery.
_TAG = re.compile(r"<(/?)(nowiki|pre|source|syntaxhighlight|math|code|gallery)\b[^<>]*>", re.IGNORECASE)
#: What files the page, and its like in other languages.
_CATEGORY = re.compile(
    r"\[\[[ \t]*(?:Category|Kategorie|Cat[ée]gorie|Categor[ií]a|Категория|分类):[^\[\]\n]*\]\]", re.IGNORECASE
)
_OTHER_LANGUAGE = re.compile(r"\[\[(?:[a-z]{2,3}|[a-z]{2,3}-[a-z]{2,8}):[^\[\]|\n]+\]\]")
_FILE = re.compile(
    r"\[\[[ \t]*(?:File|Image|Datei|Bild|Fichier|Archivo|Imagen|Файл|ファイル|文件):"
    r"((?:[^\[\]]|\[\[[^\[\]]*\]\]|\[[^\[\]]*\])*+)\]\]",
    re.IGNORECASE,
)
_PARAMETER = re.compile(r"\|(?![^\[]*\]\])")
_FRAME = re.compile(r"(?:thumb|thumbnail|frame|framed|mini|miniatur|vignette)(?:=.*)?\Z", re.IGNORECASE)
_LOOKS = re.compile(
    r"(?:frameless|border|left|right|center|centre|none|links|rechts|zentriert|gauche|droite|upright|hochkant"
    r"|baseline|sub|super|top|text-top|middle|bottom|text-bottom|(?:\d+|\d*x\d+)px|[a-z]+=.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_ALT = re.compile(r"alt\s*=(.*)\Z", re.IGNORECASE | re.DOTALL)
_TABLE_EDGE = re.compile(r"^[ \t:]*(?:(\{\|)|\|\})", re.MULTILINE)
_REACHES_DOWN = re.compile(r"^[ \t]*!.*\browspan\s*=", re.MULTILINE | re.IGNORECASE)
#: The attributes of a cell, and what follows their bar.
_CELL = re.compile(r"((?:[^|\[\]{}\n]*=[^|\[\]{}\n]*\|(?!\|))?)(.*)\Z", re.DOTALL)


def prepared_wiki(text: str, literals: Literals) -> str:
    """Return a source as Pandoc is to read it."""
    out: list[str] = []
    at = 0
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        if opened is None:
            opened = tag if not tag[1] else None
        elif tag[1] and tag[2].lower() == opened[2].lower():
            is_gallery = tag[2].lower() == "gallery"
            inside = _gallery(text[opened.end() : tag.start()]) if is_gallery else text[opened.start() : tag.end()]
            out += [_prepared(text[at : opened.start()], literals), inside]
            at, opened = tag.end(), None
    return "".join([*out, _prepared(text[at:], literals)])


def _prepared(text: str, literals: Literals) -> str:
    text = _OTHER_LANGUAGE.sub("", _CATEGORY.sub("", text))
    text = _FILE.sub(lambda match: _image(_PARAMETER.split(match[1])[1:], literals), text)
    out: list[str] = []
    at, start = 0, -1
    for edge in _TABLE_EDGE.finditer(text):
        if edge[1]:
            start = edge.start()
        elif start >= 0:
            out += [text[at:start], _with_marked_header(text[start : edge.end()])]
            at, start = edge.end(), -1
    return "".join([*out, text[at:]])


def _image(parameters: Sequence[str], literals: Literals) -> str:
    """Return what stands for a picture: a framed one is a figure, another one a part of its line."""
    alt, caption, is_framed = "", "", False
    for parameter in map(str.strip, parameters):
        if named := _ALT.match(parameter):
            alt = named[1].strip()
        elif _FRAME.match(parameter):
            is_framed = True
        elif not _LOOKS.match(parameter):
            caption = parameter
    if not is_framed:
        alt, caption = alt or caption, ""
    image = f"{literals.add('[image: ')}{alt}{literals.add(']')}" if alt else ""
    return (
        "\n\n".join(["", *filter(None, (image, f"Figure: {caption}" if caption else "")), ""]) if is_framed else image
    )


def _gallery(lines: str) -> str:
    captions = (line.partition("|")[2].strip() for line in lines.split("\n"))
    return "\n\n".join(["", *(f"Figure: {caption}" for caption in captions if caption), ""])


def _with_marked_header(table: str) -> str:
    """Return a table whose cells of the header are told by marks where Pandoc would take one row of them only."""
    if not _REACHES_DOWN.search(table):
        return table
    lines: list[str] = []
    for line in table.split("\n"):
        written = line.lstrip()
        if written.startswith("!"):
            cells = (_CELL.match(cell) for cell in re.split(r"!!|\|\|", written[1:]))
            line = "|" + "||".join(f"{cell[1]}{HEADER_CELL}{cell[2].lstrip()}" for cell in cells if cell)  # noqa: PLW2901
        lines.append(line)
    return "\n".join(lines)
