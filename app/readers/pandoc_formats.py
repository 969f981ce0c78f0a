"""The formats that Pandoc reads beyond the minimum, each by its tree (readers design, section 13)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html.entities import html5

from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.values import JsonObject
from app.errors import MalformedDocument, ReaderLimit
from app.ports.reader_runner import Source
from app.readers.decoding import decode
from app.readers.html_text import inline_text
from app.readers.pandoc import Allowance, Refused, run_pandoc
from app.readers.pandoc_document import Front, front_of, with_front
from app.readers.pandoc_marks import Literals, without_marks
from app.readers.pandoc_packages import LIMITS, has_member, inspect
from app.readers.pandoc_sections import Piece, cut, read_pieces, whole_allowance
from app.readers.pandoc_tree import Dialect, Part, TreeReader
from app.readers.reader import Reader
from app.readers.text import read_text

_SLIDE = re.compile(r"slide-(\d+)\Z")


class _Typed(Dialect):
    """Markup that people type."""


class _Made(Dialect):
    """What a program saves: link addresses are as good as invisible."""

    keeps_addresses = False


class _Slides(_Made):
    def place(self, label: str) -> JsonObject | None:
        """Take the slide's number from its heading."""
        match = _SLIDE.match(label)
        return {"slide": int(match[1])} if match else None

    def untitled(self, label: str) -> str | None:
        """Return the title that Pandoc makes up."""
        match = _SLIDE.match(label)
        return f"Slide {match[1]}" if match else None


_TEMPLATE = re.compile(r"\{\{[^{}|]*\|([^{}]*)\}\}\Z")


class _Wiki(_Typed):
    def raw(self, format_name: str, text: str) -> Sequence[Part]:
        """Read HTML tags, and the unnamed values of a template in a sentence."""
        if format_name == "html":
            return (inline_text(text),)
        match = _TEMPLATE.match(text) if format_name == "mediawiki" and "\n" not in text else None
        return (" ".join(value.strip() for value in match[1].split("|") if "=" not in value),) if match else ()


# Packages


@dataclass(frozen=True, slots=True)
class _Package:
    format: str
    name: str
    properties: str
    dialect: type[Dialect]

    def read(self, source: Source) -> ParsedDocument:
        """Read a package into blocks.

        Raises:
            MalformedDocument: it is damaged or encrypted, or not what it says it is.
            TooLarge: it would unpack to more than a document may.
            ReaderLimit: it takes too much time or memory.
        """
        properties = inspect(source.data, self.name, self.properties)
        size = max(properties.text_size, len(source.data))
        reader = TreeReader(self.dialect())
        try:
            tree = run_pandoc(self.format, source.data, Allowance.of(size), size=size)
            blocks = reader.read(tree)
            front = front_of(tree, reader)
        except Refused as refused:
            if refused.at_limit:
                raise ReaderLimit(f"The {self.name} document could not be read, because {refused}.") from None
            raise MalformedDocument(f"The {self.name} document could not be read, because {refused}.") from None
        blocks = with_front(front, reader.finish(blocks), reader)
        title = front.title or properties.title
        return ParsedDocument(
            blocks=tuple(blocks if front.title else _under_title(title, blocks)),
            title=title or None,
            language=front.language or properties.language,
        )


def _under_title(title: str, blocks: Sequence[Block]) -> list[Block]:
    """Return blocks under the title that the package's properties give, where they say it or lack a top heading."""
    has_top = any(block.level == 1 for block in blocks[1:])
    if title and blocks and blocks[0].text == title and blocks[0].level != 1:
        down = 1 if has_top else 0
        rest = (replace(block, level=block.level + down) if block.level is not None else block for block in blocks[1:])
        return [replace(blocks[0], type=BlockType.HEADING, level=1), *rest]
    if title and blocks and not has_top and blocks[0].level != 1:
        return [Block(type=BlockType.HEADING, text=title, level=1), *blocks]
    return list(blocks)


# Texts


