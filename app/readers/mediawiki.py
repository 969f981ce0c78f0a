"""MediaWiki to blocks, by Pandoc's tree (readers design, section 13)."""

import re
from collections.abc import Sequence

from app.readers.html_text import inline_text
from app.readers.mediawiki_source import prepared_wiki
from app.readers.pandoc_dialect import Dialect, Node, Part
from app.readers.pandoc_texts import PandocText
from app.readers.reader import Reader

_TEMPLATE = re.compile(r"\{\{[^{}|]*\|([^{}]*)\}\}\Z")


class _WikiDialect(Dialect):
    def raw(self, format_name: str, text: str) -> Sequence[Part]:
        """Read HTML tags, and the unnamed values of a template in a sentence."""
        if format_name == "html":
            return (inline_text(text),)
        match = _TEMPLATE.match(text) if format_name == "mediawiki" and "\n" not in text else None
        return (" ".join(value.strip() for value in match[1].split("|") if "=" not in value),) if match else ()

    def code_lines(self, inlines: Sequence[Node]) -> str | None:
        """Take lines that open with a space for what they are: Pandoc makes code of each."""
        if not inlines or any(node["t"] not in {"Code", "LineBreak"} for node in inlines):
            return None
        return "".join("\n" if node["t"] == "LineBreak" else node["c"][1] for node in inlines).replace("\xa0", " ")


_WIKI_HEADING = re.compile(r"^={1,6}[^=\n][^\n]*=[ \t]*$", re.MULTILINE)
_MEDIAWIKI = PandocText("mediawiki-auto_identifiers", "MediaWiki", _WikiDialect, _WIKI_HEADING, prepared_wiki)

READER = Reader(
    format="mediawiki",
    extensions=("mediawiki", "wiki"),
    media_types=("text/x-mediawiki", "text/x-wiki"),
    read=_MEDIAWIKI.read,
)
