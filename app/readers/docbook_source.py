"""A pass over DocBook before Pandoc reads it (readers design, sections 5 and 13).

Pandoc 3.9 stops at entities of the document's own and of HTML, drops the feet of tables and the titles of lists, and
makes paragraphs of simple lists (measured).
"""

import html
import re
from collections.abc import Mapping
from html.entities import html5

from app.readers.pandoc_marks import Literals

_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*(?:\[(.*?)\]\s*)?>", re.DOTALL)
#: What an entity may stand for: short, and made of nothing that stands for more.
_VALUE = r"(?:[^{0}<&%]|&(?:amp|lt|gt|quot|apos|#\d{{1,7}}|#x[0-9a-fA-F]{{1,6}});){{0,1000}}"
_ENTITY = re.compile(rf"<!ENTITY\s+([\w.-]+)\s+(?:\"({_VALUE.format(chr(34))})\"|'({_VALUE.format(chr(39))})')\s*>")
_ENTITY_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*);")
_LONGEST_PROLOG = 10_000
_LONGEST_SUBSET = 200_000
_XML_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_XINCLUDE = re.compile(r"<xi:include\b[^<>]*?\bhref\s*=\s*[\"']([^\"'<>]*)[\"'][^<>]*?/?>(?:\s*</xi:include>)?")
_TERMS = re.compile(r"</term>\s*<term\b[^<>]*>")
_SIMPLE_LIST = re.compile(
    r"<simplelist\b(?![^<>]*\btype\s*=\s*[\"']inline)[^<>]*>((?:(?!<simplelist\b).)*?)</simplelist>", re.DOTALL
)
_ITEM = r"<listitem><para>\1</para></listitem>"
_MEMBER = re.compile(r"<member\b[^<>]*>(.*?)</member>", re.DOTALL)
_LIST_TITLE = re.compile(
    r"(<(?:procedure|itemizedlist|orderedlist|variablelist|simplelist|glosslist|qandaset|calloutlist|segmentedlist)\b[^<>]*>)"
    r"\s*<title\b[^<>]*>([^<>]{0,500}(?:<(?!/title>)[^<>]{0,200}>[^<>]{0,500}){0,20})</title>"
)
_FOOT_OPENS, _FOOT_CLOSES, _BODY_CLOSES = re.compile(r"<tfoot\b[^<>]*>"), "</tfoot>", "</tbody>"
_BLOCK_END = re.compile(
    r"</(?:title|subtitle|para|simpara|term|listitem|entry|row|programlisting|screen|member|step)\s*>"
)
_TAG = re.compile(r"<[^<>]*>|<[^<>]*\Z")


def prepared_docbook(text: str, literals: Literals) -> str:
    """Return a source as Pandoc is to read it."""
    text = _with_characters(text)
    text = _TERMS.sub(", ", _LIST_TITLE.sub(r"<para>\2</para>\1", text))
    text = _SIMPLE_LIST.sub(lambda match: f"<itemizedlist>{_MEMBER.sub(_ITEM, match[1])}</itemizedlist>", text)
    text = _with_feet_in_bodies(text)
    return _XINCLUDE.sub(lambda match: f"<para>{literals.add(f'[include: {match[1]}]')}</para>", text)


def plain_docbook(text: str) -> str:
    """Return the text of a source without its tags."""
    return html.unescape(_TAG.sub(" ", _BLOCK_END.sub("\n\n", text)))


def _with_characters(text: str) -> str:
    """Put entities into characters: short ones that the document defines, HTML's; others stay as they are written."""
    subset = _DOCTYPE.match(text, max(0, text.find("<!DOCTYPE", 0, _LONGEST_PROLOG)), _LONGEST_SUBSET)
    own: Mapping[str, str] = {}
    if subset:
        own = {match[1]: match[2] or match[3] or "" for match in _ENTITY.finditer(subset[1] or "")}
        text = text[: subset.start()] + text[subset.end() :]
    left = len(text) + 100_000

    def character(match: re.Match[str]) -> str:
        nonlocal left
        name = match[1]
        if name in _XML_ENTITIES:
            return match[0]
        value = own.get(name, html5.get(f"{name};"))
        left -= len(value or "")
        return value if value is not None and left > 0 else f"&amp;{name};"

    return _ENTITY_REFERENCE.sub(character, text)


def _with_feet_in_bodies(text: str) -> str:
    """Move the rows of a table's foot, which stands in front of its body, behind those of the body."""
    out: list[str] = []
    at = 0
    for match in _FOOT_OPENS.finditer(text):
        end = text.find(_FOOT_CLOSES, match.end())
        body_end = text.find(_BODY_CLOSES, end)
        if end < 0 or body_end < 0:
            break
        if match.start() < at:
            continue
        behind = end + len(_FOOT_CLOSES)
        out += [text[at : match.start()], text[behind:body_end], text[match.end() : end]]
        at = body_end
    return "".join([*out, text[at:]])