@dataclass(frozen=True, slots=True)
class _Text:
    format: str
    name: str
    dialect: type[Dialect] = _Typed
    #: What a heading opens a line with; a format without cannot be cut.
    heading: re.Pattern[str] | None = None
    #: Puts a piece of the source into a form that Pandoc reads right.
    prepare: Callable[[str, Literals], str] = lambda text, _: text
    #: Finds what holds in every piece.
    shared: Callable[[str], str] = lambda _: ""
    #: Makes plain text of what Pandoc refuses.
    plain: Callable[[str], str] = lambda text: text
    charset: Callable[[bytes], str | None] = lambda _: None
    #: Without any of these a text only has the name of one in this format, as `server.log.1` has.
    marks: re.Pattern[str] | None = None

    def read(self, source: Source) -> ParsedDocument:
        """Read a text into blocks: what Pandoc refuses of it is read as plain text."""
        decoded = decode(source.data, source.charset or self.charset(source.data))
        text = without_marks(decoded.text)
        if self.marks is not None and not self.marks.search(text):
            return read_text(source)
        literals = Literals()
        reader = TreeReader(self.dialect(), literals)
        shared = self.shared(text)
        pieces = [
            Piece(line, self.prepare(part, literals), self.plain(part), last, self._opens_with_heading(part))
            for line, last, part in cut(text, self._headings(text))
        ]
        allowance = whole_allowance(pieces)
        front = Front()

        def read(some: Sequence[Piece]) -> list[Block]:
            nonlocal front
            before = "" if some[0].line == 1 else shared
            data = (before + "".join(piece.text for piece in some)).encode()
            tree = run_pandoc(self.format, data, allowance)
            found = reader.read(tree)
            front = front or front_of(tree, reader)
            return found

        blocks, warnings = read_pieces(pieces, read, self.name)
        return ParsedDocument(
            blocks=tuple(with_front(front, reader.finish(blocks), reader)),
            title=front.title or None,
            language=front.language,
            encoding=decoded.encoding,
            warnings=(*decoded.warnings, *warnings),
        )

    def _headings(self, text: str) -> list[int]:
        return [match.start() for match in self.heading.finditer(text)] if self.heading else []

    def _opens_with_heading(self, part: str) -> bool:
        return self.heading is not None and self.heading.match(part) is not None


_CATEGORY = re.compile(
    r"\[\[[ \t]*(?:Category|Kategorie|Cat[ée]gorie|Categor[ií]a|Категория|分类):[^\[\]\n]*\]\]", re.IGNORECASE
)


def _prepared_wiki(text: str, _literals: Literals) -> str:
    """Take away what files the page and is no part of it."""
    return _CATEGORY.sub("", text)


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


_MAN_INCLUDE = re.compile(r"^[.'][ \t]*(?:so|mso)[ \t]+(\S+)[^\n]*$", re.MULTILINE)


def _prepared_man(text: str, literals: Literals) -> str:
    return _MAN_INCLUDE.sub(lambda match: f".PP\n{literals.add(f'[include: {match[1]}]')}\n.PP", text)


_XML_ENCODING = re.compile(rb"\A\s*<\?xml\b[^<>]*?\bencoding\s*=\s*[\"']([\w.:-]+)[\"']")
_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*(?:\[(.*?)\]\s*)?>", re.DOTALL)
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+(?:\"([^\"<&%]{0,1000})\"|'([^'<&%]{0,1000})')\s*>")
_ENTITY_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*);")
_LONGEST_PROLOG = 10_000
_LONGEST_SUBSET = 200_000
_XML_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_XINCLUDE = re.compile(r"<xi:include\b[^<>]*?\bhref\s*=\s*[\"']([^\"'<>]*)[\"'][^<>]*?/?>(?:\s*</xi:include>)?")


def _xml_charset(data: bytes) -> str | None:
    match = _XML_ENCODING.match(data[:1024])
    return match[1].decode("ascii") if match else None


def _prepared_docbook(text: str, literals: Literals) -> str:
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

    text = _ENTITY_REFERENCE.sub(character, text)
    return _XINCLUDE.sub(lambda match: f"<para>{literals.add(f'[include: {match[1]}]')}</para>", text)


_TAG = re.compile(r"<[^<>]*>")


def _plain_xml(text: str) -> str:
    return _TAG.sub(" ", text)


