"""Text extracted from a PDF to blocks (chunking design, strategy `budget`, "PDF text"; ruling 26).

What extraction leaves in the way is taken out first: words hyphenated at a line end are joined, and lines that are only
a page number go. Headers and footers that pages repeat are dropped, and paragraphs that a page break cuts are joined,
as in plain text with form feeds. Offsets count in the text after that.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from app.documents.block import Block, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.decoding import decode
from app.readers.reader import Reader
from app.readers.text import text_blocks

_FEED = "\f"
#: `--- page 3 ---`, as many extractors mark pages.
_PAGE_MARK = re.compile(
    r"^[ \t]*-{2,}[ \t]*page[ \t]+(\d{1,6})[ \t]*-{2,}[ \t]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE
)
#: A line that is only a page number: `7`, `- 7 -`, `Page 7 of 20`, `7 / 20`.
_PAGE_NUMBER = re.compile(
    r"[-\u2013\u2014\[( ]*(?:(?:page|seite|p\.?)[ ]*)?\d{1,5}(?:[ ]*(?:of|/|von)[ ]*\d{1,5})?[-\u2013\u2014\]). ]*",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(r"([^\W\d_]+)[-\u00ad\u2010]\n[ \t]*([^\W\d_]+)")
_COMPOUND = re.compile(r"[^\W\d_]+-[^\W\d_]+")


def read_pdf_text(source: Source) -> ParsedDocument:
    """Read text that was extracted from a PDF; pages are told apart by form feeds or `--- page N ---` lines.

    Every block's meta has the `page` that it starts on, when the text says where pages end.
    """
    decoded = decode(source.data, source.charset)
    numbers, paged = _page_numbers(decoded.text)
    text = _joined(_FEED.join(_without_page_numbers(page) for page in paged.split(_FEED)))
    blocks = text_blocks(text)
    if len(numbers) > 1 or numbers[0] != 1:
        blocks = list(_with_pages(blocks, text, numbers))
    return ParsedDocument(blocks=tuple(blocks), source=text, encoding=decoded.encoding, warnings=decoded.warnings)


def _page_numbers(text: str) -> tuple[list[int], str]:
    """Return the number of each page, and the text with a form feed between pages."""
    marks = list(_PAGE_MARK.finditer(text))
    if not marks:
        return list(range(1, text.count(_FEED) + 2)), text
    parts = [text[: marks[0].start()]]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    parts += [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    numbers = [int(mark[1]) for mark in marks]
    parts = [part.replace(_FEED, "\n") for part in parts]
    if parts[0].strip():
        return [max(numbers[0] - 1, 0), *numbers], _FEED.join(parts)
    return numbers, _FEED.join(parts[1:])


def _without_page_numbers(page: str) -> str:
    """Blank the first and the last written line of a page when it is only a page number."""
    lines = page.split("\n")
    written = [index for index, line in enumerate(lines) if line.strip()]
    for index in {written[0], written[-1]} if len(written) > 1 else ():
        if _PAGE_NUMBER.fullmatch(lines[index].strip()):
            lines[index] = ""
    return "\n".join(lines)


def _joined(text: str) -> str:
    """Join words that a line end cuts; a hyphen stays where the text writes the word with one elsewhere."""
    compounds = {word.casefold() for word in _COMPOUND.findall(text)}

    def join(match: re.Match[str]) -> str:
        first, second = match[1], match[2]
        written = f"{first}-{second}".casefold() in compounds or not second[0].islower()
        return f"{first}-{second}" if written else first + second

    return _HYPHENATED.sub(join, text)


def _with_pages(blocks: list[Block], text: str, numbers: list[int]) -> Iterator[Block]:
    feeds = [match.start() for match in re.finditer(_FEED, text)]
    for block in blocks:
        page = numbers[bisect_right(feeds, block.start or 0)]
        yield replace(block, meta={**block.meta, "page": page})


READER = Reader(format="pdf", read=read_pdf_text)