_RTF_HIDDEN = re.compile(r"\{\\(?:fonttbl|colortbl|stylesheet|info|pict|\*)[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_RTF_PARAGRAPH = re.compile(r"\\(?:par|line|row)\b ?")
_RTF_CONTROL = re.compile(r"\\'([0-9a-fA-F]{2})|\\[a-zA-Z]+-?\d* ?|\\[^a-zA-Z]|[{}]")


def _plain_rtf(text: str) -> str:
    text = _RTF_PARAGRAPH.sub("\n\n", _RTF_HIDDEN.sub("", text))
    return _RTF_CONTROL.sub(lambda match: bytes.fromhex(match[1]).decode("cp1252", "replace") if match[1] else "", text)


_WIKI_HEADING = re.compile(r"^={1,6}[^=\n][^\n]*=[ \t]*$", re.MULTILINE)
_TYPST_HEADING = re.compile(r"^={1,6}[ \t]+\S", re.MULTILINE)
_MAN_HEADING = re.compile(r"^[.'][ \t]*S[HS]\b", re.MULTILINE)
_MAN_MARKS = re.compile(r"\s*(?:[.']\\\"[^\n]*\n\s*)*[.']TH[ \t]+\S[^\n]*\n")
_DOCBOOK_MARKS = re.compile(r"docbook\.org/ns/docbook|//OASIS//DTD DocBook", re.IGNORECASE)

_ODT = _Package("odt", "ODT", "meta.xml", _Made)
_EPUB = _Package("epub", "EPUB", "", _Made)
_PPTX = _Package("pptx", "PPTX", "docProps/core.xml", _Slides)
_RTF = _Text("rtf", "RTF", _Made, plain=_plain_rtf)
_MEDIAWIKI = _Text("mediawiki-auto_identifiers", "MediaWiki", _Wiki, _WIKI_HEADING, _prepared_wiki)
_DOCBOOK = _Text("docbook", "DocBook", prepare=_prepared_docbook, plain=_plain_xml, charset=_xml_charset)
_TYPST = _Text("typst", "Typst", heading=_TYPST_HEADING, prepare=_prepared_typst, shared=_typst_definitions)
_MAN = _Text("man", "man", heading=_MAN_HEADING, prepare=_prepared_man, marks=_MAN_HEADING)

READERS = (
    Reader(
        format="odt",
        extensions=("odt", "ott"),
        media_types=("application/vnd.oasis.opendocument.text",),
        read=_ODT.read,
        looks_like=lambda head, _: b"mimetypeapplication/vnd.oasis.opendocument.text" in head[:200],
        binary=True,
        limits=LIMITS,
    ),
    Reader(
        format="epub",
        extensions=("epub",),
        media_types=("application/epub+zip",),
        read=_EPUB.read,
        looks_like=lambda head, _: b"mimetypeapplication/epub+zip" in head[:200],
        binary=True,
        limits=LIMITS,
    ),
    Reader(
        format="pptx",
        extensions=("pptx",),
        media_types=("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
        read=_PPTX.read,
        looks_like=lambda head, _: has_member(head, b"ppt/"),
        binary=True,
        limits=LIMITS,
    ),
    Reader(
        format="rtf",
        extensions=("rtf",),
        media_types=("application/rtf", "text/rtf"),
        read=_RTF.read,
        looks_like=lambda _, text: text.startswith("{\\rtf"),
    ),
    Reader(
        format="mediawiki",
        extensions=("mediawiki", "wiki"),
        media_types=("text/x-mediawiki", "text/x-wiki"),
        read=_MEDIAWIKI.read,
    ),
    Reader(
        format="docbook",
        extensions=("docbook", "dbk"),
        media_types=("application/docbook+xml",),
        read=_DOCBOOK.read,
        looks_like=lambda _, text: text.lstrip().startswith("<") and _DOCBOOK_MARKS.search(text[:2000]) is not None,
    ),
    Reader(
        format="typst", extensions=("typ", "typst"), media_types=("text/x-typst", "text/vnd.typst"), read=_TYPST.read
    ),
    Reader(
        format="man",
        extensions=("man", *(str(section) for section in range(1, 10)), "roff"),
        media_types=("text/troff", "application/x-troff-man"),
        read=_MAN.read,
        looks_like=lambda _, text: _MAN_MARKS.match(text) is not None,
    ),
)
